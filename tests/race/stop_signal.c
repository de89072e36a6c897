// SPDX-License-Identifier: GPL-2.0-or-later
/* A signal ends a run that would go on for hours, whenever it comes. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "lib/base/stop.h"
#include "tests/race/race.h"

/* In a process of its own: the flag of lib/base/stop.h is set for good. */
static void run_until(int number, unsigned int delay_us, const char *words,
		      const char *path)
{
	struct run_samples samples;
	struct setup setup;
	struct err err;
	int rc;

	stop_install();
	if (delay_us)
		ualarm(delay_us, 0);
	else
		kill(getpid(), number);
	rc = race_run(words, path, NULL, &setup, &samples, &err);
	CHECK(rc == -EINTR, "%d: %s", rc, rc ? err.text : "");
	CHECK(stop_signal() == number, "signal %d", stop_signal());
	setup_free(&setup);
	exit(0);
}

static void forward(int number)
{
	(void)number;
	kill(getpid(), SIGTERM);
}

int main(void)
{
	static const unsigned int delays_us[] = { 0, 200, 1000, 5000, 50000 };
	static const char *const words[] = {
		"-p 4 -n 1000000000000 -s 1k --layout shared --engine null",
		"-p 4 --time 10h -s 1k --engine null --latency",
		/* And while nothing counts yet. */
		"-p 4 --ramp 10h --time 10h -s 1k --engine null",
	};
	const char *path = race_file();
	unsigned int i;

	signal(SIGALRM, forward);
	for (i = 0; i < 15; i++) {
		int status;
		pid_t pid = fork();

		CHECK(pid >= 0, "fork");
		if (!pid)
			run_until(SIGTERM, delays_us[i % 5], words[i / 5],
				  path);
		CHECK(waitpid(pid, &status, 0) == pid, "wait");
		CHECK(WIFEXITED(status) && !WEXITSTATUS(status),
		      "%s: after %u us: status %x", words[i / 5],
		      delays_us[i % 5], status);
	}
	unlink(path);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* A signal ends a run that would go on for hours, whenever it comes. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "lib/base/stop.h"
#include "tests/race/race.h"

/* In a process of its own: the flag of lib/base/stop.h is set for good. */
static void run_until(int number, unsigned int delay_us, const char *path)
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
	rc = race_run("-p 4 -n 1000000000000 -s 1k --layout shared "
		      "--engine null",
		      path, NULL, &setup, &samples, &err);
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
	const char *path = race_file();
	unsigned int i;

	signal(SIGALRM, forward);
	for (i = 0; i < 5; i++) {
		int status;
		pid_t pid = fork();

		CHECK(pid >= 0, "fork");
		if (!pid)
			run_until(SIGTERM, delays_us[i], path);
		CHECK(waitpid(pid, &status, 0) == pid, "wait");
		CHECK(WIFEXITED(status) && !WEXITSTATUS(status),
		      "after %u us: status %x", delays_us[i], status);
	}
	unlink(path);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/spawn.h"

static struct spawn_end end_of(const char *script, const struct spawn_fd *fds,
			       size_t fd_count)
{
	char text[256];
	char *const argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, text, NULL };
	struct spawn_end end;
	struct err err;
	pid_t pid;

	snprintf(text, sizeof(text), "%s", script);
	cr_assert_eq(spawn_start("/bin/sh", argv, fds, fd_count, &pid, &err), 0,
		     "%s", err.text);
	cr_assert_eq(spawn_wait(pid, &end, &err), 0, "%s", err.text);
	return end;
}

Test(spawn, how_a_child_ended_is_told)
{
	struct spawn_end end = end_of("exit 7", NULL, 0);

	cr_expect_eq(end.exit_status, 7);
	cr_expect_eq(end.signal, 0);
	end = end_of("kill -TERM $$", NULL, 0);
	cr_expect_eq(end.exit_status, -1);
	cr_expect_eq(end.signal, SIGTERM);
}

Test(spawn, a_child_sees_descriptors_under_numbers_of_its_own)
{
	struct spawn_fd fds[2];
	char text[32] = "";
	int ends[2];

	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	fds[0] = (struct spawn_fd){ fcntl(ends[1], F_DUPFD_CLOEXEC, 10), 3 };
	fds[1] = (struct spawn_fd){ fcntl(ends[1], F_DUPFD_CLOEXEC, 10), 4 };
	cr_expect_eq(
		end_of("echo three >&3; echo four >&4", fds, 2).exit_status, 0);
	cr_expect_eq(read(ends[0], text, sizeof(text) - 1), 11);
	cr_expect_str_eq(text, "three\nfour\n");
	close(fds[0].parent_fd);
	close(fds[1].parent_fd);
	close(ends[0]);
	close(ends[1]);
}

/* A terminal's Ctrl-C must reach the parent alone. */
Test(spawn, a_child_is_in_a_group_of_its_own_with_no_signal_blocked)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	cr_expect_eq(end_of("set -- $(cat /proc/self/stat | sed 's/.*) //'); "
			    "[ $3 = $$ ]",
			    NULL, 0)
			     .exit_status,
		     0);
	cr_expect_eq(end_of("grep -q '^SigBlk:.*0000000000000000' "
			    "/proc/self/status",
			    NULL, 0)
			     .exit_status,
		     0);
	cr_expect_eq(end_of("kill -PIPE $$", NULL, 0).signal, SIGPIPE);
}

Test(spawn, a_program_that_is_not_there_is_named)
{
	char *const argv[] = { (char[]){ "none" }, NULL };
	struct err err;
	pid_t pid;

	cr_expect_eq(spawn_start("/nonexistent", argv, NULL, 0, &pid, &err),
		     -ENOENT);
	cr_expect(strstr(err.text, "start /nonexistent"), "%s", err.text);
}

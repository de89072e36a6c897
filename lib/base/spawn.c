// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/spawn.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/err.h"

int spawn_start(const char *path, char *const argv[],
		const struct spawn_fd *fds, size_t fd_count, pid_t *pid,
		struct err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t signals;
	size_t i;
	int rc = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
						POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETSIGMASK);
	sigemptyset(&signals);
	posix_spawnattr_setsigmask(&attr, &signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attr, &signals);
	for (i = 0; !rc && i < fd_count; i++)
		rc = posix_spawn_file_actions_adddup2(
			&actions, fds[i].parent_fd, fds[i].child_fd);
	if (!rc)
		rc = posix_spawn(pid, path, &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return rc ? err_set(err, -rc, "start %s", path) : 0;
}

int spawn_wait(pid_t pid, struct spawn_end *end, struct err *err)
{
	int status;

	*end = (struct spawn_end){ .exit_status = -1 };
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, -errno, "wait for pid %d", pid);
	if (WIFEXITED(status))
		end->exit_status = WEXITSTATUS(status);
	else
		end->signal = WTERMSIG(status);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child process and how it ended. Main thread. */
#ifndef RAWREAD_BASE_SPAWN_H
#define RAWREAD_BASE_SPAWN_H

#include <sys/types.h>

struct err;

struct spawn_end {
	int exit_status; /* -1 when a signal ended it */
	int signal;	 /* 0 when it exited */
};

/*
 * Starts @path with @argv (NULL-terminated). The child sees the descriptor
 * @inherit_fd as @child_fd (-1: none), has default signals, an empty signal
 * mask, and its own process group, so that a terminal's Ctrl-C reaches the
 * parent alone, which decides. Returns 0 or -errno.
 */
int spawn_start(const char *path, char *const argv[], int inherit_fd,
		int child_fd, pid_t *pid, struct err *err);

/* Waits for @pid, over EINTR; the caller forwards signals before. */
int spawn_wait(pid_t pid, struct spawn_end *end, struct err *err);

#endif

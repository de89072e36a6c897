/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child process and how it ended. Main thread. */
#ifndef RAWREAD_BASE_SPAWN_H
#define RAWREAD_BASE_SPAWN_H

#include <stddef.h>
#include <sys/types.h>

struct err;

struct spawn_end {
	int exit_status; /* -1 when a signal ended it */
	int signal;	 /* 0 when it exited */
};

/* What is @parent_fd here is @child_fd there. */
struct spawn_fd {
	int parent_fd; /* above all child_fd of the list, or equal to its own */
	int child_fd;
};

/*
 * Starts @path with @argv (NULL-terminated). The child sees the descriptors
 * @fds beside those without close-on-exec, has default signals, an empty
 * signal mask, and its own process group, so that a terminal's Ctrl-C reaches
 * the parent alone, which decides. Returns 0 or -errno.
 */
int spawn_start(const char *path, char *const argv[],
		const struct spawn_fd *fds, size_t fd_count, pid_t *pid,
		struct err *err);

/* Waits for @pid, over EINTR; the caller forwards signals before. */
int spawn_wait(pid_t pid, struct spawn_end *end, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a child says through a pipe, kept as one text. Main thread. */
#ifndef RAWREAD_SWEEP_INTAKE_H
#define RAWREAD_SWEEP_INTAKE_H

#include <stddef.h>

/* Pipes stand out of the way of the descriptors a child is given. */
#define INTAKE_FD_LOWEST 16

struct intake {
	int fd;	    /* does not block; -1: its end has come */
	char *text; /* zero-terminated, the caller frees it; NULL: nothing */
	size_t used_bytes, room_bytes;
};

/*
 * Makes the pipe; @write_fd is the caller's, who closes it when the child has
 * it. Returns 0 or -errno.
 */
int intake_open(struct intake *intake, int *write_fd);
void intake_close(struct intake *intake);

/* Takes what is there now. What is beyond memory is read and forgotten. */
void intake_read(struct intake *intake);

#endif

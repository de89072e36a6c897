/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --read-ahead-kb: the one setting of the machine that a run changes, on each
 * file system's own bdi, and puts back. Main thread.
 */
#ifndef RAWREAD_READ_AHEAD_H
#define RAWREAD_READ_AHEAD_H

#include <stdint.h>

struct err;
struct run_params;
struct targets;

/* A bdi that was changed. */
struct read_ahead_change {
	char *path;
	int lock_fd; /* of the file itself, against other runs */
	uint64_t before_kib;
};

struct read_ahead {
	int64_t *effective_kib; /* of each target, as read back; -1: not told */
	struct read_ahead_change *changes;
	unsigned int change_count;
};

/*
 * Sets what @params ask for, before threads open the files, since open()
 * copies it; and finds out what is in force, asked for or not. Returns 0 or
 * -errno, the cure named, with everything put back; -EBUSY when another run
 * has set one of them and has not put it back yet. End with
 * read_ahead_restore() and read_ahead_free() in any case.
 */
int read_ahead_apply(const struct run_params *params,
		     const struct targets *targets,
		     struct read_ahead *read_ahead, struct err *err);

/*
 * Puts back what was changed; again, it does nothing. Returns 0, or -errno of
 * the first that could not be put back, with the value that is to be written
 * there.
 */
int read_ahead_restore(struct read_ahead *read_ahead, struct err *err);
void read_ahead_free(struct read_ahead *read_ahead);

#endif

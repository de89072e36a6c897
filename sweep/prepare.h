/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that are read: DIR/foo, of data that does not compress, really
 * written. Nothing is written over unless it was asked for, and a file that
 * bears the name is whole: it gets it when it is on disk. Main thread.
 */
#ifndef RAWREAD_SWEEP_PREPARE_H
#define RAWREAD_SWEEP_PREPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct progress;

/* The name in each directory. */
#define PREPARE_NAME "foo"

struct prepare_file {
	char *path; /* real path of DIR, and the name */
	dev_t dev;  /* of DIR */
	bool whole; /* it is there, of that size and without holes */
	/* It was written where no mark of lib/system/prepared.h can be kept. */
	bool unmarked;
	/* Where DIR is no mount point: whose file system it is on, or NULL. */
	char *lies_on;
};

/* Owns its list; free with prepare_free(). */
struct prepare {
	struct prepare_file *files;
	size_t count;
	uint64_t size_bytes; /* of each */
	bool replace;	     /* a file that is there and not whole */
};

/*
 * Looks at all @dirs and writes nothing. Returns 0; -EEXIST when a file is
 * there, is not whole, and @replace is not set; -ENOSPC with the bytes that
 * are needed and had; -EBUSY with what holds a file that is to be replaced;
 * -errno.
 */
int prepare_open(char *const *dirs, size_t dir_count, uint64_t size_bytes,
		 bool replace, struct prepare *prepare, struct err *err);
void prepare_free(struct prepare *prepare);

/*
 * Writes one file, and its mark where one can be kept. After a failure only
 * what was there before is there. Returns 0; -EINTR when a signal asked for the
 * end; -errno.
 */
int prepare_write(struct prepare *prepare, size_t index,
		  struct progress *progress, struct err *err);

/*
 * Bytes of the @size_bytes of @fd that are no data of its own on disk: holes,
 * unwritten extents, compressed ones. Returns 0 or -errno.
 */
int prepare_missing_bytes(int fd, uint64_t size_bytes, uint64_t *missing_bytes,
			  struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mark of a file that "rawread prepare" wrote: it may be written over, and
 * what was in it is known. An extended attribute, so the mark stays when the
 * data is written over in place. It tells size, inode, time of birth and the
 * UUID of the file system, the last two where they can be had, so a copy of the
 * file, or one that was rewritten to another length, is not taken for ours.
 * Any thread.
 */
#ifndef RAWREAD_SYSTEM_PREPARED_H
#define RAWREAD_SYSTEM_PREPARED_H

#include <stdbool.h>
#include <stdint.h>

struct err;

#define PREPARED_NAME "user.rawread.prepared"

struct prepared {
	uint64_t seed; /* of lib/base/content.h */
	uint64_t size_bytes;
	uint64_t inode;
	/* The births could not be compared: a copy that happens to have the
	 * inode, such as that of the file in its place, would be taken for it.
	 */
	bool is_weak;
};

/*
 * Marks @fd, which is open for writing and as long as it will be. Returns 0;
 * -EOPNOTSUPP where the file system has no such attributes; -errno.
 */
int prepared_write(int fd, uint64_t seed, struct err *err);

/*
 * Reads the mark of @fd. Returns 0; -ENODATA when there is none, or it is not
 * of this file as it is now; -EOPNOTSUPP where the file system has no such
 * attributes; -errno. The error is a sentence about the file.
 */
int prepared_read(int fd, struct prepared *mark, struct err *err);

#endif

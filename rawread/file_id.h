/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which file or block device a path stood for: each thread opens it anew, and
 * by then it may lead to another one. Any thread.
 */
#ifndef RAWREAD_FILE_ID_H
#define RAWREAD_FILE_ID_H

#include <sys/types.h>

struct err;

/* As struct target has it. A @dev of 0: it does not matter which. */
struct file_id {
	dev_t dev;   /* of the block device, or of the file's file system */
	ino_t inode; /* 0: a block device */
};

/*
 * Whether the open file @fd, that @path led to, is the one of @id: what was
 * said of that one, and what may be written over, holds for no other. Returns
 * 0; -ESTALE when it is another; -errno.
 */
int file_id_check(int fd, const char *path, const struct file_id *id,
		  struct err *err);

/*
 * Opens the file of @id at @path with @flags and O_CLOEXEC; what else is there
 * by now, such as a FIFO without a writer, is not waited for. Returns the
 * descriptor; -ESTALE when it is another; -errno.
 */
int file_id_open(const char *path, int flags, const struct file_id *id,
		 struct err *err);

#endif

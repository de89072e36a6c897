/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read-ahead of the backing device of a file system, which is what open()
 * copies into each descriptor: not always the queue's (btrfs has its own).
 */
#ifndef RAWREAD_SYSTEM_READAHEAD_H
#define RAWREAD_SYSTEM_READAHEAD_H

#include <stdint.h>

struct err;

/*
 * Path of the read_ahead_kb that counts for the open file or block device
 * @fd; the caller frees it. -ENOENT: its file system has none (memory,
 * overlay). Any thread.
 */
int readahead_path(int fd, char **path, struct err *err);

/* KiB that read-ahead may run ahead, now. */
int readahead_read(const char *path, uint64_t *kib, struct err *err);

/*
 * Writes, reads back, and says -EIO when the kernel took another value (it
 * rounds down to pages: 3 becomes 0); the value before is put back then.
 * -EACCES, -EROFS: the name and the cure are in the text.
 */
int readahead_write(const char *path, uint64_t kib, struct err *err);

#endif

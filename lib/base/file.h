/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small files below a root: /proc, /sys and settings, or a copy of them that
 * a test made. @root is "" for the machine itself. Any thread.
 */
#ifndef RAWREAD_BASE_FILE_H
#define RAWREAD_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * The whole text of @root@path, zero-terminated, without trailing newlines;
 * the caller frees it. Returns 0 or -errno of open and read.
 */
int file_read_text(const char *root, const char *path, char **text,
		   struct err *err);

/* A file that holds one whole number. -EINVAL when it holds something else. */
int file_read_u64(const char *root, const char *path, uint64_t *number,
		  struct err *err);

/* Writes @text in one call to an existing file, as sysfs wants it. */
int file_write_text(const char *root, const char *path, const char *text,
		    struct err *err);

/* All of @bytes to @fd, over short writes and EINTR. Returns 0 or -errno. */
int fd_write_all(int fd, const void *bytes, size_t size_bytes);

/*
 * err_set() of "WHAT PATH" for what is open at @fd, or "WHAT descriptor N"
 * where it has no path. Returns @code.
 */
int fd_err(struct err *err, int code, int fd, const char *what);

/* snprintf into new memory; NULL without memory. */
char *text_format(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* A copy of @text in the place of *@member, which is freed. 0 or -ENOMEM. */
int text_set(char **member, const char *text, struct err *err);

#endif

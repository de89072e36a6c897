/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record file: JSON Lines, appended, locked and fsynced line by line.
 * Only these functions write it. Main thread.
 */
#ifndef RAWREAD_RECORD_STORE_H
#define RAWREAD_RECORD_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * Makes @path ready for lines to be appended: creates it, or checks that it
 * is a record file. A torn last line (a crash, a full disk) is cut off, and
 * @torn_bytes tells how long it was; 0: nothing was cut. Returns 0; -EINVAL
 * when the file holds something else, which is left alone; -errno.
 */
int store_prepare(const char *path, size_t *torn_bytes, struct err *err);

/* What a command says of @torn_bytes: the path, and how many. */
#define STORE_TORN_CUT "%s: a torn last line of %zu bytes was cut off"

/*
 * Appends @line to a file that store_prepare() made ready, and waits until it
 * is on disk. A last line that another writer left torn meanwhile is cut off
 * before. After a failure (ENOSPC) the file is as long as before. Returns 0 or
 * -errno; -ENOENT when the file is gone: none is made anew.
 */
int store_append(const char *path, const json_t *line, struct err *err);

/* The same of a new @line, which it frees; NULL is no memory. */
int store_append_new(const char *path, json_t *line, struct err *err);

/* The same line to a descriptor that is no file to be kept: a pipe. */
int store_write_fd(int fd, const json_t *line, struct err *err);

/* How to visit the lines of a file. */
struct store_visit {
	/* @type is "campaign", "run" or "end"; a negative errno ends it. */
	int (*line)(const char *type, const json_t *json, void *input,
		    struct err *err);
	void *input;
	bool torn;		 /* out: the last line was torn, and dropped */
	unsigned long torn_line; /* out: its number, from 1 */
};

/*
 * Reads @path ("-": stdin) line by line. A line that is not JSON, has no type
 * or an unknown schema number is an error with file and line; blank lines and
 * lines of types not known are passed over. An error that `line` says is given
 * file and line too. Returns 0 or -errno.
 */
int store_read(const char *path, struct store_visit *visit, struct err *err);

#endif

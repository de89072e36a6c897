/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of one campaign in a record file: its own first, its end last.
 * The first is written when there is something to follow it, so that a sweep
 * that was refused leaves a file as it was. Main thread.
 */
#ifndef RAWREAD_SWEEP_RECORDER_H
#define RAWREAD_SWEEP_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct campaign;
struct err;
struct run_record;

struct recorder {
	const char *path;		 /* the caller's, as the next but one */
	int fd;				 /* of the file that path named */
	const struct campaign *campaign; /* complete when a line is written */
	bool is_new;			 /* made by recorder_open() */
	bool begun;			 /* the campaign's line is written */
	uint64_t runs;			 /* written */
};

/*
 * Makes @path ready. @torn_bytes: of a last line that was cut off, or 0.
 * Returns 0 or -errno. From then on -ESTALE or -ENOENT tell that the file was
 * replaced or removed.
 */
int recorder_open(const char *path, const struct campaign *campaign,
		  struct recorder *recorder, size_t *torn_bytes,
		  struct err *err);

/* Also after recorder_open() failed, or was not called. */
void recorder_close(struct recorder *recorder);

/* Appends a run, which becomes the campaign's. Returns 0 or -errno. */
int recorder_append(struct recorder *recorder, struct run_record *run,
		    struct err *err);

/*
 * The last line; @cause is NULL when all was done. Returns 0 or -errno.
 */
int recorder_end(struct recorder *recorder, const char *cause, struct err *err);

/* In its place when nothing came of it: a new empty file is taken away. */
void recorder_forget(struct recorder *recorder);

#endif

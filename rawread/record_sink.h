/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where --json puts the record: a file, a descriptor, standard output. Main
 * thread.
 */
#ifndef RAWREAD_RECORD_SINK_H
#define RAWREAD_RECORD_SINK_H

struct err;
struct run_record;

struct record_sink {
	const char *path; /* of --json; NULL: a descriptor, or nowhere */
	int fd;		  /* -1: not to a descriptor */
};

/*
 * Finds out before the run whether it can be recorded: @json is a path,
 * "fd:N" with N open for writing, "-", or NULL for nowhere. A file is made
 * or, when it has a torn last line, mended. Returns 0 or -errno.
 */
int record_sink_open(const char *json, struct record_sink *sink,
		     struct err *err);

/* Writes the one line of @run, synced when it is a file. */
int record_sink_write(const struct record_sink *sink,
		      const struct run_record *run, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the threads did, summed and one by one: private to record_run.c. */
#ifndef RAWREAD_RECORD_THREADS_H
#define RAWREAD_RECORD_THREADS_H

struct err;
struct record_sources;
struct run_record;

/*
 * Adds samples and placement to @run, whose targets are there. Returns 0 or
 * -ENOMEM.
 */
int record_add_threads(const struct record_sources *sources,
		       struct run_record *run, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs as a test wants them: what is not said is of a good, cold run. */
#ifndef RAWREAD_TESTS_RUNS_H
#define RAWREAD_TESTS_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/record.h"

struct series;

struct run_spec {
	const char *test;     /* seqread */
	uint64_t block_bytes; /* 4096 */
	uint64_t kib_per_s;   /* 100000, over one second */
	unsigned int threads; /* 2 */
	enum fadvise fadvise;
	const char *engine;
	bool direct;
	uint64_t reads;
	uint64_t stop_bytes;
	uint64_t time_ns, ramp_ns;
	enum pattern pattern;
	uint64_t stride_bytes;
	unsigned int rwf;
	enum madvise madvise;
	bool readahead, noatime, latency, verify;
	enum warm warm;
	const char *cpus;	/* not pinned */
	unsigned int smt, kind; /* of the second of two threads */
	uint64_t range_bytes;	/* 1 MiB, of each of two targets */
	int64_t read_ahead_kib; /* 128 */
	uint64_t busy_ticks;	/* 50, and of these: */
	uint64_t steal_ticks;
	uint64_t idle_ticks; /* 150 */
	enum cold_verdict verdict;
	const char *cause;
	uint64_t device_bytes; /* all that were read, when cold */
	const char *flush_fallback;
	const char *flush_cause;
	const char *error;
	bool not_available;
	bool blind; /* failed before it saw its targets */
	const char *imported_metric;
	const char *imported_text;
};

/* Free with run_record_free(). */
void run_of(const struct run_spec *spec, struct run_record *run);

/* Adds such a run, of no campaign, to a series. */
void series_take(struct series *series, const struct run_spec *spec);

#endif

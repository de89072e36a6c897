/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's reads: the measured loop, and what becomes of reads that are
 * short or fail. A worker belongs to the main thread before the start and
 * after the join, to its thread in between; shared while running is one flag,
 * and the count of those that are short of their least number of reads.
 */
#ifndef RAWREAD_WORKER_H
#define RAWREAD_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/sequence.h"

/* What all workers of a run look at. */
struct worker_shared {
	_Alignas(CACHE_LINE_BYTES) atomic_bool stop;
	/* Threads that have not done their least number of reads. */
	_Alignas(CACHE_LINE_BYTES) atomic_uint behind;
};

struct worker {
	/* Used between two reads, on lines that no one else writes to. */
	_Alignas(CACHE_LINE_BYTES) const struct engine_ops *ops;
	void *state; /* of the engine */
	struct worker_shared *shared;
	uint64_t bytes; /* delivered */
	uint64_t reads;
	struct io_op op;
	struct sequence sequence;

	/* Set before the start. */
	const char *path;	   /* for errors */
	uint64_t end_offset_bytes; /* of the range */
	uint64_t least_reads;	   /* 0: to the sequence's end */

	/* Result. */
	uint64_t short_reads;  /* that had to be continued */
	uint64_t unique_bytes; /* of its own part; bytes, with a counter */
	int rc;		       /* 0 or why it failed, with err */
	struct err err;
};

/*
 * Reads until the sequence ends, or, with least_reads, until all workers have
 * done theirs; or until shared->stop. Sets shared->stop when it fails. The
 * engine was opened into @worker->state. Returns worker->rc.
 */
int worker_run(struct worker *worker);

/* The loop itself, until @worker->reads is @reads. Returns worker->rc. */
int worker_run_reads(struct worker *worker, uint64_t reads);

#endif

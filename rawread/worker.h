/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's reads: the measured loop, and what becomes of reads that are
 * short or fail. A worker belongs to the main thread before the start and
 * after the join, to its thread in between; shared while running is one
 * number, and the count of those that are short of their least number of
 * reads.
 *
 * There is a loop for each way to go round, so that the bare one stays bare:
 * worker.c reads and does nothing else, worker_watched.c looks at each read,
 * worker_async.c keeps reads in flight.
 */
#ifndef RAWREAD_WORKER_H
#define RAWREAD_WORKER_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/sequence.h"

struct histogram;

/* The run is over, or failed. */
#define PHASE_OVER UINT_MAX

/* What all workers of a run look at. */
struct worker_shared {
	/* 0, 1 after a ramp, PHASE_OVER. It only grows. */
	_Alignas(CACHE_LINE_BYTES) atomic_uint phase;
	/* Threads that have not done their least number of reads. */
	_Alignas(CACHE_LINE_BYTES) atomic_uint behind;
};

/*
 * A read that brought other than it asked for: short ones are continued from
 * where they stopped, and what was asked for beyond the range's end (direct
 * I/O asks for whole sectors) is not missed.
 */
struct partial {
	struct io_op asked;
	uint64_t wanted, got;
};

/* One target of a worker, with what is used between two reads of it. */
struct lane {
	_Alignas(CACHE_LINE_BYTES) uint64_t bytes; /* delivered */
	uint64_t reads;
	struct io_op op;
	struct sequence sequence;

	/* Of the loop that keeps reads in flight. */
	bool is_flying, is_partial;
	struct partial partial;
	uint64_t begun_ns;

	/* Set before the start. */
	const char *path;	   /* for errors */
	uint64_t end_offset_bytes; /* of the range */
	uint64_t seed;		   /* of its content, to verify it */

	/* Result. */
	uint64_t short_reads; /* that had to be continued, once each */
	uint64_t first_bytes; /* of its part's first turn */
	/* Of these and of op.retries what came before the phase. */
	uint64_t ramp_bytes, ramp_reads, ramp_first_bytes;
	uint64_t ramp_short_reads, ramp_retries;
};

/* What is looked at after each read; NULL, false: it is not. */
struct worker_watch {
	struct histogram *latency;
	bool verify;
};

struct worker {
	/* Used between two reads, on lines that no one else writes to. */
	_Alignas(CACHE_LINE_BYTES) const struct engine_ops *ops;
	void *state; /* of the engine */
	struct worker_shared *shared;
	struct lane *lanes;
	unsigned int lane_count;
	unsigned int phase;  /* in which it runs */
	unsigned int flying; /* operations in flight */
	struct io_op **done; /* room for one of each lane */

	/* Set before the start. */
	uint64_t least_reads; /* of each lane; 0: to the sequence's end */
	bool waits_for_all;   /* in flight, before it starts new ones */
	struct worker_watch watch;
	const struct engine_job *job;

	/* Result: 0 or why it failed, with err. */
	int rc;
	struct err err;
};

/*
 * Reads until the sequences end, or, with least_reads, until all workers have
 * done theirs; or until shared->phase is beyond its own. Makes it PHASE_OVER
 * when it fails. The engine was opened into @worker->state. Returns
 * worker->rc.
 */
int worker_run(struct worker *worker);

/* After a ramp: goes on into @phase, and counts from here. */
void worker_enter(struct worker *worker, unsigned int phase);

/* Ends the run for all. Any thread. */
void worker_end_all(struct worker_shared *shared);

/* From phase 0 to 1, unless the run is over. Main thread. */
void worker_end_ramp(struct worker_shared *shared);

/*
 * The loop of @worker, until each lane has done @reads or its sequence ends; a
 * read may be in flight still. Returns worker->rc.
 */
int worker_run_reads(struct worker *worker, uint64_t reads);

#endif

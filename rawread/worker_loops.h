/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loops of a worker share: private to worker*.c. */
#ifndef RAWREAD_WORKER_LOOPS_H
#define RAWREAD_WORKER_LOOPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rawread/worker.h"

/*
 * The loops; each until all lanes have done @reads, or the phase ends. With
 * several lanes those that have done them go on until the others have, and are
 * in flight still when it returns, unless the phase has ended.
 */
void worker_loop_bare(struct worker *worker, uint64_t reads);
void worker_loop_watched(struct worker *worker, uint64_t reads);
void worker_loop_async(struct worker *worker, uint64_t reads);

/* Whether the run is in @phase still. */
static inline bool worker_goes_on(const struct worker *w, unsigned int phase)
{
	return atomic_load_explicit(&w->shared->phase, memory_order_relaxed) ==
	       phase;
}

/* Positions of the lane's own part; with a counter they are everyone's. */
static inline uint64_t lane_turn(const struct lane *lane)
{
	return lane->sequence.counter ? UINT64_MAX : lane->sequence.count;
}

/* Whether op brought what it asked for. */
static inline bool op_is_whole(const struct io_op *op, int rc)
{
	return !rc && op->result == (int64_t)op->size_bytes;
}

enum partial_next {
	PARTIAL_DONE,  /* op is as asked, and its result what arrived in all */
	PARTIAL_AGAIN, /* op is to be submitted */
	PARTIAL_END    /* it failed, and all are told; or the run is over */
};

void partial_begin(const struct lane *lane, struct partial *partial);

/* What comes after op was submitted with @rc, or came back. */
enum partial_next partial_step(struct worker *worker, struct lane *lane,
			       struct partial *partial, int rc);

/* To the end, with an engine that finishes in submit(). False: END. */
bool partial_finish(struct worker *worker, struct lane *lane, int rc);

/* Compares what arrived with what was prepared. False: it failed. */
bool worker_verify(struct worker *worker, struct lane *lane);

/* Fails with a sentence. */
void worker_fail(struct worker *worker, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The measured loop. What is added to it comes with figures of make bench. It
 * is in place, so that with a @submit that the compiler knows that is too.
 */
static inline __attribute__((always_inline)) void
worker_go_round(struct worker *w, uint64_t reads,
		int (*const submit)(void *state, struct io_op *op))
{
	const unsigned int phase = w->phase;
	void *const state = w->state;
	struct lane *const lane = w->lanes;
	struct io_op *const op = &lane->op;
	int rc;

	while (lane->reads < reads && worker_goes_on(w, phase)) {
		if (!sequence_next(&lane->sequence, &op->offset_bytes,
				   &op->size_bytes))
			break;
		rc = submit(state, op);
		if (!op_is_whole(op, rc))
			if (!partial_finish(w, lane, rc))
				break;
		lane->bytes += (uint64_t)op->result;
		lane->reads++;
	}
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/worker.h"

#include <assert.h>
#include <stddef.h>

#include "lib/base/histogram.h"
#include "rawread/worker_loops.h"

void worker_end_all(struct worker_shared *shared)
{
	atomic_store_explicit(&shared->phase, PHASE_OVER, memory_order_relaxed);
}

void worker_end_ramp(struct worker_shared *shared)
{
	unsigned int ramp = 0;

	atomic_compare_exchange_strong(&shared->phase, &ramp, 1);
}

/* The measured loop. What is added to it comes with figures of make bench. */
void worker_loop_bare(struct worker *w, uint64_t reads)
{
	/* Asked once: the compiler cannot know that a call leaves them. */
	int (*const submit)(void *state, struct io_op *op) = w->ops->submit;
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

int worker_run_reads(struct worker *w, uint64_t reads)
{
	if (w->ops->reap || w->lane_count > 1)
		worker_loop_async(w, reads);
	else if (w->watch.latency || w->watch.verify)
		worker_loop_watched(w, reads);
	else
		worker_loop_bare(w, reads);
	return w->rc;
}

/* Positions of the lane's own part; with a counter they are everyone's. */
static uint64_t turn_of(const struct lane *lane)
{
	return lane->sequence.counter ? UINT64_MAX : lane->sequence.count;
}

/* Up to @reads; notes the bytes when a part has been read once. */
static void run_noting_turns(struct worker *w, uint64_t reads)
{
	unsigned int i;

	for (;;) {
		uint64_t until = reads;

		/* The next time that one of them begins again. */
		for (i = 0; i < w->lane_count; i++)
			if (w->lanes[i].reads < turn_of(&w->lanes[i]) &&
			    turn_of(&w->lanes[i]) < until)
				until = turn_of(&w->lanes[i]);
		worker_run_reads(w, until);
		for (i = 0; i < w->lane_count; i++)
			if (w->lanes[i].reads <= turn_of(&w->lanes[i]))
				w->lanes[i].first_bytes = w->lanes[i].bytes;
		if (until == reads || w->rc < 0 || !worker_goes_on(w, w->phase))
			return;
	}
}

int worker_run(struct worker *w)
{
	if (w->rc < 0)
		return w->rc;
	run_noting_turns(w, w->least_reads ? w->least_reads : UINT64_MAX);
	if (!w->least_reads || w->rc < 0)
		return w->rc;
	/* The last one to have its minimum ends it for all. */
	if (atomic_fetch_sub(&w->shared->behind, 1) == 1)
		worker_end_all(w->shared);
	run_noting_turns(w, UINT64_MAX);
	return w->rc;
}

void worker_enter(struct worker *w, unsigned int phase)
{
	unsigned int i;

	w->phase = phase;
	for (i = 0; i < w->lane_count; i++) {
		struct lane *lane = &w->lanes[i];

		lane->ramp_bytes = lane->bytes;
		lane->ramp_reads = lane->reads;
		lane->ramp_first_bytes = lane->first_bytes;
		lane->ramp_short_reads = lane->short_reads;
		lane->ramp_retries = lane->op.retries;
	}
	if (w->watch.latency)
		histogram_init(w->watch.latency);
}

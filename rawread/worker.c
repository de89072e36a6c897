// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/worker.h"

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

void worker_loop_bare(struct worker *w, uint64_t reads)
{
	/* Asked once: the compiler cannot know that a call leaves it. */
	worker_go_round(w, reads, w->ops->submit);
}

static bool is_async(const struct worker *w)
{
	return w->ops->reap || w->lane_count > 1;
}

int worker_run_reads(struct worker *w, uint64_t reads)
{
	if (is_async(w))
		worker_loop_async(w, reads);
	else if (w->watch.latency || w->watch.verify)
		worker_loop_watched(w, reads);
	else if (w->ops->loop)
		w->ops->loop(w, reads);
	else
		worker_loop_bare(w, reads);
	return w->rc;
}

/* Up to @reads, of one lane; its first turn apart, to note its bytes. */
static void run_noting_turn(struct worker *w, uint64_t reads)
{
	struct lane *lane = w->lanes;
	const uint64_t turn = lane_turn(lane);

	if (lane->reads < turn) {
		worker_run_reads(w, turn < reads ? turn : reads);
		lane->first_bytes = lane->bytes;
		if (lane->reads < turn)
			return;
	}
	if (!w->rc && worker_goes_on(w, w->phase))
		worker_run_reads(w, reads);
}

/* Until all lanes have done @reads, or as long as it goes on. */
static void run_up_to(struct worker *w, uint64_t reads)
{
	if (is_async(w))
		worker_run_reads(w, reads);
	else
		run_noting_turn(w, reads);
}

int worker_run(struct worker *w)
{
	if (w->rc < 0)
		return w->rc;
	run_up_to(w, w->least_reads ? w->least_reads : UINT64_MAX);
	if (!w->least_reads || w->rc < 0)
		return w->rc;
	/* The last one to have its minimum ends it for all. */
	if (atomic_fetch_sub(&w->shared->behind, 1) == 1)
		worker_end_all(w->shared);
	run_up_to(w, UINT64_MAX);
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

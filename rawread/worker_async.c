// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop that keeps an operation in flight on each lane: for engines that
 * finish elsewhere, and for the batch tests.
 */
#include <stddef.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/histogram.h"
#include "rawread/worker_loops.h"

static struct lane *lane_of(struct io_op *op)
{
	return (struct lane *)(void *)((char *)op - offsetof(struct lane, op));
}

/* The lane's operation is whole. False when it failed its check. */
static bool count_read(struct worker *w, struct lane *lane)
{
	lane->is_partial = false;
	if (w->watch.latency)
		histogram_add(w->watch.latency,
			      clock_now_ns() - lane->begun_ns);
	if (w->watch.verify && !worker_verify(w, lane))
		return false;
	lane->bytes += (uint64_t)lane->op.result;
	lane->reads++;
	if (lane->reads <= lane_turn(lane))
		lane->first_bytes = lane->bytes;
	return true;
}

/* Hands the operation to the engine. Returns what submit() does. */
static int fly(struct worker *w, struct lane *lane)
{
	int rc = w->ops->submit(w->state, &lane->op);

	lane->is_flying = rc > 0;
	w->flying += rc > 0;
	return rc;
}

/*
 * It came back, or did not have to leave; @rc is submit()'s. False when the run
 * fails.
 */
static bool land(struct worker *w, struct lane *lane, int rc)
{
	enum partial_next next;

	if (!lane->is_partial) {
		if (op_is_whole(&lane->op, rc))
			return count_read(w, lane);
		partial_begin(lane, &lane->partial);
		lane->is_partial = true;
	}
	while ((next = partial_step(w, lane, &lane->partial, rc)) ==
	       PARTIAL_AGAIN) {
		rc = fly(w, lane);
		if (rc > 0)
			return true;
	}
	/* Interrupted at the end of the run, it is no failure. */
	return next == PARTIAL_DONE ? count_read(w, lane) : !w->rc;
}

/* The next of each lane that is idle; false when the run fails. */
static bool start_idle(struct worker *w, bool *started)
{
	unsigned int i;
	int rc;

	*started = false;
	for (i = 0; i < w->lane_count; i++) {
		struct lane *lane = &w->lanes[i];

		if (lane->is_flying ||
		    !sequence_next(&lane->sequence, &lane->op.offset_bytes,
				   &lane->op.size_bytes))
			continue;
		*started = true;
		if (w->watch.latency)
			lane->begun_ns = clock_now_ns();
		rc = fly(w, lane);
		if (rc <= 0 && !land(w, lane, rc))
			return false;
	}
	return true;
}

/* At least one of those in flight, or all of them; a signal cuts it short. */
static bool wait_some(struct worker *w)
{
	unsigned int least = w->waits_for_all ? w->flying : 1;
	int count, i;

	count = w->ops->reap(w->state, w->done, least, w->flying);
	if (count < 0) {
		worker_fail(w, count, "wait for what is in flight: %s",
			    strerror(-count));
		return false;
	}
	w->flying -= (unsigned int)count;
	for (i = 0; i < count; i++)
		lane_of(w->done[i])->is_flying = false;
	for (i = 0; i < count; i++)
		if (!land(w, lane_of(w->done[i]), 0))
			return false;
	return true;
}

static bool all_have(const struct worker *w, uint64_t reads)
{
	unsigned int i;

	if (reads == UINT64_MAX)
		return false;
	for (i = 0; i < w->lane_count; i++)
		if (w->lanes[i].reads < reads)
			return false;
	return true;
}

void worker_loop_async(struct worker *w, uint64_t reads)
{
	const unsigned int phase = w->phase;
	bool goes_on, started;

	for (;;) {
		/* What flies when the run ends is waited for, and counts. */
		goes_on = worker_goes_on(w, phase);
		started = false;
		if (goes_on && all_have(w, reads))
			return;
		if (goes_on && !start_idle(w, &started))
			return;
		if (!w->flying && (!goes_on || !started))
			return;
		while (w->flying) {
			if (!wait_some(w))
				return;
			if (!w->waits_for_all)
				break;
		}
	}
}

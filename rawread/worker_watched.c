// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop that times each read, or compares what it brought. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

#include "lib/base/clock.h"
#include "lib/base/content.h"
#include "lib/base/histogram.h"
#include "rawread/worker_loops.h"

bool worker_verify(struct worker *w, struct lane *lane)
{
	const struct engine_job *job = w->job;
	const struct io_op *op = &lane->op;
	const char *data = job->buffer + op->slot * job->slot_bytes;
	uint64_t left = (uint64_t)op->result, at = op->offset_bytes;
	size_t wrong;

	while (left) {
		uint64_t size = left < job->iovec_bytes ? left
							: job->iovec_bytes;

		if (!content_check(lane->seed, at, data, size, &wrong)) {
			worker_fail(w, -EILSEQ,
				    "verify %s at offset %" PRIu64
				    ": byte %" PRIu64
				    " is not what 'rawread prepare' wrote",
				    lane->path, op->offset_bytes, at + wrong);
			return false;
		}
		left -= size;
		at += size;
		data += 2 * job->iovec_bytes;
	}
	return true;
}

/*
 * A read begins when the one before it ended: one clock a read, and what the
 * loop itself takes is part of the latency.
 */
void worker_loop_watched(struct worker *w, uint64_t reads)
{
	int (*const submit)(void *state, struct io_op *op) = w->ops->submit;
	const unsigned int phase = w->phase;
	void *const state = w->state;
	struct lane *const lane = w->lanes;
	struct histogram *const latency = w->watch.latency;
	struct io_op *const op = &lane->op;
	uint64_t begun_ns = latency ? clock_now_ns() : 0, done_ns;
	int rc;

	while (lane->reads < reads && worker_goes_on(w, phase)) {
		if (!sequence_next(&lane->sequence, &op->offset_bytes,
				   &op->size_bytes))
			break;
		rc = submit(state, op);
		if (!op_is_whole(op, rc))
			if (!partial_finish(w, lane, rc))
				break;
		if (latency) {
			done_ns = clock_now_ns();
			histogram_add(latency, done_ns - begun_ns);
			begun_ns = done_ns;
		}
		if (w->watch.verify && !worker_verify(w, lane))
			break;
		lane->bytes += (uint64_t)op->result;
		lane->reads++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/worker.h"

#include <errno.h>
#include <inttypes.h>

static inline bool worker_stopped(const struct worker *w)
{
	return atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

static void worker_stop_all(struct worker *w)
{
	atomic_store_explicit(&w->shared->stop, true, memory_order_relaxed);
}

static bool worker_fail(struct worker *w, int code)
{
	w->rc = err_set(&w->err, code, "read %s at offset %" PRIu64, w->path,
			w->op.offset_bytes);
	worker_stop_all(w);
	return true;
}

static bool worker_fail_at_end(struct worker *w)
{
	w->rc = err_say(&w->err, -ENODATA,
			"read %s at offset %" PRIu64
			": the file ended there, %" PRIu64
			" bytes before the end of the range; it became shorter "
			"after the start",
			w->path, w->op.offset_bytes,
			w->end_offset_bytes - w->op.offset_bytes);
	worker_stop_all(w);
	return true;
}

/*
 * A read that brought other than it asked for: short ones are continued from
 * where they stopped, and what was asked for beyond the range's end (direct
 * I/O asks for whole sectors) is not missed. True when the worker is to end;
 * else op.result is what arrived in all.
 */
static bool worker_partial(struct worker *w, int rc)
{
	const struct io_op asked = w->op;
	struct io_op *op = &w->op;
	uint64_t wanted = w->end_offset_bytes - asked.offset_bytes;
	uint64_t got = 0;

	if (wanted > asked.size_bytes)
		wanted = asked.size_bytes;
	for (;;) {
		if (rc < 0)
			return worker_fail(w, rc);
		if (op->result == -EINTR) {
			if (worker_stopped(w))
				return true;
		} else if (op->result < 0) {
			return worker_fail(w, (int)op->result);
		} else if (!op->result) {
			return worker_fail_at_end(w);
		} else {
			got += (uint64_t)op->result;
			if (got >= wanted)
				break;
			w->short_reads++;
			op->offset_bytes += (uint64_t)op->result;
			op->skip_bytes += (uint64_t)op->result;
			op->size_bytes -= (uint64_t)op->result;
		}
		rc = w->ops->submit(w->state, op);
	}
	*op = asked;
	op->result = (int64_t)wanted;
	return false;
}

/* The measured loop. What is added to it comes with figures of make bench. */
int worker_run_reads(struct worker *w, uint64_t reads)
{
	/* Asked once: the compiler cannot know that a call leaves them. */
	int (*const submit)(void *state, struct io_op *op) = w->ops->submit;
	void *const state = w->state;
	struct io_op *op = &w->op;
	int rc;

	while (w->reads < reads && !worker_stopped(w)) {
		if (!sequence_next(&w->sequence, &op->offset_bytes,
				   &op->size_bytes))
			break;
		rc = submit(state, op);
		if (rc < 0 || op->result != (int64_t)op->size_bytes)
			if (worker_partial(w, rc)) /* short, end, error */
				break;
		w->bytes += (uint64_t)op->result;
		w->reads++;
	}
	return w->rc;
}

/* Up to @reads; notes the bytes when its own part has been read once. */
static void run_noting_part(struct worker *w, uint64_t reads)
{
	uint64_t part = w->sequence.end - w->sequence.first;

	if (!w->sequence.counter && w->reads < part && part < reads) {
		worker_run_reads(w, part);
		w->unique_bytes = w->bytes;
	}
	worker_run_reads(w, reads);
	if (w->sequence.counter || w->reads <= part)
		w->unique_bytes = w->bytes;
}

int worker_run(struct worker *w)
{
	if (w->rc < 0)
		return w->rc;
	run_noting_part(w, w->least_reads ? w->least_reads : UINT64_MAX);
	if (!w->least_reads || w->rc < 0)
		return w->rc;
	/* The last one to have its minimum ends it for all. */
	if (atomic_fetch_sub(&w->shared->behind, 1) == 1)
		worker_stop_all(w);
	run_noting_part(w, UINT64_MAX);
	return w->rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "rawread/worker_loops.h"

void worker_fail(struct worker *w, int code, const char *format, ...)
{
	char text[sizeof(w->err.text)];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	w->rc = err_say(&w->err, code, "%s", text);
	worker_end_all(w->shared);
}

static const char *verb_of(const struct worker *w)
{
	return w->job->is_write ? "write" : "read";
}

static void fail_with(struct worker *w, const struct lane *lane, int code)
{
	const struct engine_ops *ops = w->ops;

	if (ops->explain && ops->explain(w->state, &lane->op, code, &w->err)) {
		w->rc = code;
		worker_end_all(w->shared);
		return;
	}
	w->rc = err_set(&w->err, code, "%s %s at offset %" PRIu64, verb_of(w),
			lane->path, lane->op.offset_bytes);
	worker_end_all(w->shared);
}

/* A read meets the new end of a file where it happens to be by then. */
static bool has_ended_before(const char *path, uint64_t offset_bytes,
			     uint64_t *size_bytes)
{
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	*size_bytes = (uint64_t)st.st_size;
	return *size_bytes <= offset_bytes;
}

static void fail_at_end(struct worker *w, const struct lane *lane)
{
	const struct io_op *op = &lane->op;
	uint64_t size;

	if (w->job->is_write)
		worker_fail(w, -EIO,
			    "write %s at offset %" PRIu64
			    ": nothing was written",
			    lane->path, op->offset_bytes);
	else if (has_ended_before(lane->path, op->offset_bytes, &size))
		worker_fail(w, -ENODATA,
			    "read %s at offset %" PRIu64
			    ": the file has %" PRIu64 " bytes now, %" PRIu64
			    " less than the range needs; it became shorter "
			    "after the start",
			    lane->path, op->offset_bytes, size,
			    lane->end_offset_bytes - size);
	else
		worker_fail(w, -ENODATA,
			    "read %s at offset %" PRIu64
			    ": the file ended there, %" PRIu64
			    " bytes before the end of the range; it became "
			    "shorter after the start",
			    lane->path, op->offset_bytes,
			    lane->end_offset_bytes - op->offset_bytes);
}

void partial_begin(const struct lane *lane, struct partial *partial)
{
	uint64_t wanted = lane->end_offset_bytes - lane->op.offset_bytes;

	if (wanted > lane->op.size_bytes)
		wanted = lane->op.size_bytes;
	*partial = (struct partial){ .asked = lane->op, .wanted = wanted };
}

enum partial_next partial_step(struct worker *w, struct lane *lane,
			       struct partial *partial, int rc)
{
	struct io_op *op = &lane->op;

	/* Let go of at the end of the run only: a ramp's is none. */
	if (rc >= 0 && op->result == -EINTR)
		return worker_goes_on(w, PHASE_OVER) ? PARTIAL_END
						     : PARTIAL_AGAIN;
	if (rc < 0 || op->result < 0) {
		fail_with(w, lane, rc < 0 ? rc : (int)op->result);
		return PARTIAL_END;
	}
	if (!op->result) {
		fail_at_end(w, lane);
		return PARTIAL_END;
	}
	/* One that is short again is the same one. */
	lane->short_reads += !partial->got &&
			     (uint64_t)op->result < partial->wanted;
	partial->got += (uint64_t)op->result;
	if (partial->got < partial->wanted) {
		op->offset_bytes += (uint64_t)op->result;
		op->skip_bytes += (uint64_t)op->result;
		op->size_bytes -= (uint64_t)op->result;
		return PARTIAL_AGAIN;
	}
	partial->asked.retries = op->retries;
	*op = partial->asked;
	op->result = (int64_t)partial->wanted;
	return PARTIAL_DONE;
}

bool partial_finish(struct worker *w, struct lane *lane, int rc)
{
	struct partial partial;
	enum partial_next next;

	partial_begin(lane, &partial);
	while ((next = partial_step(w, lane, &partial, rc)) == PARTIAL_AGAIN)
		rc = w->ops->submit(w->state, &lane->op);
	return next == PARTIAL_DONE;
}

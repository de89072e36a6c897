// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads nothing and says it did: what is measured is our own loop. There are
 * two, since an engine that keeps reads in flight goes round in another one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "rawread/engine.h"

static int null_open(const struct engine_job *job, void **state,
		     struct err *err)
{
	(void)job;
	(void)err;
	*state = NULL;
	return 0;
}

static int null_submit(void *state, struct io_op *op)
{
	(void)state;
	op->result = (int64_t)op->size_bytes;
	return 0;
}

static void null_close(void *state)
{
	(void)state;
}

const struct engine_ops engine_null = {
	.name = "null",
	.summary = "reads nothing, to see what the loop itself costs",
	.reads = true,
	.writes = true,
	.is_vectored = true,
	.reads_nothing = true,
	.open = null_open,
	.submit = null_submit,
	.close = null_close,
};

/* What is in flight, and done when it is asked for. */
struct null_flight {
	unsigned int count;
	struct io_op *ops[]; /* one for each slot of the job */
};

static int flight_open(const struct engine_job *job, void **state,
		       struct err *err)
{
	struct null_flight *flight = calloc(
		1, sizeof(*flight) + job->slots * sizeof(flight->ops[0]));

	*state = flight;
	return flight ? 0
		      : err_set(err, -ENOMEM, "engine null for %u requests",
				job->slots);
}

static int flight_submit(void *state, struct io_op *op)
{
	struct null_flight *flight = state;

	op->result = (int64_t)op->size_bytes;
	flight->ops[flight->count++] = op;
	return 1;
}

static int flight_reap(void *state, struct io_op **done, unsigned int min_ops,
		       unsigned int max_ops)
{
	struct null_flight *flight = state;
	unsigned int count = flight->count < max_ops ? flight->count : max_ops;

	(void)min_ops;
	flight->count -= count;
	memcpy(done, flight->ops + flight->count, count * sizeof(*done));
	return (int)count;
}

static const struct engine_ops engine_null_flight = {
	.name = "null",
	.summary = "reads nothing, as an engine that keeps reads in flight",
	.reads = true,
	.writes = true,
	.reads_nothing = true,
	.open = flight_open,
	.submit = flight_submit,
	.reap = flight_reap,
	.close = free,
};

const struct engine_ops *engine_null_like(const struct engine_ops *ops)
{
	return ops->reap ? &engine_null_flight : &engine_null;
}

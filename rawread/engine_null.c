// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads nothing and says it did: what is measured is our own loop. */
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* pwrite(2): the offset goes with each write. */
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_plain.h"

static int pwrite_submit(void *state, struct io_op *op)
{
	const struct engine_plain *plain = state;
	const char *buffer = plain->buffer + engine_roll(plain->job, op);

	op->result = engine_call_pwrite(plain->fds[op->file].fd, buffer,
					op->size_bytes, op->offset_bytes);
	return 0;
}

const struct engine_ops engine_pwrite = {
	.name = "pwrite",
	.summary = "pwrite(2), each write with its offset, then fsync(2)",
	.writes = true,
	.open = engine_plain_open,
	.begin = engine_plain_begin,
	.submit = pwrite_submit,
	.finish = engine_plain_finish,
	.close = engine_plain_close,
};

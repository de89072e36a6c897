// SPDX-License-Identifier: GPL-2.0-or-later
/* pread(2): the offset goes with each read. */
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_plain.h"

static int pread_submit(void *state, struct io_op *op)
{
	const struct engine_plain *plain = state;

	op->result = engine_call_pread(plain->fds[op->file].fd,
				       plain->buffer + op->skip_bytes,
				       op->size_bytes, op->offset_bytes);
	return 0;
}

const struct engine_ops engine_pread = {
	.name = "pread",
	.summary = "pread(2), each read with its offset",
	.reads = true,
	.fills_buffer = true,
	.open = engine_plain_open,
	.begin = engine_plain_begin,
	.submit = pread_submit,
	.close = engine_plain_close,
};

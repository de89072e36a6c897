// SPDX-License-Identifier: GPL-2.0-or-later
/* write(2): the kernel keeps the position, and so do we, to move it rarely. */
#include <errno.h>

#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_plain.h"

static int write_submit(void *state, struct io_op *op)
{
	struct engine_plain *plain = state;
	struct engine_fd *file = &plain->fds[op->file];
	const char *buffer = plain->buffer + engine_roll(plain->job, op);

	if (!engine_fd_seek(file, op))
		return -errno;
	op->result = engine_call_write(file->fd, buffer, op->size_bytes);
	engine_fd_advance(file, op);
	return 0;
}

const struct engine_ops engine_write = {
	.name = "write",
	.summary = "write(2), after lseek(2) where a write does not follow on, "
		   "then fsync(2)",
	.writes = true,
	.open = engine_plain_open,
	.begin = engine_plain_begin,
	.submit = write_submit,
	.finish = engine_plain_finish,
	.close = engine_plain_close,
};

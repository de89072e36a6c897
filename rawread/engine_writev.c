// SPDX-License-Identifier: GPL-2.0-or-later
/* writev(2): the position is kept as in engine write. */
#include <errno.h>

#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_iovecs.h"

static int writev_submit(void *state, struct io_op *op)
{
	struct engine_iovecs *vectors = state;
	struct engine_fd *file = &vectors->fds[op->file];
	const struct iovec *iovecs;
	unsigned int count;

	iovecs = engine_iovecs_of(vectors, op, &count);
	if (!engine_fd_seek(file, op))
		return -errno;
	op->result = engine_call_writev(file->fd, iovecs, count);
	engine_fd_advance(file, op);
	return 0;
}

const struct engine_ops engine_writev = {
	.name = "writev",
	.summary = "writev(2) from -i iovecs, after lseek(2) where a write "
		   "does not follow on, then fsync(2)",
	.writes = true,
	.is_vectored = true,
	.open = engine_iovecs_open,
	.begin = engine_iovecs_begin,
	.submit = writev_submit,
	.finish = engine_iovecs_finish,
	.close = engine_iovecs_close,
};

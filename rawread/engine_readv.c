// SPDX-License-Identifier: GPL-2.0-or-later
/* readv(2): the position is kept as in engine read. */
#include <errno.h>

#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_iovecs.h"

static int readv_submit(void *state, struct io_op *op)
{
	struct engine_iovecs *vectors = state;
	struct engine_fd *file = &vectors->fds[op->file];
	const struct iovec *iovecs;
	unsigned int count;

	iovecs = engine_iovecs_of(vectors, op, &count);
	if (!engine_fd_seek(file, op))
		return -errno;
	op->result = engine_call_readv(file->fd, iovecs, count);
	engine_fd_advance(file, op);
	return 0;
}

const struct engine_ops engine_readv = {
	.name = "readv",
	.summary = "readv(2) into -i iovecs, after lseek(2) where a read does "
		   "not follow on",
	.reads = true,
	.is_vectored = true,
	.fills_buffer = true,
	.open = engine_iovecs_open,
	.begin = engine_iovecs_begin,
	.submit = readv_submit,
	.close = engine_iovecs_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* writev(2): the position is kept as in engine write. */
#include <errno.h>

#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_iovecs.h"

/*
 * To where the data of @op begins: twice as far as in the other engines, since
 * a block takes twice its length of the buffer.
 */
static void roll(struct engine_iovecs *vectors, const struct io_op *op)
{
	const struct engine_job *job = vectors->job;
	uint64_t begin = op->offset_bytes - op->skip_bytes;
	char *start = job->buffer + (2 * begin & job->roll_mask);
	unsigned int i;

	for (i = 0; i < job->iovecs; i++)
		vectors->whole[i].iov_base = start + 2 * i * job->iovec_bytes;
}

static int writev_submit(void *state, struct io_op *op)
{
	struct engine_iovecs *vectors = state;
	struct engine_fd *file = &vectors->fds[op->file];
	const struct iovec *iovecs;
	unsigned int count;

	roll(vectors, op);
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

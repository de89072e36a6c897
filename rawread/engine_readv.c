// SPDX-License-Identifier: GPL-2.0-or-later
/* readv(2) into iovecs that lie two lengths apart, as the classic tool's. */
#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_files.h"

struct readv_state {
	const struct engine_job *job;
	uint64_t whole_bytes;
	struct iovec *whole;	/* of a read of all iovecs */
	struct iovec *cut;	/* of one that is shorter, or goes on */
	struct engine_fd fds[]; /* one for each file of the job */
};

static void readv_free(struct readv_state *vs)
{
	free(vs->whole);
	free(vs->cut);
	free(vs);
}

static void readv_close(void *state)
{
	struct readv_state *vs = state;

	if (!vs)
		return;
	engine_files_close(vs->job, vs->fds);
	readv_free(vs);
}

static int readv_open(const struct engine_job *job, void **state,
		      struct err *err)
{
	struct readv_state *vs;
	unsigned int i;
	int rc = 0;

	*state = NULL;
	vs = calloc(1, sizeof(*vs) + job->file_count * sizeof(vs->fds[0]));
	if (!vs)
		return err_set(err, -ENOMEM, "engine readv");
	vs->job = job;
	vs->whole_bytes = job->iovec_bytes * job->iovecs;
	vs->whole = calloc(job->iovecs, sizeof(*vs->whole));
	vs->cut = calloc(job->iovecs, sizeof(*vs->cut));
	if (!vs->whole || !vs->cut)
		rc = err_set(err, -ENOMEM, "engine readv");
	for (i = 0; !rc && i < job->iovecs; i++) {
		vs->whole[i].iov_base = job->buffer + 2 * i * job->iovec_bytes;
		vs->whole[i].iov_len = job->iovec_bytes;
	}
	if (!rc)
		rc = engine_files_open(job, vs->fds, err);
	if (rc < 0)
		readv_free(vs);
	else
		*state = vs;
	return rc;
}

static int readv_begin(void *state, struct err *err)
{
	const struct readv_state *vs = state;

	return engine_files_advise(vs->job, vs->fds, err);
}

/* Of the whole read the @size_bytes that begin @skip_bytes into it. */
static unsigned int cut_iovecs(const struct readv_state *vs,
			       uint64_t skip_bytes, uint64_t size_bytes)
{
	unsigned int i, count = 0;

	for (i = 0; i < vs->job->iovecs && size_bytes; i++) {
		uint64_t length = vs->whole[i].iov_len;

		if (skip_bytes >= length) {
			skip_bytes -= length;
			continue;
		}
		length -= skip_bytes;
		if (length > size_bytes)
			length = size_bytes;
		vs->cut[count].iov_base =
			(char *)vs->whole[i].iov_base + skip_bytes;
		vs->cut[count++].iov_len = length;
		size_bytes -= length;
		skip_bytes = 0;
	}
	return count;
}

static int readv_submit(void *state, struct io_op *op)
{
	struct readv_state *vs = state;
	struct engine_fd *file = &vs->fds[op->file];
	const struct iovec *iovecs = vs->whole;
	unsigned int count = vs->job->iovecs;

	if (op->size_bytes != vs->whole_bytes) {
		iovecs = vs->cut;
		count = cut_iovecs(vs, op->skip_bytes, op->size_bytes);
	}
	if (file->position != op->offset_bytes) {
		if (lseek(file->fd, (off_t)op->offset_bytes, SEEK_SET) < 0)
			return -errno;
		file->position = op->offset_bytes;
	}
	op->result = engine_call_readv(file->fd, iovecs, count);
	if (op->result > 0)
		file->position += (uint64_t)op->result;
	return 0;
}

const struct engine_ops engine_readv = {
	.name = "readv",
	.summary = "readv(2) into -i iovecs, after lseek(2) where a read does "
		   "not follow on",
	.reads = true,
	.is_vectored = true,
	.fills_buffer = true,
	.open = readv_open,
	.begin = readv_begin,
	.submit = readv_submit,
	.close = readv_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* read(2): the kernel keeps the position, and so do we, to move it rarely. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_files.h"

struct read_state {
	const struct engine_job *job;
	char *buffer;
	struct engine_fd fds[]; /* one for each file of the job */
};

static void read_close(void *state)
{
	struct read_state *rs = state;

	if (rs)
		engine_files_close(rs->job, rs->fds);
	free(rs);
}

static int read_open(const struct engine_job *job, void **state,
		     struct err *err)
{
	struct read_state *rs;
	int rc;

	*state = NULL;
	rs = calloc(1, sizeof(*rs) + job->file_count * sizeof(rs->fds[0]));
	if (!rs)
		return err_set(err, -ENOMEM, "engine read");
	rs->job = job;
	rs->buffer = job->buffer;
	rc = engine_files_open(job, rs->fds, err);
	if (rc < 0)
		free(rs);
	else
		*state = rs;
	return rc;
}

static int read_begin(void *state, struct err *err)
{
	const struct read_state *rs = state;

	return engine_files_advise(rs->job, rs->fds, err);
}

static int read_submit(void *state, struct io_op *op)
{
	struct read_state *rs = state;
	struct engine_fd *file = &rs->fds[op->file];

	if (file->position != op->offset_bytes) {
		if (lseek(file->fd, (off_t)op->offset_bytes, SEEK_SET) < 0)
			return -errno;
		file->position = op->offset_bytes;
	}
	op->result = engine_call_read(file->fd, rs->buffer + op->skip_bytes,
				      op->size_bytes);
	if (op->result > 0)
		file->position += (uint64_t)op->result;
	return 0;
}

const struct engine_ops engine_read = {
	.name = "read",
	.summary = "read(2), after lseek(2) where a read does not follow on",
	.reads = true,
	.fills_buffer = true,
	.open = read_open,
	.begin = read_begin,
	.submit = read_submit,
	.close = read_close,
};

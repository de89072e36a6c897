// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine_iovecs.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"

static void iovecs_free(struct engine_iovecs *vectors)
{
	free(vectors->whole);
	free(vectors->cut);
	free(vectors);
}

int engine_iovecs_open(const struct engine_job *job, void **state,
		       struct err *err)
{
	struct engine_iovecs *vectors;
	unsigned int i;
	int rc = 0;

	*state = NULL;
	vectors = calloc(1, sizeof(*vectors) +
				    job->file_count * sizeof(vectors->fds[0]));
	if (!vectors)
		return err_set(err, -ENOMEM, "engine for %u files",
			       job->file_count);
	vectors->job = job;
	vectors->whole_bytes = job->iovec_bytes * job->iovecs;
	vectors->whole = calloc(job->iovecs, sizeof(*vectors->whole));
	vectors->cut = calloc(job->iovecs, sizeof(*vectors->cut));
	if (!vectors->whole || !vectors->cut)
		rc = err_set(err, -ENOMEM, "%u iovecs", job->iovecs);
	for (i = 0; !rc && i < job->iovecs; i++) {
		vectors->whole[i].iov_base =
			job->buffer + 2 * i * job->iovec_bytes;
		vectors->whole[i].iov_len = job->iovec_bytes;
	}
	if (!rc)
		rc = engine_files_open(job, vectors->fds, err);
	if (rc < 0)
		iovecs_free(vectors);
	else
		*state = vectors;
	return rc;
}

int engine_iovecs_begin(void *state, struct err *err)
{
	const struct engine_iovecs *vectors = state;

	return engine_files_advise(vectors->job, vectors->fds, err);
}

int engine_iovecs_finish(void *state, struct err *err)
{
	const struct engine_iovecs *vectors = state;

	return engine_files_sync(vectors->job, vectors->fds, err);
}

void engine_iovecs_close(void *state)
{
	struct engine_iovecs *vectors = state;

	if (!vectors)
		return;
	engine_files_close(vectors->job, vectors->fds);
	iovecs_free(vectors);
}

unsigned int engine_iovecs_cut(const struct engine_iovecs *vectors,
			       uint64_t skip_bytes, uint64_t size_bytes)
{
	unsigned int i, count = 0;

	for (i = 0; i < vectors->job->iovecs && size_bytes; i++) {
		uint64_t length = vectors->whole[i].iov_len;

		if (skip_bytes >= length) {
			skip_bytes -= length;
			continue;
		}
		length -= skip_bytes;
		if (length > size_bytes)
			length = size_bytes;
		vectors->cut[count].iov_base =
			(char *)vectors->whole[i].iov_base + skip_bytes;
		vectors->cut[count++].iov_len = length;
		size_bytes -= length;
		skip_bytes = 0;
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* pread(2): the offset goes with each read. */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_files.h"

struct pread_state {
	const struct engine_job *job;
	char *buffer;
	struct engine_fd fds[]; /* one for each file of the job */
};

static void pread_close(void *state)
{
	struct pread_state *ps = state;

	if (ps)
		engine_files_close(ps->job, ps->fds);
	free(ps);
}

static int pread_open(const struct engine_job *job, void **state,
		      struct err *err)
{
	struct pread_state *ps;
	int rc;

	*state = NULL;
	ps = calloc(1, sizeof(*ps) + job->file_count * sizeof(ps->fds[0]));
	if (!ps)
		return err_set(err, -ENOMEM, "engine pread");
	ps->job = job;
	ps->buffer = job->buffer;
	rc = engine_files_open(job, ps->fds, err);
	if (rc < 0)
		free(ps);
	else
		*state = ps;
	return rc;
}

static int pread_begin(void *state, struct err *err)
{
	const struct pread_state *ps = state;

	return engine_files_advise(ps->job, ps->fds, err);
}

static int pread_submit(void *state, struct io_op *op)
{
	const struct pread_state *ps = state;

	op->result = engine_call_pread(ps->fds[op->file].fd,
				       ps->buffer + op->skip_bytes,
				       op->size_bytes, op->offset_bytes);
	return 0;
}

const struct engine_ops engine_pread = {
	.name = "pread",
	.summary = "pread(2), each read with its offset",
	.reads = true,
	.fills_buffer = true,
	.open = pread_open,
	.begin = pread_begin,
	.submit = pread_submit,
	.close = pread_close,
};

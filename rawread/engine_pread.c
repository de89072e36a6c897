// SPDX-License-Identifier: GPL-2.0-or-later
/* pread(2): the offset goes with each read. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/engine_files.h"

struct pread_state {
	const struct engine_job *job;
	int *fds;
};

static void pread_close(void *state)
{
	struct pread_state *ps = state;

	if (!ps)
		return;
	engine_files_close(ps->job, ps->fds);
	free(ps);
}

static int pread_open(const struct engine_job *job, void **state,
		      struct err *err)
{
	struct pread_state *ps;
	int rc;

	*state = NULL;
	ps = calloc(1, sizeof(*ps));
	if (!ps)
		return err_set(err, -ENOMEM, "engine pread");
	ps->job = job;
	rc = engine_files_open(job, &ps->fds, err);
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

	op->result = pread(ps->fds[op->file], ps->job->buffer + op->skip_bytes,
			   op->size_bytes, (off_t)op->offset_bytes);
	if (op->result < 0)
		op->result = -errno;
	return 0;
}

const struct engine_ops engine_pread = {
	.name = "pread",
	.summary = "pread(2), each read with its offset",
	.open = pread_open,
	.begin = pread_begin,
	.submit = pread_submit,
	.close = pread_close,
};

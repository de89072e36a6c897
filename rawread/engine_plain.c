// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine_plain.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "rawread/engine.h"

int engine_plain_open(const struct engine_job *job, void **state,
		      struct err *err)
{
	struct engine_plain *plain;
	int rc;

	*state = NULL;
	plain = calloc(1, sizeof(*plain) +
				  job->file_count * sizeof(plain->fds[0]));
	if (!plain)
		return err_set(err, -ENOMEM, "engine for %u files",
			       job->file_count);
	plain->job = job;
	plain->buffer = job->buffer;
	rc = engine_files_open(job, plain->fds, err);
	if (rc < 0)
		free(plain);
	else
		*state = plain;
	return rc;
}

int engine_plain_begin(void *state, struct err *err)
{
	const struct engine_plain *plain = state;

	return engine_files_advise(plain->job, plain->fds, err);
}

int engine_plain_finish(void *state, struct err *err)
{
	const struct engine_plain *plain = state;

	return engine_files_sync(plain->job, plain->fds, err);
}

void engine_plain_close(void *state)
{
	struct engine_plain *plain = state;

	if (plain)
		engine_files_close(plain->job, plain->fds);
	free(plain);
}

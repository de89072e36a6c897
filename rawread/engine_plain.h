/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What engines share that go from a descriptor to one buffer with one system
 * call, or back: all but the call. These functions stand in their tables.
 */
#ifndef RAWREAD_ENGINE_PLAIN_H
#define RAWREAD_ENGINE_PLAIN_H

#include "rawread/engine_files.h"

struct engine_plain {
	const struct engine_job *job;
	char *buffer;
	struct engine_fd fds[]; /* one for each file of the job */
};

int engine_plain_open(const struct engine_job *job, void **state,
		      struct err *err);
int engine_plain_begin(void *state, struct err *err);
int engine_plain_finish(void *state, struct err *err);
void engine_plain_close(void *state);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the vectored engines share: iovecs that lie two lengths apart, as the
 * classic tool's, and all but the system call. These functions stand in their
 * tables.
 */
#ifndef RAWREAD_ENGINE_IOVECS_H
#define RAWREAD_ENGINE_IOVECS_H

#include <sys/uio.h>

#include "rawread/engine.h"
#include "rawread/engine_files.h"

struct engine_iovecs {
	const struct engine_job *job;
	uint64_t whole_bytes;
	struct iovec *whole;	/* of an operation on all iovecs */
	struct iovec *cut;	/* of one that is shorter, or goes on */
	int flags;		/* of the call, for the engine to set */
	struct engine_fd fds[]; /* one for each file of the job */
};

int engine_iovecs_open(const struct engine_job *job, void **state,
		       struct err *err);
int engine_iovecs_begin(void *state, struct err *err);
int engine_iovecs_finish(void *state, struct err *err);
void engine_iovecs_close(void *state);

/*
 * Of the whole the @size_bytes that begin @skip_bytes into it, into
 * @vectors->cut. Returns how many they are.
 */
unsigned int engine_iovecs_cut(const struct engine_iovecs *vectors,
			       uint64_t skip_bytes, uint64_t size_bytes);

/* Those of @op. */
static inline const struct iovec *
engine_iovecs_of(const struct engine_iovecs *vectors, const struct io_op *op,
		 unsigned int *count)
{
	if (op->size_bytes == vectors->whole_bytes) {
		*count = vectors->job->iovecs;
		return vectors->whole;
	}
	*count = engine_iovecs_cut(vectors, op->skip_bytes, op->size_bytes);
	return vectors->cut;
}

#endif

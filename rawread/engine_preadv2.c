// SPDX-License-Identifier: GPL-2.0-or-later
/* preadv2(2): the offset and the flags of --rwf go with each read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/params.h"
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_iovecs.h"

/* Since Linux 6.14; the headers that people build with are older. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

static const struct {
	unsigned int asked; /* of --rwf */
	int flag;
	const char *name;
} rwf_flags[] = {
	{ RWF_FLAG_NOWAIT, RWF_NOWAIT, "RWF_NOWAIT" },
	{ RWF_FLAG_HIPRI, RWF_HIPRI, "RWF_HIPRI" },
	{ RWF_FLAG_DONTCACHE, RWF_DONTCACHE, "RWF_DONTCACHE" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int preadv2_probe(struct err *err)
{
	/* Not libc's, which would do without the call where there are no
	 * flags.
	 */
	if (syscall(SYS_preadv2, -1, NULL, 0L, 0L, 0L, 0) < 0 &&
	    errno == ENOSYS)
		return err_say(err, -ENOSYS,
			       "engine preadv2: this kernel has no preadv2(2), "
			       "which came with Linux 4.6, or does not let us "
			       "call it");
	return 0;
}

static int preadv2_open(const struct engine_job *job, void **state,
			struct err *err)
{
	struct engine_iovecs *vectors;
	int rc = engine_iovecs_open(job, state, err);
	size_t i;

	if (rc < 0)
		return rc;
	vectors = *state;
	for (i = 0; i < COUNT(rwf_flags); i++)
		if (job->rwf & rwf_flags[i].asked)
			vectors->flags |= rwf_flags[i].flag;
	return 0;
}

static int preadv2_submit(void *state, struct io_op *op)
{
	const struct engine_iovecs *vectors = state;
	const struct iovec *iovecs;
	unsigned int count;
	int fd = vectors->fds[op->file].fd;

	iovecs = engine_iovecs_of(vectors, op, &count);
	op->result = engine_call_preadv2(fd, iovecs, count, op->offset_bytes,
					 vectors->flags);
	if (op->result == -EAGAIN && vectors->flags & RWF_NOWAIT) {
		op->retries++;
		op->result = engine_call_preadv2(fd, iovecs, count,
						 op->offset_bytes,
						 vectors->flags & ~RWF_NOWAIT);
	}
	return 0;
}

/*
 * Which flag it was the kernel does not tell, but all file systems take
 * RWF_HIPRI: beside others it is not the one.
 */
static bool preadv2_explain(const void *state, const struct io_op *op, int code,
			    struct err *err)
{
	const struct engine_iovecs *vectors = state;
	int flags = vectors->flags;
	char names[64] = "";
	size_t i;

	if (code != -EOPNOTSUPP || !flags)
		return false;
	if (flags != RWF_HIPRI)
		flags &= ~RWF_HIPRI;
	for (i = 0; i < COUNT(rwf_flags); i++) {
		size_t used = strlen(names);

		if (flags & rwf_flags[i].flag)
			snprintf(names + used, sizeof(names) - used, "%s%s",
				 used ? " or " : "", rwf_flags[i].name);
	}
	err_say(err, code,
		"n/a: %s: its file system does not take %s of preadv2",
		vectors->job->files[op->file].path, names);
	return true;
}

const struct engine_ops engine_preadv2 = {
	.name = "preadv2",
	.summary = "preadv2(2) into -i iovecs, each read with its offset and "
		   "the flags of --rwf",
	.reads = true,
	.is_vectored = true,
	.fills_buffer = true,
	.probe = preadv2_probe,
	.open = preadv2_open,
	.begin = engine_iovecs_begin,
	.submit = preadv2_submit,
	.explain = preadv2_explain,
	.close = engine_iovecs_close,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways to read. The worker owns the clock, the buffers and the order of
 * reads; an engine only reads. A new engine is one file that ends in its
 * `const struct engine_ops engine_x = { .name = "x", … };`, one line in the
 * table of engine.c and one paragraph in the manual.
 */
#ifndef RAWREAD_ENGINE_H
#define RAWREAD_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rawread/file_id.h"

struct err;
struct worker;

/* A target as an engine opens it; the path is the plan's. */
struct engine_file {
	const char *path;
	struct file_id id; /* what has to be there */
	int open_flags;
	/* POSIX_FADV_* for the descriptor, MADV_* for a mapping; -1: none. */
	int advice;
	int memory_advice;
	bool readahead; /* call readahead(2) */
	/* What is read of it: all that its worker reads lies in there. */
	uint64_t offset_bytes, range_bytes;
};

/* What one worker is going to read or write. Const while the worker runs. */
struct engine_job {
	const struct engine_file *files;
	unsigned int file_count;
	/* Page-aligned and touched: one piece of slot_bytes for each operation
	 * that may be in flight. In a piece iovec i begins 2 x i x iovec_bytes
	 * after its start, as in the classic tool.
	 */
	char *buffer;
	uint64_t slot_bytes;
	unsigned int slots;
	uint64_t iovec_bytes;
	unsigned int iovecs; /* 1 but for the vectored tests */
	unsigned int rwf;    /* RWF_FLAG_* of lib/record/params.h */
	bool is_write;
	/* Of writes, see engine_roll(): as much of the buffer and one byte more
	 * stands behind its last piece.
	 */
	uint64_t roll_mask;
	/* Whether @run has come to its end: for what begin() does piece by
	 * piece. NULL: it has not.
	 */
	bool (*is_over)(const void *run);
	const void *run;
};

/* One read or write, on a cache line that only its worker writes. */
struct io_op {
	unsigned int file; /* of the job */
	/* Of its buffer; 0 where submit() finishes. */
	unsigned int slot;
	uint64_t offset_bytes;
	uint64_t size_bytes; /* to be read */
	uint64_t skip_bytes; /* at the start of the buffer, read before */
	int64_t result;	     /* bytes that arrived, or -errno */
	/* Calls that the engine had to make again in another way; summed, the
	 * worker never clears it.
	 */
	uint64_t retries;
};

/*
 * Where in its piece of the buffer the data of a write begins: at another place
 * for each block, since one block written over and over compresses to nothing.
 * A write that is continued goes on in the same data. 0 is the mask of reads.
 */
static inline uint64_t engine_roll(const struct engine_job *job,
				   const struct io_op *op)
{
	return op->skip_bytes +
	       ((op->offset_bytes - op->skip_bytes) & job->roll_mask);
}

/*
 * A way to read, or to write. The tables are const, and what open() puts into
 * @state is used by one worker only, so that an engine needs no lock.
 */
struct engine_ops {
	const char *name;    /* for --engine */
	const char *summary; /* one line, for "rawread engines" */
	bool reads, writes;  /* what it can be opened for */
	bool is_vectored;    /* takes more than one iovec */
	bool reads_nothing;  /* the target is not touched */
	bool fills_buffer;   /* what was read stands there to be compared */

	/* 0, or -errno and why this machine cannot do it. NULL: it always can.
	 */
	int (*probe)(struct err *err);
	int (*open)(const struct engine_job *job, void **state,
		    struct err *err);
	/* Inside the span, before the first read: what would start to read
	 * by itself, as posix_fadvise does. Leaves the rest out when the run
	 * is over, which is no failure. NULL: nothing.
	 */
	int (*begin)(void *state, struct err *err);
	/* The measured loop with submit() in place, see worker_loops.h, where
	 * a read costs so little that the call is seen. NULL: as for others.
	 */
	void (*loop)(struct worker *worker, uint64_t reads);
	/* 0: done. 1: in flight. -errno: could not be started at all. */
	int (*submit)(void *state, struct io_op *op);
	/*
	 * Starts what submit() only queued, waits until @min_ops are done and
	 * returns how many it put into @done, at most @max_ops; fewer than
	 * @min_ops when a signal came, 0 included. @min_ops is never more than
	 * there are in flight. -errno: waiting itself failed. NULL: submit()
	 * finishes.
	 */
	int (*reap)(void *state, struct io_op **done, unsigned int min_ops,
		    unsigned int max_ops);
	/* Inside the span, after the last: what makes written data last. NULL:
	 * nothing.
	 */
	int (*finish)(void *state, struct err *err);
	/* Says why @op failed with @code where the errno alone does not tell;
	 * false leaves it to the caller. NULL: never.
	 */
	bool (*explain)(const void *state, const struct io_op *op, int code,
			struct err *err);
	void (*close)(void *state); /* accepts NULL, drops what is in flight */
};

extern const struct engine_ops engine_read;
extern const struct engine_ops engine_readv;
extern const struct engine_ops engine_pread;
extern const struct engine_ops engine_preadv2;
extern const struct engine_ops engine_mmap;
extern const struct engine_ops engine_splice;
extern const struct engine_ops engine_libaio;
extern const struct engine_ops engine_write;
extern const struct engine_ops engine_writev;
extern const struct engine_ops engine_pwrite;
extern const struct engine_ops engine_null;

/* The one that reads nothing in the way of @ops: in submit(), or in flight. */
const struct engine_ops *engine_null_like(const struct engine_ops *ops);

/* All engines, in the order of the manual; ends in NULL. */
extern const struct engine_ops *const engines[];

/*
 * Returns 0; -EINVAL when there is none of that name, with those there are
 * named; what its probe() says.
 */
int engine_find(const char *name, const struct engine_ops **ops,
		struct err *err);

#endif

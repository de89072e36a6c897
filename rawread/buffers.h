/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer for each thread: page-aligned, on the memory node that is near to
 * the thread's CPU, and touched in full before the clock starts. Made and
 * freed on the main thread; each is used by one worker.
 */
#ifndef RAWREAD_BUFFERS_H
#define RAWREAD_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct placement;

/*
 * How far apart in a target the data of writes is the same: more than any file
 * system or disk compresses at once, and less than a cache holds.
 */
#define BUFFER_ROLL_BYTES (UINT64_C(1) << 20)

/* What a thread's buffer has to hold. */
struct buffer_shape {
	uint64_t iovec_bytes;
	unsigned int iovecs; /* two lengths apart */
	unsigned int slots;  /* operations in flight, a piece for each */
	/* To targets: filled with what does not compress, another in each run.
	 */
	bool is_written;
};

struct buffers {
	char **starts;	    /* one for each thread */
	uint32_t *nodes;    /* where each should be; NODE_NONE: anywhere */
	size_t slot_bytes;  /* of each slot, whole pages */
	size_t size_bytes;  /* of a thread: all slots, and BUFFER_ROLL_BYTES */
	uint64_t roll_mask; /* of what is written, see engine_roll(); or 0 */
	unsigned int count;
};

/*
 * Room of @shape for each thread of @placement. Returns 0; -ENOMEM, also when
 * the machine has not so much memory. Free with buffers_free().
 */
int buffers_make(const struct placement *placement,
		 const struct buffer_shape *shape, struct buffers *buffers,
		 struct err *err);
void buffers_free(struct buffers *buffers);

/*
 * How many of them have a page on another node than they should; where the
 * kernel does not tell, none.
 */
unsigned int buffers_count_moved(const struct buffers *buffers);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/buffers.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <numaif.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/content.h"
#include "lib/base/err.h"
#include "lib/base/units.h"
#include "rawread/placement.h"

#define LONG_BITS     (sizeof(unsigned long) * CHAR_BIT)
#define PAGES_AT_ONCE 512

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/*
 * Before the first touch, so that the pages come from there at once. Where
 * policies are not permitted (a container) the kernel places the buffer, and
 * buffers_count_moved() looks where.
 */
static int bind_to_node(void *start, size_t size_bytes, uint32_t node,
			struct err *err)
{
	unsigned long *mask;
	size_t longs = node / LONG_BITS + 1;
	int rc = 0;

	mask = calloc(longs, sizeof(*mask));
	if (!mask)
		return err_set(err, -ENOMEM, "buffer");
	mask[node / LONG_BITS] |= 1UL << node % LONG_BITS;
	/* The kernel takes one bit off the count it is given. */
	if (mbind(start, size_bytes, MPOL_BIND, mask, longs * LONG_BITS + 1,
		  0) < 0 &&
	    errno != EPERM && errno != ENOSYS)
		rc = err_set(err, -errno, "bind a buffer to node %u", node);
	free(mask);
	return rc;
}

/* More than the machine has would be killed while it is touched. */
static int check_total(uint64_t slot_bytes, unsigned int slots,
		       uint64_t roll_bytes, unsigned int count, struct err *err)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * page_bytes();
	uint64_t each, total;

	if (!__builtin_mul_overflow(slot_bytes, slots, &each) &&
	    !__builtin_add_overflow(each, roll_bytes, &each) &&
	    !__builtin_mul_overflow(each, count, &total) && total <= memory)
		return 0;
	return err_say(err, -ENOMEM,
		       "buffers of %" PRIu64
		       " bytes, %u for each of %u thread%s%s, are more than "
		       "the %" PRIu64 " bytes of memory; lower -s, -i or -p",
		       slot_bytes, slots, count, plural(count),
		       roll_bytes ? ", and 1 MB each of data to write" : "",
		       memory);
}

/* Not zeros: those could be one page of the kernel's. */
static void touch(void *start, size_t size_bytes, const uint64_t *seed)
{
	if (seed)
		content_fill(*seed, 0, start, size_bytes / sizeof(uint64_t));
	else
		memset(start, 0xa5, size_bytes);
}

/*
 * No step of it leaves out or takes twice what a block before it took, and a
 * block of whole pages begins with one, as direct I/O may want.
 */
static uint64_t roll_mask_of(uint64_t block_bytes)
{
	uint64_t unit = block_bytes & -block_bytes;

	if (unit > page_bytes())
		unit = page_bytes();
	return (BUFFER_ROLL_BYTES - 1) & -unit;
}

static int say_no_room(size_t size_bytes, int code, struct err *err)
{
	struct rlimit space;

	if (code != -ENOMEM || getrlimit(RLIMIT_AS, &space) < 0 ||
	    space.rlim_cur == RLIM_INFINITY)
		return err_set(err, code, "buffer of %zu bytes", size_bytes);
	return err_say(err, code,
		       "buffer of %zu bytes: no room in the address space, of "
		       "which 'ulimit -v' gives %" PRIu64
		       " KiB; raise it, or lower -s, -i or -p",
		       size_bytes, (uint64_t)space.rlim_cur / KIB);
}

/* @seed: of what is written, or NULL. */
static int buffer_make(struct buffers *buffers, unsigned int thread,
		       uint32_t node, const uint64_t *seed, struct err *err)
{
	void *start = mmap(NULL, buffers->size_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int rc = 0;

	if (start == MAP_FAILED)
		return say_no_room(buffers->size_bytes, -errno, err);
	buffers->starts[thread] = start;
	buffers->nodes[thread] = node;
	if (node != NODE_NONE)
		rc = bind_to_node(start, buffers->size_bytes, node, err);
	if (!rc)
		touch(start, buffers->size_bytes, seed);
	return rc;
}

int buffers_make(const struct placement *placement,
		 const struct buffer_shape *shape, struct buffers *buffers,
		 struct err *err)
{
	uint64_t bytes = shape->iovec_bytes * (2 * (uint64_t)shape->iovecs - 1);
	uint64_t roll_bytes = shape->is_written ? BUFFER_ROLL_BYTES : 0;
	uint64_t seed = clock_ns(CLOCK_REALTIME);
	unsigned int i;
	int rc;

	*buffers = (struct buffers){
		.slot_bytes = (bytes + page_bytes() - 1) & ~(page_bytes() - 1),
		.count = placement->thread_count,
	};
	buffers->size_bytes = buffers->slot_bytes * shape->slots + roll_bytes;
	if (shape->is_written)
		buffers->roll_mask =
			roll_mask_of(shape->iovec_bytes * shape->iovecs);
	rc = check_total(buffers->slot_bytes, shape->slots, roll_bytes,
			 buffers->count, err);
	if (rc < 0)
		goto out;
	buffers->starts = calloc(buffers->count, sizeof(*buffers->starts));
	buffers->nodes = calloc(buffers->count, sizeof(*buffers->nodes));
	if (!buffers->starts || !buffers->nodes) {
		rc = err_set(err, -ENOMEM, "buffers");
		goto out;
	}
	for (i = 0; !rc && i < buffers->count; i++, seed++)
		rc = buffer_make(buffers, i,
				 placement->pus ? placement->pus[i].node
						: NODE_NONE,
				 shape->is_written ? &seed : NULL, err);
out:
	if (rc < 0)
		buffers_free(buffers);
	return rc;
}

void buffers_free(struct buffers *buffers)
{
	unsigned int i;

	for (i = 0; buffers->starts && i < buffers->count; i++)
		if (buffers->starts[i])
			munmap(buffers->starts[i], buffers->size_bytes);
	free(buffers->starts);
	free(buffers->nodes);
	*buffers = (struct buffers){ 0 };
}

static bool is_elsewhere(char *start, size_t size_bytes, uint32_t node)
{
	void *pages[PAGES_AT_ONCE];
	int status[PAGES_AT_ONCE];
	size_t at = 0, count, i;

	while (at < size_bytes) {
		for (count = 0; count < PAGES_AT_ONCE && at < size_bytes;
		     count++, at += page_bytes())
			pages[count] = start + at;
		/* Without nodes to move to it only tells where they are. */
		if (move_pages(0, count, pages, NULL, status, 0) < 0)
			return false;
		for (i = 0; i < count; i++)
			if (status[i] >= 0 && (uint32_t)status[i] != node)
				return true;
	}
	return false;
}

unsigned int buffers_count_moved(const struct buffers *buffers)
{
	unsigned int i, moved = 0;

	for (i = 0; i < buffers->count; i++)
		if (buffers->nodes[i] != NODE_NONE)
			moved += is_elsewhere(buffers->starts[i],
					      buffers->size_bytes,
					      buffers->nodes[i]);
	return moved;
}

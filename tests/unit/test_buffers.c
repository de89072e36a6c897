// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/buffers.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/placement.h"

static struct buffers buffers;
static struct err err;

static void buffers_end(void)
{
	buffers_free(&buffers);
}

TestSuite(buffers, .fini = buffers_end);

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* For @threads threads that are pinned nowhere. */
static void make(unsigned int threads, const struct buffer_shape *shape)
{
	const struct placement placement = { .thread_count = threads };

	buffers_free(&buffers);
	cr_assert_eq(buffers_make(&placement, shape, &buffers, &err), 0, "%s",
		     err.text);
	cr_assert_eq(buffers.count, threads);
}

/* Room for iovecs that are two lengths apart, in whole pages. */
static void expect_shape(unsigned int threads, uint64_t iovec_bytes,
			 unsigned int iovecs, unsigned int slots)
{
	const struct buffer_shape shape = { .iovec_bytes = iovec_bytes,
					    .iovecs = iovecs,
					    .slots = slots };
	unsigned int i, j;

	make(threads, &shape);
	cr_expect_eq(buffers.slot_bytes % page_bytes(), 0);
	cr_expect_geq(buffers.slot_bytes,
		      2 * iovec_bytes * (iovecs - 1) + iovec_bytes);
	cr_expect_lt(buffers.slot_bytes,
		     2 * iovec_bytes * iovecs + page_bytes());
	cr_expect_eq(buffers.size_bytes, slots * buffers.slot_bytes);
	for (i = 0; i < threads; i++) {
		cr_expect_eq((uintptr_t)buffers.starts[i] % page_bytes(), 0);
		for (j = 0; j < i; j++)
			cr_expect(buffers.starts[i] >=
					  buffers.starts[j] +
						  buffers.size_bytes ||
				  buffers.starts[j] >=
					  buffers.starts[i] +
						  buffers.size_bytes);
	}
}

Test(buffers, slots_are_whole_pages_and_threads_lie_apart)
{
	expect_shape(1, 1, 1, 1);
	expect_shape(3, 1024, 1, 1);
	expect_shape(3, 4096, 1, 2);
	expect_shape(2, 4097, 3, 5);
	expect_shape(5, 1000, 8, 4);
	expect_shape(2, 1 << 20, 8, 3);
}

/* Else the first read of a page would take a fault. */
Test(buffers, each_page_was_touched)
{
	const struct buffer_shape shapes[] = {
		{ .iovec_bytes = 300000, .iovecs = 2, .slots = 2 },
		{ .iovec_bytes = 300000,
		  .iovecs = 2,
		  .slots = 2,
		  .is_written = true },
	};
	unsigned char *resident;
	size_t pages, page, s;

	for (s = 0; s < 2; s++) {
		make(2, &shapes[s]);
		pages = buffers.size_bytes / page_bytes();
		resident = malloc(pages);
		cr_assert(resident);
		cr_assert(!mincore(buffers.starts[1], buffers.size_bytes,
				   resident));
		for (page = 0; page < pages; page++)
			cr_expect(resident[page] & 1, "page %lu", page);
		free(resident);
	}
}

static int compare_pages(const void *a, const void *b)
{
	return memcmp(*(char *const *)a, *(char *const *)b, 4096);
}

/* A disk that drops what it has, or zeros, would write nothing. */
Test(buffers, what_is_written_has_no_page_twice_over_all_threads)
{
	const struct buffer_shape shape = { .iovec_bytes = 1 << 20,
					    .iovecs = 1,
					    .slots = 2,
					    .is_written = true };
	static char *pages[4 * 768];
	size_t count = 0, at;
	unsigned int i;

	make(4, &shape);
	for (i = 0; i < 4; i++)
		for (at = 0; at < buffers.size_bytes; at += 4096)
			pages[count++] = buffers.starts[i] + at;
	cr_assert_eq(count, 4 * 768);
	qsort(pages, count, sizeof(pages[0]), compare_pages);
	for (at = 1; at < count; at++)
		cr_expect(compare_pages(&pages[at - 1], &pages[at]),
			  "page %lu is there twice", at);
}

/* Another start for each block, none of which reaches beyond the buffer. */
Test(buffers, what_is_written_begins_where_its_block_does)
{
	static const struct {
		uint64_t iovec_bytes;
		unsigned int iovecs;
		uint64_t unit_bytes; /* of its starts */
	} shapes[] = {
		{ 1, 1, 1 },	   { 512, 1, 512 },  { 1000, 1, 8 },
		{ 1 << 20, 1, 0 }, { 512, 4, 2048 }, { 1000, 3, 8 },
		{ 3 << 20, 1, 0 }, { 4096, 2, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct buffer_shape shape = {
			.iovec_bytes = shapes[i].iovec_bytes,
			.iovecs = shapes[i].iovecs,
			.slots = 3,
			.is_written = true
		};
		uint64_t unit = shapes[i].unit_bytes ? shapes[i].unit_bytes
						     : page_bytes();

		make(2, &shape);
		cr_expect_eq(buffers.roll_mask, BUFFER_ROLL_BYTES - unit, "%lu",
			     i);
		cr_expect_eq(buffers.size_bytes,
			     3 * buffers.slot_bytes + BUFFER_ROLL_BYTES);
	}
	make(1, &(struct buffer_shape){
			.iovec_bytes = 4096, .iovecs = 1, .slots = 1 });
	cr_expect_eq(buffers.roll_mask, 0);
}

Test(buffers, what_is_written_is_another_in_each_run)
{
	const struct buffer_shape shape = {
		.iovec_bytes = 4096, .iovecs = 1, .slots = 1, .is_written = true
	};
	char before[4096];

	make(1, &shape);
	memcpy(before, buffers.starts[0], sizeof(before));
	make(1, &shape);
	cr_expect(memcmp(before, buffers.starts[0], sizeof(before)) != 0);
}

/* Nor are bytes alike: each of the 256 stands in its share of places. */
Test(buffers, what_is_written_does_not_compress)
{
	const struct buffer_shape shape = { .iovec_bytes = 1 << 18,
					    .iovecs = 1,
					    .slots = 1,
					    .is_written = true };
	unsigned int seen[256] = { 0 }, i;

	make(1, &shape);
	for (i = 0; i < 1 << 18; i++)
		seen[(unsigned char)buffers.starts[0][i]]++;
	/* 1024 each, and six times the deviation of 32. */
	for (i = 0; i < 256; i++)
		cr_expect(seen[i] > 832 && seen[i] < 1216, "%u: %u", i,
			  seen[i]);
}

Test(buffers, more_than_the_memory_is_refused_before_it_is_touched)
{
	const struct placement placement = { .thread_count = 1000 };
	const struct buffer_shape shape = { .iovec_bytes = UINT64_C(1) << 30,
					    .iovecs = 1024,
					    .slots = 7 };
	const struct buffer_shape beyond = { .iovec_bytes = UINT64_C(1) << 40,
					     .iovecs = 1 << 20,
					     .slots = 1 << 20 };
	char memory[64];

	cr_expect_eq(buffers_make(&placement, &shape, &buffers, &err), -ENOMEM);
	cr_expect(strstr(err.text, "buffers of 2197949513728 bytes, 7 for "
				   "each of 1000 threads, are more than the "),
		  "%s", err.text);
	snprintf(memory, sizeof(memory), "%lu bytes of memory; lower -s",
		 (size_t)sysconf(_SC_PHYS_PAGES) * page_bytes());
	cr_expect(strstr(err.text, memory), "%s", err.text);
	cr_expect_null(buffers.starts);
	cr_expect_eq(buffers.count, 0);
	/* Beyond 64 bits as well. */
	cr_expect_eq(buffers_make(&placement, &beyond, &buffers, &err),
		     -ENOMEM);
	cr_expect_null(buffers.starts);
}

Test(buffers, what_is_bound_to_a_node_is_found_there)
{
	struct topology_pu pus[] = { { .node = 0 }, { .node = 0 } };
	const struct placement placement = { .pus = pus, .thread_count = 2 };
	const struct buffer_shape shape = { .iovec_bytes = 100000,
					    .iovecs = 1,
					    .slots = 3 };

	cr_assert_eq(buffers_make(&placement, &shape, &buffers, &err), 0, "%s",
		     err.text);
	cr_expect_eq(buffers.nodes[1], 0);
	cr_expect_eq(buffers_count_moved(&buffers), 0);
	/* As if they had to be elsewhere. */
	buffers.nodes[1] = 5;
	cr_expect_leq(buffers_count_moved(&buffers), 1);
	make(2, &shape);
	cr_expect_eq(buffers.nodes[0], NODE_NONE);
	cr_expect_eq(buffers_count_moved(&buffers), 0);
}

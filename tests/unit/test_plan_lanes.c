// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the lanes of a plan read, beside lists of blocks that are dealt out by
 * hand: every layout, pattern and way to stop, some numbers of threads and of
 * blocks.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "tests/unit/planned.h"

TestSuite(plan_lanes, .fini = planned_free);

#define BLOCK_BYTES  1024
#define OFFSET_BYTES 5000 /* of the range: no multiple of anything */
#define EVERY	     3	  /* a stride in blocks */
#define MOST_BLOCKS  64
#define MOST_THREADS 7
#define LEAST_READS  5

enum stop { STOP_RANGE, STOP_BELOW, STOP_EQUAL, STOP_ABOVE, STOP_N, STOP_TIME };

struct combination {
	enum layout layout;
	enum pattern pattern;
	enum stop stop;
	unsigned int threads;
	uint64_t range_bytes;
};

static const char *text_of(const struct combination *c)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s %s, stop %d, %u threads, %lu bytes",
		 layout_name(c->layout), pattern_name(c->pattern), c->stop,
		 c->threads, c->range_bytes);
	return text;
}

/* Blocks in the order in which a lane, or a counter, takes them. */
struct list {
	uint64_t blocks[MOST_BLOCKS];
	unsigned int count;
};

static void turn_round(struct list *list)
{
	unsigned int i;

	for (i = 0; i < list->count / 2; i++) {
		uint64_t block = list->blocks[i];

		list->blocks[i] = list->blocks[list->count - 1 - i];
		list->blocks[list->count - 1 - i] = block;
	}
}

/* Those of @all that rank @rank of @threads has. */
static struct list deal(const struct combination *c, const struct list *all,
			unsigned int rank)
{
	struct list own = { .count = 0 };
	unsigned int i, owner = 0, left = 0;

	for (i = 0; i < all->count; i++) {
		if (c->layout == LAYOUT_STRIPE) {
			owner = i % c->threads;
		} else if (c->layout == LAYOUT_SLICE && !left--) {
			/* Who is early has one more. */
			owner = i ? owner + 1 : 0;
			left = all->count / c->threads - 1 +
			       (owner < all->count % c->threads);
		}
		if (owner == rank || c->layout == LAYOUT_SHARED ||
		    c->layout == LAYOUT_EACH)
			own.blocks[own.count++] = all->blocks[i];
	}
	return own;
}

static struct list list_of(const struct combination *c, const struct plan *plan,
			   unsigned int rank)
{
	const struct plan_target *target = &plan->targets[0];
	struct list all = { .count = 0 }, own;
	struct permutation order;
	uint64_t block;

	for (block = 0; block < target->blocks; block++)
		if (c->pattern != PATTERN_STRIDE || block % EVERY == 0)
			all.blocks[all.count++] = block;
	if (c->pattern == PATTERN_RANDOM) {
		permutation_init(&order, target->blocks,
				 plan->lanes[0].part.seed);
		for (block = 0; block < target->blocks; block++)
			all.blocks[block] = permutation_at(&order, block);
	}
	if (c->pattern == PATTERN_REVERSE && c->layout != LAYOUT_SLICE)
		turn_round(&all);
	own = deal(c, &all, rank);
	if (c->pattern == PATTERN_REVERSE && c->layout == LAYOUT_SLICE)
		turn_round(&own);
	return own;
}

/* Reads of all threads of the target, UINT64_MAX: until they are stopped. */
static uint64_t limit_of(const struct combination *c, uint64_t positions)
{
	switch (c->stop) {
	case STOP_RANGE:
		return positions;
	case STOP_BELOW:
		return (positions + 1) / 2;
	case STOP_EQUAL:
		return (c->range_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
	case STOP_ABOVE:
		return 2 * positions + 3;
	case STOP_N:
	case STOP_TIME:
		break;
	}
	return UINT64_MAX;
}

static struct run_params params_of(const struct combination *c,
				   uint64_t positions)
{
	struct run_params params = planned_params(FORM_READ, 1, c->threads);

	if (c->pattern == PATTERN_RANDOM || c->pattern == PATTERN_RANDOM_REPEAT)
		params.test = test_by_name("randread");
	params.layout = c->layout;
	params.pattern = c->pattern;
	params.stride_bytes = c->pattern == PATTERN_STRIDE ? EVERY * BLOCK_BYTES
							   : 0;
	params.block_bytes = BLOCK_BYTES;
	params.offset_bytes = OFFSET_BYTES;
	params.range_bytes = c->range_bytes;
	params.seed = 77;
	if (c->stop == STOP_EQUAL)
		params.stop_bytes = c->range_bytes;
	else if (c->stop == STOP_BELOW || c->stop == STOP_ABOVE)
		params.stop_bytes = limit_of(c, positions) * BLOCK_BYTES - 5;
	params.reads = c->stop == STOP_N ? LEAST_READS : 0;
	params.time_ns = c->stop == STOP_TIME ? 1 : 0;
	return params;
}

/* Of @limit, how many rank @rank takes when no counter is shared. */
static uint64_t reads_of(const struct combination *c, uint64_t limit,
			 unsigned int rank, const struct list *own)
{
	if (limit == UINT64_MAX)
		return 3 * own->count + 2; /* it never ends; long enough */
	if (c->layout == LAYOUT_SHARED || c->layout == LAYOUT_EACH)
		return limit;
	/* Those who are early have one more, by slices as by turns. */
	return limit / c->threads + (rank < limit % c->threads);
}

/*
 * The @count next of @lane's sequence, which go round @own, or, when blocks are
 * drawn, are anywhere. Returns their bytes.
 */
static uint64_t expect_walk(const struct combination *c,
			    const struct plan *plan, struct sequence *sequence,
			    const struct list *own, uint64_t count)
{
	const struct plan_target *target = &plan->targets[0];
	uint64_t offset, size, bytes = 0, i;

	for (i = 0; i < count; i++) {
		uint64_t block, wanted = BLOCK_BYTES;

		cr_assert(sequence_next(sequence, &offset, &size),
			  "%s: no more than %lu", text_of(c), i);
		block = (offset - OFFSET_BYTES) / BLOCK_BYTES;
		cr_assert_eq(offset, OFFSET_BYTES + block * BLOCK_BYTES);
		cr_assert_lt(block, target->blocks, "%s", text_of(c));
		if (c->pattern != PATTERN_RANDOM_REPEAT)
			cr_assert_eq(block, own->blocks[i % own->count],
				     "%s: number %lu is block %lu, not %lu",
				     text_of(c), i, block,
				     own->blocks[i % own->count]);
		if (block == target->blocks - 1)
			wanted = plan_last_bytes(plan, target);
		cr_assert_eq(size, wanted, "%s: block %lu has %lu", text_of(c),
			     block, size);
		bytes += size;
	}
	return bytes;
}

static void expect_end(const struct combination *c, struct sequence *sequence,
		       uint64_t limit)
{
	uint64_t offset, size;

	cr_assert_eq(sequence_next(sequence, &offset, &size),
		     limit == UINT64_MAX, "%s", text_of(c));
}

/* What the plan says of bytes: all of it, or "at most". */
static void expect_bytes(const struct combination *c, uint64_t planned,
			 uint64_t walked, bool is_exact)
{
	if (c->stop == STOP_TIME)
		cr_assert_eq(planned, 0, "%s", text_of(c));
	else if (c->stop == STOP_N)
		cr_assert_eq(planned % (LEAST_READS * BLOCK_BYTES), 0);
	else if (is_exact)
		cr_assert_eq(planned, walked, "%s: %lu, not %lu", text_of(c),
			     planned, walked);
	else
		cr_assert_geq(planned, walked, "%s: %lu, not %lu", text_of(c),
			      planned, walked);
}

/* Of the blocks that are taken, the first @reads of @own. */
static void expect_reach(const struct combination *c, const struct plan *plan,
			 const struct plan_lane *lane, const struct list *own,
			 uint64_t reads)
{
	const struct plan_target *target = &plan->targets[0];
	uint64_t low = UINT64_MAX, high = 0, offset, range, end;
	unsigned int i;

	for (i = 0; i < own->count && i < reads; i++) {
		low = own->blocks[i] < low ? own->blocks[i] : low;
		high = own->blocks[i] > high ? own->blocks[i] : high;
	}
	plan_reach(plan, lane, &offset, &range);
	if (c->pattern == PATTERN_RANDOM ||
	    c->pattern == PATTERN_RANDOM_REPEAT || !reads) {
		low = 0;
		high = reads ? target->blocks - 1 : 0;
	}
	end = (high + 1) * BLOCK_BYTES;
	if (end > c->range_bytes)
		end = c->range_bytes;
	cr_assert_eq(offset, OFFSET_BYTES + low * BLOCK_BYTES, "%s",
		     text_of(c));
	cr_assert_eq(offset + range, OFFSET_BYTES + end, "%s", text_of(c));
}

/* One counter: the lanes take turns at it, here in a fixed order. */
static uint64_t walk_shared(const struct combination *c,
			    const struct plan *plan, uint64_t limit)
{
	const struct list own = list_of(c, plan, 0);
	uint64_t reads = reads_of(c, limit, 0, &own), bytes = 0, i;
	struct sequence_counter counter = { 0 };
	struct sequence sequences[MOST_THREADS];

	for (i = 0; i < c->threads; i++)
		sequence_init(&sequences[i], &plan->lanes[i].part, &counter);
	for (i = 0; i < reads; i++) {
		struct list next = { .blocks = { own.blocks[i % own.count] },
				     .count = 1 };

		bytes += expect_walk(c, plan, &sequences[i % c->threads], &next,
				     1);
	}
	for (i = 0; i < c->threads; i++) {
		expect_end(c, &sequences[i], limit);
		expect_bytes(c, plan->lanes[i].bytes, bytes,
			     plan->lanes[i].part.order == SEQUENCE_PLAIN);
		expect_reach(c, plan, &plan->lanes[i], &own, reads);
	}
	return bytes;
}

static uint64_t walk_own(const struct combination *c, const struct plan *plan,
			 uint64_t limit)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < c->threads; i++) {
		const struct plan_lane *lane = &plan->lanes[i];
		const struct list own = list_of(c, plan, i);
		uint64_t reads = reads_of(c, limit, i, &own), bytes;
		struct sequence sequence;

		sequence_init(&sequence, &lane->part, NULL);
		bytes = expect_walk(c, plan, &sequence, &own, reads);
		expect_end(c, &sequence, limit);
		expect_bytes(c, lane->bytes, bytes,
			     lane->part.order == SEQUENCE_PLAIN);
		/* At most a short block less, unless it comes again. */
		if (c->stop == STOP_RANGE || c->stop == STOP_BELOW)
			cr_assert(c->pattern == PATTERN_RANDOM_REPEAT ||
					  lane->bytes - bytes < BLOCK_BYTES,
				  "%s", text_of(c));
		expect_reach(c, plan, lane, &own, reads);
		sum += bytes;
	}
	return sum;
}

static void check(const struct combination *c)
{
	const struct plan_file file = {
		.path = "/f", .size_bytes = OFFSET_BYTES + c->range_bytes + 1
	};
	const uint64_t blocks =
		(c->range_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
	const uint64_t positions = c->pattern == PATTERN_STRIDE
					   ? (blocks + EVERY - 1) / EVERY
					   : blocks;
	const uint64_t limit = limit_of(c, positions);
	struct run_params params = params_of(c, positions);
	bool has_parts =
		(c->layout == LAYOUT_SLICE || c->layout == LAYOUT_STRIPE) &&
		c->pattern != PATTERN_RANDOM_REPEAT;
	struct plan plan;
	uint64_t bytes;

	if (has_parts && positions < c->threads && limit > positions) {
		planned_refused(&params, &file, -EINVAL,
				"threads cannot share out");
		return;
	}
	plan = planned_make(&params, &file);
	cr_assert_eq(plan.targets[0].positions, positions, "%s", text_of(c));
	bytes = c->layout == LAYOUT_SHARED ? walk_shared(c, &plan, limit)
					   : walk_own(c, &plan, limit);
	expect_bytes(
		c, plan.bytes, bytes,
		c->pattern != PATTERN_RANDOM_REPEAT &&
			(c->pattern != PATTERN_RANDOM || limit == positions) &&
			(c->pattern != PATTERN_RANDOM ||
			 c->layout != LAYOUT_EACH));
}

/* All patterns, ways to stop and numbers of threads of one layout. */
static void check_layout(enum layout layout)
{
	static const uint64_t ranges[] = { 1000,	  1024,
					   1025,	  7 * 1024,
					   10 * 1024 + 7, 63 * 1024 + 1 };
	struct combination c = { .layout = layout };
	size_t i;

	for (c.pattern = PATTERN_SEQUENTIAL; c.pattern <= PATTERN_STRIDE;
	     c.pattern++)
		for (c.stop = STOP_RANGE; c.stop <= STOP_TIME; c.stop++)
			for (c.threads = 1; c.threads <= MOST_THREADS;
			     c.threads++)
				for (i = 0; i < 6; i++) {
					c.range_bytes = ranges[i];
					check(&c);
					planned_free();
				}
}

Test(plan_lanes, with_a_counter_all_together_take_each_block_in_its_turn)
{
	check_layout(LAYOUT_SHARED);
}

Test(plan_lanes, slices_are_pieces_that_meet_whatever_the_direction)
{
	check_layout(LAYOUT_SLICE);
}

Test(plan_lanes, stripes_take_turns_at_the_blocks)
{
	check_layout(LAYOUT_STRIPE);
}

Test(plan_lanes, each_thread_reads_all_of_it_when_each_does)
{
	check_layout(LAYOUT_EACH);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes that a run read, each counted once, beside a table of all blocks that
 * its workers mark as they go: one after the other, and as far as a test says.
 */
#include "rawread/unique.h"

#include <criterion/criterion.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "rawread/run.h"
#include "rawread/worker.h"
#include "tests/unit/planned.h"

TestSuite(unique, .fini = planned_free);

#define BLOCK_BYTES  1024
#define OFFSET_BYTES 5000
#define MOST_BLOCKS  64
#define MOST_THREADS 4

enum { IN_RAMP = 1, IN_SPAN = 2 };

struct combination {
	enum layout layout;
	enum pattern pattern;
	bool is_endless; /* else each thread stops at its own end */
	unsigned int threads;
	uint64_t range_bytes;
	/* Of the first thread; each next one does a bit more. */
	uint64_t ramp_reads, reads;
};

/* What the threads do, and the table that they mark. */
struct crowd {
	struct worker workers[MOST_THREADS];
	struct worker_shared shared[MOST_THREADS];
	struct lane lanes[MOST_THREADS];
	struct lane_sample samples[MOST_THREADS];
	struct sequence_counter counter;
	uint64_t until; /* reads of the lane in this phase */
	unsigned char seen[MOST_BLOCKS];
};

static struct crowd crowd;
static const struct engine_job job;

static int marking_submit(void *state, struct io_op *op)
{
	struct worker *worker = state;
	const struct lane *lane = worker->lanes;

	cr_assert_geq(op->offset_bytes, OFFSET_BYTES);
	crowd.seen[(op->offset_bytes - OFFSET_BYTES) / BLOCK_BYTES] |=
		worker->phase ? IN_SPAN : IN_RAMP;
	op->result = (int64_t)op->size_bytes;
	if (lane->reads + 1 == crowd.until) {
		if (worker->phase)
			worker_end_all(worker->shared);
		else
			worker_end_ramp(worker->shared);
	}
	return 0;
}

static const struct engine_ops engine_marking = { .submit = marking_submit };

static void worker_make(const struct plan *plan, unsigned int i)
{
	const struct plan_target *target = &plan->targets[0];

	crowd.lanes[i] = (struct lane){
		.path = "/f",
		.end_offset_bytes = target->offset_bytes + target->range_bytes,
	};
	sequence_init(&crowd.lanes[i].sequence, &plan->lanes[i].part,
		      plan->layout == LAYOUT_SHARED ? &crowd.counter : NULL);
	crowd.workers[i] = (struct worker){
		.ops = &engine_marking,
		.state = &crowd.workers[i],
		.shared = &crowd.shared[i],
		.lanes = &crowd.lanes[i],
		.lane_count = 1,
		.job = &job,
	};
}

/* One phase of all, one thread after the other. */
static void run_phase(const struct combination *c, bool is_ramp)
{
	unsigned int i;

	for (i = 0; i < c->threads; i++) {
		struct worker *worker = &crowd.workers[i];

		crowd.until = worker->lanes->reads +
			      (is_ramp ? c->ramp_reads + i : c->reads + 2 * i);
		if (!c->ramp_reads && is_ramp)
			worker_end_ramp(worker->shared);
		cr_assert_eq(worker_run(worker), 0, "%s", worker->err.text);
		if (is_ramp)
			worker_enter(worker, 1);
	}
}

/* As a run takes them. */
static void take_samples(const struct combination *c)
{
	unsigned int i;

	for (i = 0; i < c->threads; i++) {
		const struct lane *lane = &crowd.lanes[i];

		crowd.samples[i] = (struct lane_sample){
			.bytes = lane->bytes - lane->ramp_bytes,
			.reads = lane->reads - lane->ramp_reads,
			.unique_bytes =
				lane->first_bytes - lane->ramp_first_bytes,
			.ramp_reads = lane->ramp_reads,
			.ramp_unique_bytes = lane->ramp_first_bytes,
		};
	}
}

/* Of the table: what was read in the span and not in the ramp. */
static uint64_t bytes_of_table(const struct plan *plan)
{
	const struct plan_target *target = &plan->targets[0];
	uint64_t bytes = 0, block;

	for (block = 0; block < target->blocks; block++)
		if (crowd.seen[block] == IN_SPAN)
			bytes += block == target->blocks - 1
					 ? plan_last_bytes(plan, target)
					 : BLOCK_BYTES;
	return bytes;
}

static void expect_unique(const struct combination *c, const struct plan *plan,
			  uint64_t map_bytes)
{
	uint64_t unique_bytes = 1, wanted = bytes_of_table(plan);
	struct err err;
	int rc;

	rc = unique_count_in(plan, 0, crowd.samples, map_bytes, &unique_bytes,
			     &err);
	cr_assert_eq(rc, 0);
	cr_assert_eq(unique_bytes, wanted,
		     "%s %s, %s, %u threads, %lu bytes, ramp %lu, reads %lu: "
		     "%lu unique, not %lu",
		     layout_name(c->layout), pattern_name(c->pattern),
		     c->is_endless ? "endless" : "to the end", c->threads,
		     c->range_bytes, c->ramp_reads, c->reads, unique_bytes,
		     wanted);
}

static struct run_params params_of(const struct combination *c)
{
	struct run_params params = planned_params(FORM_READ, 1, c->threads);

	if (c->pattern == PATTERN_RANDOM || c->pattern == PATTERN_RANDOM_REPEAT)
		params.test = test_by_name("randread");
	params.layout = c->layout;
	params.pattern = c->pattern;
	params.stride_bytes = c->pattern == PATTERN_STRIDE ? 3 * BLOCK_BYTES
							   : 0;
	params.block_bytes = BLOCK_BYTES;
	params.offset_bytes = OFFSET_BYTES;
	params.time_ns = c->is_endless ? 2 : 0;
	params.ramp_ns = c->ramp_reads ? 1 : 0;
	return params;
}

static void check(const struct combination *c)
{
	const struct plan_file file = {
		.path = "/f", .size_bytes = OFFSET_BYTES + c->range_bytes
	};
	struct run_params params = params_of(c);
	struct plan plan;
	unsigned int i;

	memset(&crowd, 0, sizeof(crowd));
	plan = planned_make(&params, &file);
	for (i = 0; i < c->threads; i++)
		worker_make(&plan, i);
	run_phase(c, true);
	run_phase(c, false);
	take_samples(c);
	/* Eight blocks a piece, and all in one. */
	expect_unique(c, &plan, 1);
	expect_unique(c, &plan, MOST_BLOCKS / 8);
}

static void check_threads_and_ranges(struct combination *c)
{
	/* The last of MOST_BLOCKS, and whole pieces of a map. */
	static const uint64_t ranges[] = { 16 * 1024, 19 * 1024 + 7,
					   63 * 1024 + 1 };
	size_t i;

	for (c->threads = 1; c->threads <= MOST_THREADS; c->threads++)
		for (i = 0; i < 3; i++) {
			c->range_bytes = ranges[i];
			check(c);
			planned_free();
		}
}

/* All patterns, with and without a ramp, to the end and beyond. */
static void check_layout(enum layout layout)
{
	static const uint64_t ramps[] = { 0, 1, 2, 7, 15, 64, 150 };
	static const uint64_t reads[] = { 1, 5, 17, 64, 200 };
	struct combination c = { .layout = layout };
	size_t r, s;

	for (c.pattern = PATTERN_SEQUENTIAL; c.pattern <= PATTERN_STRIDE;
	     c.pattern++)
		for (r = 0; r < 7; r++)
			for (s = 0; s < 5; s++) {
				c.ramp_reads = ramps[r];
				c.reads = reads[s];
				c.is_endless = true;
				check_threads_and_ranges(&c);
				c.is_endless = false;
				if (!c.ramp_reads)
					check_threads_and_ranges(&c);
			}
}

Test(unique, a_counter_counts_what_its_ramp_left)
{
	check_layout(LAYOUT_SHARED);
}

Test(unique, slices_count_their_own_blocks)
{
	check_layout(LAYOUT_SLICE);
}

Test(unique, stripes_count_their_own_blocks)
{
	check_layout(LAYOUT_STRIPE);
}

Test(unique, blocks_that_each_thread_reads_count_once)
{
	check_layout(LAYOUT_EACH);
}

Test(unique, other_targets_do_not_count)
{
	const struct plan_file files[] = {
		{ .path = "a", .size_bytes = 10 * BLOCK_BYTES },
		{ .path = "b", .size_bytes = 20 * BLOCK_BYTES }
	};
	const struct lane_sample samples[] = {
		{ .bytes = 1, .reads = 1, .unique_bytes = 1 },
		{ .bytes = 20, .reads = 2, .unique_bytes = 20 },
		{ .bytes = 300, .reads = 3, .unique_bytes = 300 },
		{ .bytes = 4000, .reads = 4, .unique_bytes = 4000 },
	};
	struct run_params params = planned_params(FORM_READ, 2, 4);
	uint64_t first, second;
	struct plan plan;
	struct err err;

	params.block_bytes = BLOCK_BYTES;
	plan = planned_make(&params, files);
	cr_assert(!unique_count(&plan, 0, samples, &first, &err));
	cr_assert(!unique_count(&plan, 1, samples, &second, &err));
	cr_expect_eq(first, 301);
	cr_expect_eq(second, 4020);
}

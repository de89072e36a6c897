// SPDX-License-Identifier: GPL-2.0-or-later
/* A ramp that ends, or the run in it, during a read of the test's choice. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/histogram.h"
#include "rawread/worker.h"

#define FULL INT64_MAX /* all that was asked for */

/* An engine whose calls end a phase, and which brings what it is told. */
struct phases {
	unsigned int ramp_call, over_call; /* counted from 1; 0: none */
	const int64_t *results;		   /* of the first calls */
	unsigned int count;
	unsigned int calls;
	struct io_op ops[32];
	struct worker *worker;
};

static int phases_submit(void *state, struct io_op *op)
{
	struct phases *phases = state;
	int64_t result = phases->calls < phases->count
				 ? phases->results[phases->calls]
				 : FULL;

	cr_assert_lt(phases->calls, 32, "it never ends");
	phases->ops[phases->calls++] = *op;
	if (phases->calls == phases->ramp_call)
		worker_end_ramp(phases->worker->shared);
	if (phases->calls == phases->over_call)
		worker_end_all(phases->worker->shared);
	op->retries += 10;
	op->result = result == FULL ? (int64_t)op->size_bytes : result;
	return 0;
}

static const struct engine_ops engine_phases = { .submit = phases_submit };

static struct lane lane;
static struct worker_shared shared;
static struct worker w;

/* A worker on ten blocks of 1000 bytes, the last of 999, again and again. */
static void worker_make(struct phases *phases, struct histogram *latency)
{
	static const struct engine_job job;
	const struct sequence_part part = {
		.range_bytes = 9999,
		.block_bytes = 1000,
		.step = 1,
		.count = 10,
		.limit = SEQUENCE_ENDLESS,
		.last_asked_bytes = 999,
	};

	phases->worker = &w;
	memset(&shared, 0, sizeof(shared));
	w = (struct worker){ .ops = &engine_phases,
			     .state = phases,
			     .shared = &shared,
			     .lanes = &lane,
			     .lane_count = 1,
			     .watch = { .latency = latency },
			     .job = &job };
	lane = (struct lane){ .path = "/t/f", .end_offset_bytes = 9999 };
	sequence_init(&lane.sequence, &part, NULL);
}

/* The ramp, and what comes after it. */
static void run_both(void)
{
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	worker_enter(&w, 1);
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
}

Test(worker_phases, what_came_in_the_ramp_is_known_apart)
{
	struct phases phases = { .ramp_call = 4, .over_call = 7 };

	worker_make(&phases, NULL);
	run_both();
	cr_expect_eq(lane.ramp_reads, 4);
	cr_expect_eq(lane.ramp_bytes, 4000);
	cr_expect_eq(lane.ramp_first_bytes, 4000);
	cr_expect_eq(lane.reads, 7);
	cr_expect_eq(lane.bytes, 7000);
	cr_expect_eq(lane.first_bytes, 7000);
	/* And the span goes on where the ramp was. */
	cr_expect_eq(phases.ops[4].offset_bytes, 4000);
}

Test(worker_phases, a_ramp_over_the_whole_range_leaves_nothing_new)
{
	struct phases phases = { .ramp_call = 12, .over_call = 25 };

	worker_make(&phases, NULL);
	run_both();
	cr_expect_eq(lane.ramp_reads, 12);
	cr_expect_eq(lane.ramp_first_bytes, 9999);
	cr_expect_eq(lane.reads, 25);
	cr_expect_eq(lane.first_bytes, 9999);
}

Test(worker_phases, a_span_that_goes_round_has_new_what_the_ramp_left)
{
	struct phases phases = { .ramp_call = 3, .over_call = 15 };

	worker_make(&phases, NULL);
	run_both();
	cr_expect_eq(lane.ramp_first_bytes, 3000);
	cr_expect_eq(lane.first_bytes, 9999);
	cr_expect_eq(lane.bytes, 14999);
}

Test(worker_phases, a_run_that_is_over_in_the_ramp_has_no_span)
{
	struct phases phases = { .over_call = 2 };

	worker_make(&phases, NULL);
	run_both();
	cr_expect_eq(phases.calls, 2);
	cr_expect_eq(lane.ramp_reads, 2);
	cr_expect_eq(lane.reads, 2);
	/* Nor can the ramp's end bring it back. */
	worker_end_ramp(&shared);
	cr_expect_eq(shared.phase, PHASE_OVER);
}

Test(worker_phases, a_ramp_that_ended_early_is_not_begun_again)
{
	struct phases phases = { .over_call = 2 };

	worker_make(&phases, NULL);
	worker_end_ramp(&shared);
	run_both();
	cr_expect_eq(lane.ramp_reads, 0);
	cr_expect_eq(lane.reads, 2);
	cr_expect_eq(phases.ops[0].offset_bytes, 0);
}

Test(worker_phases, latencies_are_those_after_the_ramp)
{
	static struct histogram latency;
	struct phases phases = { .ramp_call = 5, .over_call = 8 };

	histogram_init(&latency);
	worker_make(&phases, &latency);
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(latency.count, 5);
	worker_enter(&w, 1);
	cr_expect_eq(latency.count, 0);
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(latency.count, 3);
}

Test(worker_phases, what_was_short_or_tried_again_in_the_ramp_is_known_apart)
{
	const int64_t results[] = { 1, 2, FULL, FULL, 500 };
	struct phases phases = {
		.ramp_call = 4, .over_call = 6, .results = results, .count = 5
	};

	worker_make(&phases, NULL);
	run_both();
	cr_expect_eq(lane.ramp_reads, 2);
	cr_expect_eq(lane.ramp_short_reads, 1);
	cr_expect_eq(lane.ramp_retries, 40);
	cr_expect_eq(lane.reads, 3);
	cr_expect_eq(lane.short_reads, 2);
	cr_expect_eq(lane.op.retries, 60);
}

/* The rest of the block is read, and the next begins at its buffer's start. */
static void expect_interrupted(struct histogram *latency)
{
	const int64_t results[] = { FULL, 300, -EINTR };
	struct phases phases = {
		.ramp_call = 3, .over_call = 6, .results = results, .count = 3
	};

	worker_make(&phases, latency);
	run_both();
	cr_expect_eq(phases.calls, 6);
	cr_expect_eq(phases.ops[3].offset_bytes, 1300);
	cr_expect_eq(phases.ops[3].skip_bytes, 300);
	cr_expect_eq(phases.ops[3].size_bytes, 700);
	cr_expect_eq(phases.ops[4].offset_bytes, 2000);
	cr_expect_eq(phases.ops[4].skip_bytes, 0);
	cr_expect_eq(phases.ops[4].size_bytes, 1000);
	cr_expect_eq(lane.ramp_reads, 2);
	cr_expect_eq(lane.reads, 4);
	cr_expect_eq(lane.bytes, 4000);
}

Test(worker_phases, a_read_that_is_interrupted_at_the_ramps_end_is_not_lost)
{
	static struct histogram latency;

	expect_interrupted(NULL);
	histogram_init(&latency);
	expect_interrupted(&latency);
}

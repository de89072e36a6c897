// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/loop_cost.h"

#include <criterion/criterion.h>

#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "rawread/engine.h"
#include "rawread/plan.h"
#include "tests/unit/planned.h"

TestSuite(loop_cost, .fini = planned_free, .timeout = 60);

static const struct plan_file files[] = {
	{ .path = "a", .size_bytes = 100001, .direct_offset_bytes = 512 },
	{ .path = "b", .size_bytes = 5 << 20, .direct_offset_bytes = 512 },
	{ .path = "c", .size_bytes = 1, .direct_offset_bytes = 512 },
};

/* There is one, and the plan is as it was. */
static void expect_cost_of(const struct run_params *params,
			   const struct engine_ops *ops, bool waits_for_all)
{
	struct plan plan = planned_make(params, files);
	const struct sequence_part before = plan.lanes[0].part;
	struct loop_way way = { .ops = ops, .waits_for_all = waits_for_all };
	struct loop_cost cost;
	struct err err;

	cr_assert_eq(loop_cost_measure(&plan, &way, &cost, &err), 0);
	cr_expect_gt(cost.loop_ns, 0, "%s %s", layout_name(params->layout),
		     pattern_name(params->pattern));
	cr_expect_eq(cost.latency_ns, 0);
	way.latency = true;
	cr_assert_eq(loop_cost_measure(&plan, &way, &cost, &err), 0);
	cr_expect_gt(cost.loop_ns, 0);
	cr_expect_leq(cost.latency_ns, cost.loop_ns);
	cr_expect_eq(plan.lanes[0].part.limit, before.limit);
	cr_expect_eq(plan.lanes[0].part.count, before.count);
}

static void expect_cost(const struct run_params *params)
{
	expect_cost_of(params, &engine_read, false);
	expect_cost_of(params, &engine_libaio, false);
	expect_cost_of(params, &engine_libaio, true);
}

static struct run_params params_of(unsigned int test, enum layout layout,
				   enum pattern pattern)
{
	struct run_params params = planned_params(FORM_READ, 3, 9);

	params.test = &tests[test];
	params.layout = layout;
	params.pattern = pattern;
	params.stride_bytes = pattern == PATTERN_STRIDE ? 3 * 65536 : 0;
	return params;
}

/* 0 would be what only a part without blocks has; shorter than 20000 reads. */
Test(loop_cost, every_way_to_go_round_has_one)
{
	enum layout layout;
	enum pattern pattern;

	for (layout = LAYOUT_SHARED; layout <= LAYOUT_EACH; layout++)
		for (pattern = PATTERN_SEQUENTIAL; pattern <= PATTERN_STRIDE;
		     pattern++) {
			bool is_random = pattern == PATTERN_RANDOM ||
					 pattern == PATTERN_RANDOM_REPEAT;
			struct run_params params =
				params_of(is_random ? 6 : 0, layout, pattern);

			expect_cost(&params);
			params.test = &tests[is_random ? 18 : 20];
			expect_cost(&params);
		}
}

Test(loop_cost, a_run_with_a_time_or_a_least_number_has_one)
{
	struct run_params params =
		params_of(0, LAYOUT_SHARED, PATTERN_SEQUENTIAL);

	params.time_ns = 1;
	expect_cost(&params);
	params.time_ns = 0;
	params.reads = 3;
	expect_cost(&params);
	params.reads = 0;
	params.stop_bytes = 1;
	expect_cost(&params);
}

/* Nothing is there that would cut what is asked for beyond the end. */
Test(loop_cost, the_last_block_of_direct_io_is_no_short_read)
{
	struct run_params params =
		params_of(0, LAYOUT_SHARED, PATTERN_SEQUENTIAL);

	params.direct = true;
	expect_cost(&params);
	params.test = &tests[16];
	expect_cost(&params);
}

/* Else the loop that is timed would not be the one of the run. */
Test(loop_cost, reads_are_in_flight_where_the_engine_keeps_them_there)
{
	size_t i;

	for (i = 0; engines[i]; i++) {
		const struct engine_ops *like = engine_null_like(engines[i]);

		cr_expect(like->reads_nothing);
		cr_expect_eq(!like->reap, !engines[i]->reap, "%s",
			     engines[i]->name);
	}
}

Test(loop_cost, what_is_in_flight_comes_back_once)
{
	const struct engine_ops *ops = engine_null_like(&engine_libaio);
	const struct engine_job job = { .slots = 3 };
	struct io_op flying[3] = { { .size_bytes = 1 },
				   { .size_bytes = 2 },
				   { .size_bytes = 3 } };
	struct io_op *done[3];
	int64_t sum = 0;
	struct err err;
	void *state;
	int i, got;

	cr_assert(!ops->open(&job, &state, &err), "%s", err.text);
	for (i = 0; i < 3; i++)
		cr_expect_eq(ops->submit(state, &flying[i]), 1);
	got = ops->reap(state, done, 1, 2);
	cr_assert_eq(got, 2);
	cr_assert_eq(ops->reap(state, done + got, 1, 3), 1);
	for (i = 0; i < 3; i++)
		sum += done[i]->result;
	cr_expect_eq(sum, 6);
	cr_expect_eq(ops->reap(state, done, 0, 3), 0);
	ops->close(state);
}

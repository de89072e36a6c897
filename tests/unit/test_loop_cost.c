// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/loop_cost.h"

#include <criterion/criterion.h>

#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "tests/unit/planned.h"

TestSuite(loop_cost, .fini = planned_free, .timeout = 60);

static const struct plan_file files[] = {
	{ .path = "a", .size_bytes = 100001, .direct_offset_bytes = 512 },
	{ .path = "b", .size_bytes = 5 << 20, .direct_offset_bytes = 512 },
	{ .path = "c", .size_bytes = 1, .direct_offset_bytes = 512 },
};

/* There is one, and the plan is as it was. */
static void expect_cost(const struct run_params *params)
{
	struct plan plan = planned_make(params, files);
	const struct sequence_part before = plan.lanes[0].part;
	struct loop_cost cost;
	struct err err;

	cr_assert_eq(loop_cost_measure(&plan, false, &cost, &err), 0);
	cr_expect_gt(cost.loop_ns, 0, "%s %s", layout_name(params->layout),
		     pattern_name(params->pattern));
	cr_expect_eq(cost.latency_ns, 0);
	cr_assert_eq(loop_cost_measure(&plan, true, &cost, &err), 0);
	cr_expect_gt(cost.loop_ns, 0);
	cr_expect_leq(cost.latency_ns, cost.loop_ns);
	cr_expect_eq(plan.lanes[0].part.limit, before.limit);
	cr_expect_eq(plan.lanes[0].part.count, before.count);
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans of the batch tests: one thread on all targets, with a lane for each. */
#include <criterion/criterion.h>

#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "tests/unit/planned.h"

#define MOST_TARGETS 4

TestSuite(plan_batch, .fini = planned_free);

static void check_batch(const struct test *test, unsigned int threads,
			unsigned int targets)
{
	struct plan_file files[MOST_TARGETS];
	struct run_params params = planned_params(FORM_READ, targets, threads);
	struct plan plan;
	unsigned int i;

	for (i = 0; i < targets; i++)
		files[i] = (struct plan_file){ .path = "/f",
					       .size_bytes = 100001 };
	params.test = test;
	params.layout = LAYOUT_EACH;
	plan = planned_make(&params, files);
	cr_assert_eq(plan.thread_count, threads / targets);
	cr_assert_eq(plan.lane_count, threads / targets * targets);
	for (i = 0; i < plan.lane_count; i++) {
		const struct plan_thread *thread = &plan.threads[i / targets];

		cr_assert_eq(plan.lanes[i].target, i % targets);
		cr_assert_eq(plan.lanes[i].rank, i / targets);
		cr_assert_eq(thread->lanes, &plan.lanes[i - i % targets]);
		cr_assert_eq(thread->lane_count, targets);
		cr_assert_eq(plan.targets[i % targets].threads,
			     threads / targets);
	}
	cr_assert_eq(planned_has_note(&plan, "is no multiple"),
		     threads % targets != 0, "%u of %u", threads, targets);
}

Test(plan_batch, a_batch_thread_drives_all_targets)
{
	unsigned int id, threads, targets;

	for (id = 16; id < TEST_COUNT; id++)
		for (targets = 1; targets <= MOST_TARGETS; targets++)
			for (threads = targets; threads <= 9; threads++) {
				check_batch(&tests[id], threads, targets);
				planned_free();
			}
}

Test(plan_batch, a_batch_tells_how_many_threads_are_not_made)
{
	const struct plan_file files[] = { { .path = "a", .size_bytes = 4096 },
					   { .path = "b", .size_bytes = 4096 },
					   { .path = "c",
					     .size_bytes = 4096 } };
	struct run_params params = planned_params(FORM_READ, 3, 5);
	struct plan plan;

	params.test = &tests[16];
	plan = planned_make(&params, files);
	cr_expect_eq(plan.thread_count, 1);
	cr_expect(planned_has_note(&plan,
				   "drives all 3 targets, of which -p 5 is no "
				   "multiple, so that as many threads are made "
				   "as by -p 3"));
}

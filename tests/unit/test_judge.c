// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "reports/judge.h"
#include "reports/match.h"
#include "reports/row.h"
#include "reports/series.h"
#include "tests/unit/runs.h"

static struct judge_rules rules(bool warm)
{
	struct judge_rules made = { .warm = warm };
	size_t i;

	for (i = 0; i < METRIC_COUNT; i++)
		made.tolerances[i] = metrics[i].tolerance;
	return made;
}

static struct judgement judge_two(const struct run_spec *a,
				  const struct run_spec *b, enum metric_id id,
				  bool warm)
{
	const struct judge_rules usual = rules(warm);
	struct series of_a = { 0 }, of_b = { 0 };
	struct judgement judgement;
	struct pair pair;

	if (a)
		series_take(&of_a, a);
	if (b)
		series_take(&of_b, b);
	pair = (struct pair){ .a = of_a.rows, .b = of_b.rows };
	judgement = judge(&usual, &metrics[id], &pair);
	series_free(&of_a);
	series_free(&of_b);
	return judgement;
}

Test(judge, the_good_direction_is_up_for_rates_and_down_for_cpu)
{
	static const struct run_spec base = { .kib_per_s = 1000,
					      .busy_ticks = 100,
					      .idle_ticks = 100 };
	static const struct run_spec more = { .kib_per_s = 1100,
					      .busy_ticks = 120,
					      .idle_ticks = 80 };

	cr_expect_eq(judge_two(&base, &more, METRIC_KBS, false).verdict,
		     VERDICT_BETTER);
	cr_expect_eq(judge_two(&more, &base, METRIC_KBS, false).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(&base, &more, METRIC_CPU, false).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(&more, &base, METRIC_CPU, false).verdict,
		     VERDICT_BETTER);
	cr_expect_eq(judge_two(&base, &base, METRIC_CPU, false).verdict,
		     VERDICT_WITHIN);
}

Test(judge, what_was_not_proved_cold_has_a_say_only_when_asked)
{
	static const struct run_spec cold = { .kib_per_s = 1000 };
	static const struct run_spec warm = { .kib_per_s = 10,
					      .verdict = COLD_WARM };
	static const struct run_spec unknown = { .kib_per_s = 10,
						 .verdict = COLD_UNKNOWN };

	cr_expect_eq(judge_two(&cold, &warm, METRIC_KBS, false).reason,
		     REASON_NOT_COLD);
	cr_expect_eq(judge_two(&cold, &warm, METRIC_KBS, false).verdict,
		     VERDICT_NONE);
	cr_expect_eq(judge_two(&unknown, &cold, METRIC_CPU, false).reason,
		     REASON_NOT_COLD);
	cr_expect_eq(judge_two(&cold, &warm, METRIC_KBS, true).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(&unknown, &cold, METRIC_KBS, true).verdict,
		     VERDICT_BETTER);
}

Test(judge, rows_that_were_to_be_warm_have_a_say)
{
	static const struct run_spec base = { .kib_per_s = 1000,
					      .verdict = COLD_WARM,
					      .warm = WARM_FILL_READ };
	static const struct run_spec slower = { .kib_per_s = 10,
						.verdict = COLD_WARM,
						.warm = WARM_FILL_READ };

	cr_expect_eq(judge_two(&base, &slower, METRIC_KBS, false).verdict,
		     VERDICT_WORSE);
}

Test(judge, rows_that_were_verified_have_none_whatever_is_asked)
{
	static const struct run_spec base = { .kib_per_s = 1000 };
	static const struct run_spec verified = { .kib_per_s = 10,
						  .verify = true };

	cr_expect_eq(judge_two(&base, &verified, METRIC_KBS, true).reason,
		     REASON_VERIFIED);
	cr_expect_eq(judge_two(&verified, &base, METRIC_CPU, true).verdict,
		     VERDICT_NONE);
}

Test(judge, too_few_ticks_silence_cpu_and_not_the_rate)
{
	static const struct run_spec base = { .kib_per_s = 1000 };
	static const struct run_spec brief = { .kib_per_s = 10,
					       .busy_ticks = 1,
					       .idle_ticks = 98 };

	cr_expect_eq(judge_two(&base, &brief, METRIC_CPU, true).reason,
		     REASON_TOO_SHORT);
	cr_expect(judge_two(&base, &brief, METRIC_CPU, true).has_b);
	cr_expect_eq(judge_two(&base, &brief, METRIC_KBS, false).verdict,
		     VERDICT_WORSE);
}

Test(judge, a_run_that_failed_in_a_has_no_say_even_when_warm_ones_have)
{
	static const struct run_spec base = { 0 };
	static const struct run_spec failed = { .error = "EIO" };
	static const struct run_spec na = { .error = "no",
					    .not_available = true };

	cr_expect_eq(judge_two(&failed, &base, METRIC_KBS, true).reason,
		     REASON_FAILED);
	cr_expect_eq(judge_two(&failed, &failed, METRIC_KBS, true).reason,
		     REASON_FAILED);
	cr_expect_eq(judge_two(&base, &na, METRIC_KBS, true).reason,
		     REASON_FAILED);
	cr_expect_eq(judge_two(&na, &base, METRIC_KBS, true).reason,
		     REASON_FAILED);
}

Test(judge, what_failed_in_b_and_not_in_a_is_worse_by_any_metric)
{
	static const struct run_spec base = { 0 };
	static const struct run_spec failed = { .error = "EIO" };

	cr_expect_eq(judge_two(&base, &failed, METRIC_KBS, false).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(&base, &failed, METRIC_CPU, false).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(NULL, &failed, METRIC_KBS, false).verdict,
		     VERDICT_NONE);
	cr_expect(judge_two(&base, NULL, METRIC_KBS, false).missing_in_b);
}

Test(judge, a_missing_row_or_value_has_no_say)
{
	static const struct run_spec base = { 0 };
	static const struct run_spec kbs = { .imported_metric = "kbs",
					     .imported_text = "5" };

	cr_expect_eq(judge_two(&base, NULL, METRIC_KBS, false).reason,
		     REASON_MISSING);
	cr_expect_eq(judge_two(NULL, &base, METRIC_CPU, false).reason,
		     REASON_MISSING);
	cr_expect_eq(judge_two(&kbs, &base, METRIC_CPU, false).reason,
		     REASON_MISSING);
	cr_expect_eq(judge_two(&kbs, &base, METRIC_KBS, false).verdict,
		     VERDICT_BETTER);
}

Test(judge, a_zero_base_is_decided_by_the_absolute_part)
{
	static const struct run_spec none = { .imported_metric = "cpu",
					      .imported_text = "0" };
	static const struct run_spec half = { .imported_metric = "cpu",
					      .imported_text = "0.5" };
	static const struct run_spec five = { .imported_metric = "cpu",
					      .imported_text = "5" };

	cr_expect_not(
		judge_two(&none, &five, METRIC_CPU, false).result.pct_known);
	cr_expect_eq(judge_two(&none, &five, METRIC_CPU, false).verdict,
		     VERDICT_WORSE);
	cr_expect_eq(judge_two(&none, &half, METRIC_CPU, false).verdict,
		     VERDICT_WITHIN);
}

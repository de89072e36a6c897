// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "reports/metric.h"
#include "reports/row.h"
#include "reports/series.h"
#include "tests/unit/runs.h"

static void expect_text(const struct row *row, enum metric_id id,
			const char *wanted)
{
	char *text = metric_text(&metrics[id], row);

	cr_expect_str_eq(text, wanted, "%s: '%s', not '%s'", metrics[id].column,
			 text, wanted);
	free(text);
}

Test(metric, cpu_is_of_the_ticks_of_all_runs_together)
{
	struct series series = { 0 };

	/* 10 of 20 and 90 of 980: 10 %, where the mean of both is 29.6 %. */
	series_take(&series,
		    &(struct run_spec){ .busy_ticks = 10, .idle_ticks = 10 });
	series_take(&series,
		    &(struct run_spec){ .busy_ticks = 90, .idle_ticks = 890 });
	expect_text(&series.rows[0], METRIC_CPU, "10.00");
	series_free(&series);
}

Test(metric, steal_is_busy_and_iowait_is_not)
{
	struct series series = { 0 };

	/* Half of the idle ticks of a run are iowait. */
	series_take(&series, &(struct run_spec){ .busy_ticks = 60,
						 .steal_ticks = 40,
						 .idle_ticks = 140 });
	expect_text(&series.rows[0], METRIC_CPU, "30.00");
	cr_expect_eq(series.rows[0].steal_ticks, 40);
	series_free(&series);
}

Test(metric, rates_are_of_sums_and_means)
{
	struct series series = { 0 };

	series_take(&series, &(struct run_spec){ .kib_per_s = 1000 });
	series_take(&series, &(struct run_spec){ .kib_per_s = 3000 });
	expect_text(&series.rows[0], METRIC_KBS, "2000");
	/* 4000 KB by 100 busy ticks of 10 ms. */
	expect_text(&series.rows[0], METRIC_KB_PER_CPU_S, "4000");
	expect_text(&series.rows[0], METRIC_KB_PER_REQUEST, "128.0");
	series_free(&series);
}

Test(metric, what_cannot_be_divided_is_a_dash)
{
	struct series series = { 0 };
	double value;

	series_take(&series, &(struct run_spec){ .error = "no" });
	expect_text(&series.rows[0], METRIC_KBS, "-");
	expect_text(&series.rows[0], METRIC_CPU, "-");
	expect_text(&series.rows[0], METRIC_KB_PER_CPU_S, "-");
	expect_text(&series.rows[0], METRIC_KB_PER_REQUEST, "-");
	cr_expect_not(metrics[METRIC_CPU].value(&series.rows[0], &value));
	cr_expect_eq(value, 0);
	series_free(&series);
}

Test(metric, a_published_number_is_echoed_and_several_are_not)
{
	struct series series = { 0 };

	series_take(&series, &(struct run_spec){ .imported_metric = "cpu",
						 .imported_text = "4.70%" });
	expect_text(&series.rows[0], METRIC_CPU, "4.70%");
	expect_text(&series.rows[0], METRIC_KBS, "-");
	series_take(&series, &(struct run_spec){ .imported_metric = "cpu",
						 .imported_text = "5.1" });
	expect_text(&series.rows[0], METRIC_CPU, "4.90");
	series_free(&series);
}

Test(metric, below_100_ticks_a_measured_row_is_too_short)
{
	struct series series = { 0 };

	series_take(&series,
		    &(struct run_spec){ .busy_ticks = 9, .idle_ticks = 90 });
	cr_expect(row_is_short(&series.rows[0]));
	series_take(&series,
		    &(struct run_spec){ .busy_ticks = 1, .idle_ticks = 1 });
	cr_expect_not(row_is_short(&series.rows[0]));
	series_free(&series);
	series_take(&series, &(struct run_spec){ .imported_metric = "cpu",
						 .imported_text = "5.1" });
	cr_expect_not(row_is_short(&series.rows[0]));
	series_free(&series);
}

Test(metric, only_those_with_a_tolerance_have_a_name)
{
	cr_expect_eq(metric_by_name("kbs", 3), &metrics[METRIC_KBS]);
	cr_expect_eq(metric_by_name("cpu=3%", 3), &metrics[METRIC_CPU]);
	cr_expect_null(metric_by_name("kb", 2));
	cr_expect_null(metric_by_name("kb_per_request", 14));
	cr_expect_null(metric_by_name("", 0));
}

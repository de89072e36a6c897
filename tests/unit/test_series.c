// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/err.h"
#include "reports/series.h"
#include "tests/unit/runs.h"

Test(series, equal_runs_become_one_row)
{
	struct series series = { 0 };
	unsigned int i;

	for (i = 0; i < 9; i++)
		series_take(&series,
			    &(struct run_spec){ .kib_per_s = 100 + i });
	cr_expect_eq(series.row_count, 1);
	cr_expect_eq(series.run_count, 9);
	cr_expect_eq(series.rows[0].kbs.count, 9);
	cr_expect_eq(series.rows[0].kbs.values[8], 108);
	cr_expect_eq(series.rows[0].cold_runs, 9);
	series_free(&series);
}

Test(series, each_part_of_the_key_makes_a_row_of_its_own)
{
	static const struct run_spec apart[] = {
		{ .block_bytes = 4096 },
		{ .block_bytes = 8192 },
		{ .test = "randread" },
		{ .threads = 4 },
		{ .fadvise = FADVISE_RANDOM },
		{ .engine = "pread" },
		{ .direct = true },
		{ .reads = 10 },
		{ .stop_bytes = 4096 },
		{ .time_ns = 1000 },
		{ .time_ns = 1000, .ramp_ns = 1 },
		{ .pattern = PATTERN_REVERSE },
		{ .pattern = PATTERN_STRIDE, .stride_bytes = 8192 },
		{ .pattern = PATTERN_STRIDE, .stride_bytes = 16384 },
		{ .rwf = RWF_FLAG_NOWAIT },
		{ .rwf = RWF_FLAG_NOWAIT | RWF_FLAG_DONTCACHE },
		{ .madvise = MADVISE_HUGEPAGE },
		{ .readahead = true },
		{ .noatime = true },
		{ .latency = true },
		{ .verify = true },
		{ .warm = WARM_FILL_READ },
		{ .warm = WARM_FILL_WRITE },
		{ .range_bytes = 4096 },
		{ .read_ahead_kib = 16 },
		{ .imported_metric = "kbs", .imported_text = "1" },
	};
	const size_t count = sizeof(apart) / sizeof(apart[0]);
	struct series series = { 0 };
	size_t i;

	for (i = 0; i < 2 * count; i++)
		series_take(&series, &apart[i % count]);
	cr_expect_eq(series.row_count, count);
	for (i = 0; i < series.row_count; i++)
		cr_expect_eq(series.rows[i].runs, 2, "row %zu", i);
	series_free(&series);
}

static void expect_setting(const struct run_spec *spec, enum setting_id id,
			   const char *wanted)
{
	struct series series = { 0 };

	series_take(&series, spec);
	cr_assert_eq(series.values[id].count, 1, "%s", settings[id].name);
	cr_expect_str_eq(series.values[id].list[0], wanted);
	series_free(&series);
}

Test(series, lines_from_before_there_was_a_choice_have_what_is_usual)
{
	static const struct run_spec old = { .cpus = "0,1" };
	size_t i;

	for (i = 0; i < SETTING_COUNT; i++)
		if (settings[i].usual)
			expect_setting(&old, (enum setting_id)i,
				       settings[i].usual);
	expect_setting(&old, SETTING_SIBLINGS, "first of each core");
	expect_setting(&old, SETTING_CORE_KINDS, "fastest");
	expect_setting(&(struct run_spec){ .test = "randread" },
		       SETTING_PATTERN, "random");
}

Test(series, settings_say_in_words_how_a_run_read_and_ended)
{
	expect_setting(&(struct run_spec){ .time_ns = 10000000000,
					   .ramp_ns = 2000000000 },
		       SETTING_COUNT_BYTES, "10s after 2s");
	expect_setting(&(struct run_spec){ .stop_bytes = 65536 },
		       SETTING_COUNT_BYTES, "64k of each target");
	expect_setting(&(struct run_spec){ .pattern = PATTERN_STRIDE,
					   .stride_bytes = 1 << 20 },
		       SETTING_PATTERN, "stride of 1m");
	expect_setting(&(struct run_spec){ .rwf = 3 }, SETTING_RWF,
		       "nowait,hipri");
}

Test(series, where_threads_were_is_told_in_their_order)
{
	expect_setting(&(struct run_spec){ .cpus = "0,1", .smt = 1 },
		       SETTING_SIBLINGS, "0 x 1, 1 x 1");
	expect_setting(&(struct run_spec){ .cpus = "0,1", .kind = 1 },
		       SETTING_CORE_KINDS, "0 x 1, 1 x 1");
	expect_setting(&(struct run_spec){ .smt = 1 }, SETTING_SIBLINGS,
		       "not pinned");
}

/* -n falls as -s grows in the classic sweep: one kind of row all the same. */
Test(series, a_stop_rule_in_bytes_does_not_vary_with_the_block_size)
{
	struct series series = { 0 };

	series_take(&series,
		    &(struct run_spec){ .block_bytes = 1024, .reads = 20480 });
	series_take(&series,
		    &(struct run_spec){ .block_bytes = 2048, .reads = 10240 });
	cr_assert_eq(series.row_count, 2);
	cr_expect_str_eq(series.rows[0].settings[SETTING_COUNT_BYTES],
			 series.rows[1].settings[SETTING_COUNT_BYTES]);
	series_free(&series);
}

Test(series, a_run_that_failed_before_it_saw_its_files_joins_its_row)
{
	static const struct run_spec good = { 0 };
	static const struct run_spec failed = { .error = "open: no",
						.blind = true };
	struct series first = { 0 }, last = { 0 };

	series_take(&first, &failed);
	series_take(&first, &good);
	series_take(&last, &good);
	series_take(&last, &failed);
	cr_assert_eq(first.row_count, 1);
	cr_assert_eq(last.row_count, 1);
	cr_expect_str_eq(first.rows[0].settings[SETTING_RANGE], "1m");
	cr_expect_eq(first.rows[0].failed_runs, 1);
	cr_expect_eq(first.rows[0].kbs.count, 1);
	cr_expect_str_eq(first.rows[0].errors.list[0], "open: no");
	series_free(&first);
	series_free(&last);
}

Test(series, both_metrics_of_published_figures_make_one_row)
{
	struct series series = { 0 };

	series_take(&series, &(struct run_spec){ .imported_metric = "kbs",
						 .imported_text = "44083" });
	series_take(&series, &(struct run_spec){ .imported_metric = "cpu",
						 .imported_text = "27.87" });
	cr_assert_eq(series.row_count, 1);
	cr_expect_eq(series.rows[0].kbs.values[0], 44083);
	cr_expect_eq(series.rows[0].cpu_pct.values[0], 27.87);
	cr_expect_eq(row_results(&series.rows[0]), 1);
	series_free(&series);
}

Test(series, published_figures_that_are_none_are_refused)
{
	static const struct {
		const char *metric, *text, *fault;
	} cases[] = {
		{ "iops", "5", "'iops'" },     { "kbs", "nan", "'nan'" },
		{ "kbs", "-5", "'-5'" },       { "cpu", "", "''" },
		{ "cpu", "1e999", "'1e999'" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct run_spec spec = {
			.imported_metric = cases[i].metric,
			.imported_text = cases[i].text,
		};
		struct series series = { 0 };
		struct run_record run;
		struct err err = { "" };

		run_of(&spec, &run);
		cr_expect_eq(
			series_add_run(&series, SERIES_NO_CAMPAIGN, &run, &err),
			-EINVAL);
		cr_expect(strstr(err.text, cases[i].fault), "%s", err.text);
		run_record_free(&run);
		series_free(&series);
	}
}

Test(series, a_result_without_a_span_is_an_error_and_no_infinity)
{
	static const struct run_spec good = { 0 };
	struct series series = { 0 };
	struct run_record run;
	struct err err;

	run_of(&good, &run);
	run.span_ns = 0;
	cr_assert_eq(series_add_run(&series, SERIES_NO_CAMPAIGN, &run, &err),
		     0);
	cr_expect_eq(series.rows[0].failed_runs, 1);
	cr_expect_eq(series.rows[0].kbs.count, 0);
	run_record_free(&run);
	series_free(&series);
}

Test(series, of_warm_runs_the_warmest_is_kept)
{
	struct series series = { 0 };
	struct row *row;

	series_take(&series, &(struct run_spec){ .verdict = COLD_WARM,
						 .kib_per_s = 1000,
						 .device_bytes = 500000 });
	series_take(&series, &(struct run_spec){ .verdict = COLD_WARM,
						 .kib_per_s = 2000,
						 .device_bytes = 4 });
	series_take(&series, &(struct run_spec){ .kib_per_s = 3000 });
	row = &series.rows[0];
	cr_expect_eq(row->warm_runs, 2);
	cr_expect_eq(row->cold_runs, 1);
	cr_expect(row->device_bytes_known);
	cr_expect_eq(row->device_bytes, 4);
	cr_expect_eq(row->device_bytes_wanted, 2000 * 1024);
	series_free(&series);
}

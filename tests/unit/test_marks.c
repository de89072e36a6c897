// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/marks.h"
#include "reports/match.h"
#include "reports/metric.h"
#include "reports/row.h"
#include "reports/series.h"
#include "tests/unit/runs.h"

static struct series series;

static void fini(void)
{
	series_free(&series);
}

static void expect_explained(const char *wanted)
{
	const struct row *rows[8];
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < series.row_count; i++)
		rows[i] = &series.rows[i];
	cr_expect_eq(marks_explain(out, "", rows, series.row_count), 0);
	fclose(out);
	cr_expect_str_eq(text, wanted, "'%s', not '%s'", text, wanted);
	free(text);
}

Test(marks, a_row_beyond_doubt_has_none, .fini = fini)
{
	char marks[MARKS_BYTES];

	series_take(&series, &(struct run_spec){ 0 });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "");
	expect_explained("");
}

Test(marks, one_run_of_many_is_enough_for_a_mark, .fini = fini)
{
	char marks[MARKS_BYTES];

	series_take(&series, &(struct run_spec){ 0 });
	series_take(&series, &(struct run_spec){ .verdict = COLD_WARM });
	series_take(&series, &(struct run_spec){ .verdict = COLD_UNKNOWN });
	series_take(&series, &(struct run_spec){ .error = "EIO" });
	series_take(&series,
		    &(struct run_spec){ .error = "no", .not_available = true });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "wuen");
}

Test(marks, device_bytes_stand_beside_the_cause, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .kib_per_s = 102400,
						 .verdict = COLD_WARM,
						 .cause = "holes" });
	expect_explained("w  4096: device bytes 0 of 104857600\n"
			 "w  4096: holes\n");
}

Test(marks, device_bytes_that_are_all_there_was_are_no_reason, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .kib_per_s = 1024,
						 .verdict = COLD_UNKNOWN,
						 .device_bytes = 1027605,
						 .cause = "compressed" });
	series_take(&series, &(struct run_spec){ .block_bytes = 8192,
						 .kib_per_s = 1024,
						 .verdict = COLD_WARM,
						 .device_bytes = 1048576 });
	expect_explained("w  8192: warm, and the record has no cause\n"
			 "u  4096: compressed\n");
}

Test(marks, a_cause_that_tells_device_bytes_tells_them_once, .fini = fini)
{
	series_take(&series,
		    &(struct run_spec){ .kib_per_s = 102400,
					.verdict = COLD_WARM,
					.cause = "device bytes 0 of 104857600, "
						 "all of it unwritten" });
	expect_explained("w  4096: device bytes 0 of 104857600, all of it "
			 "unwritten\n");
}

Test(marks, causes_that_differ_in_numbers_alone_are_one, .fini = fini)
{
	static const char *const causes[] = {
		"still mounted by pid 812 (cat)",
		"still mounted by pid 99 (cat)",
		"still mounted by pid 7 (dog)",
	};
	size_t i;

	for (i = 0; i < 3; i++)
		series_take(&series, &(struct run_spec){
					     .block_bytes = UINT64_C(1024) << i,
					     .verdict = COLD_UNKNOWN,
					     .cause = causes[i],
					     .kib_per_s = 1024,
					     .device_bytes = 1027604 });
	expect_explained(
		"u  all rows: device bytes 1027604 of 1048576\n"
		"u  1024, 2048: still mounted by pid 812 (cat) (or alike)\n"
		"u  4096: still mounted by pid 7 (dog)\n");
}

Test(marks, the_same_words_under_two_marks_are_told_twice, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .verdict = COLD_WARM,
						 .cause = "device bytes" });
	series_take(&series, &(struct run_spec){ .block_bytes = 8192,
						 .verdict = COLD_UNKNOWN,
						 .cause = "device bytes" });
	expect_explained("w  4096: device bytes\nu  8192: device bytes\n");
}

Test(marks, of_several_tests_each_is_named, .fini = fini)
{
	static const struct run_spec cold = { .block_bytes = 512 };
	struct run_spec failed = { .error = "EIO" };

	series_take(&series, &failed);
	failed.block_bytes = 8192;
	series_take(&series, &failed);
	failed.test = "randread";
	series_take(&series, &failed);
	series_take(&series, &cold);
	expect_explained("e  seqread 4096, 8192, randread 8192: EIO\n");
}

Test(marks, errors_and_what_is_not_available_have_their_reason, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .error = "read f: EIO" });
	series_take(&series, &(struct run_spec){ .block_bytes = 512,
						 .error = "needs 4096",
						 .not_available = true });
	expect_explained("e  4096: read f: EIO\nn  512: needs 4096\n");
}

Test(marks, short_rows_and_steal_are_told_in_numbers, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .busy_ticks = 10,
						 .steal_ticks = 2,
						 .idle_ticks = 40 });
	expect_explained(
		"t  4096: 50 ticks of all CPUs in total, less than "
		"100: too short for %CPU\n"
		"-  steal, which %CPU counts as busy, was up to 4.00 % "
		"of CPU time\n");
}

Test(marks, of_a_pair_both_sides_are_told_and_t_of_cpu_alone, .fini = fini)
{
	static const struct run_spec warm = { .verdict = COLD_WARM };
	static const struct run_spec brief = { .block_bytes = 512,
					       .busy_ticks = 1,
					       .idle_ticks = 1 };
	struct pair pair;
	char *text;

	series_take(&series, &warm);
	series_take(&series, &brief);
	pair = (struct pair){ .a = &series.rows[0], .b = &series.rows[1] };
	text = marks_of_pair(&metrics[METRIC_CPU], &pair);
	cr_expect_str_eq(text, "Aw Bt");
	free(text);
	text = marks_of_pair(&metrics[METRIC_KBS], &pair);
	cr_expect_str_eq(text, "Aw");
	free(text);
	pair.a = NULL;
	text = marks_of_pair(&metrics[METRIC_KBS], &pair);
	cr_expect_str_eq(text, "only in B");
	free(text);
}

Test(marks, a_cache_that_was_to_be_filled_is_a_note_and_no_mark, .fini = fini)
{
	char marks[MARKS_BYTES];

	series_take(&series,
		    &(struct run_spec){ .warm = WARM_FILL_READ,
					.verdict = COLD_WARM,
					.cause = "filled by reading before" });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "");
	expect_explained("-  4096: page cache: filled by reading before\n");
}

/* Of an engine that reads nothing no cache is known. */
Test(marks, a_run_that_was_to_be_warm_and_is_not_known_to_be_has_its_mark,
     .fini = fini)
{
	char marks[MARKS_BYTES];

	series_take(&series, &(struct run_spec){ .warm = WARM_FILL_READ,
						 .verdict = COLD_UNKNOWN });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "u");
}

Test(marks, rows_that_were_verified_have_one, .fini = fini)
{
	char marks[MARKS_BYTES];

	series_take(&series, &(struct run_spec){ .verify = true });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "v");
	expect_explained("v  4096: every byte was compared, so that rates mean "
			 "nothing\n");
}

Test(marks, bytes_that_a_write_left_in_memory_are_no_reason, .fini = fini)
{
	series_take(&series, &(struct run_spec){ .test = "seqwrite",
						 .verdict = COLD_UNKNOWN,
						 .cause = "the test writes" });
	expect_explained("u  4096: the test writes\n");
}

Test(marks, what_a_flush_needed_besides_is_a_note_of_cold_rows_too,
     .fini = fini)
{
	static const char *const causes[] = { "8192 bytes were left",
					      "4096 bytes were left", NULL };
	char marks[MARKS_BYTES];
	size_t i;

	for (i = 0; i < 3; i++)
		series_take(&series, &(struct run_spec){
					     .block_bytes = UINT64_C(1024) << i,
					     .flush_fallback = "fadvise",
					     .flush_cause = causes[i] });
	/* A cause alone: nothing came after the method. */
	series_take(&series, &(struct run_spec){ .block_bytes = 8192,
						 .flush_cause = "left" });
	marks_of(&series.rows[0], marks);
	cr_expect_str_eq(marks, "");
	expect_explained("-  1024, 2048: the flush needed fadvise too: 8192 "
			 "bytes were left (or alike)\n"
			 "-  4096: the flush needed fadvise too: the record "
			 "has no cause\n");
}

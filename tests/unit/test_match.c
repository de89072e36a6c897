// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "reports/match.h"
#include "reports/row.h"
#include "reports/series.h"
#include "tests/unit/runs.h"

static struct series a, b;
static struct matches matches;

static void match(void)
{
	struct err err = { "" };

	cr_assert_eq(matches_make(&a, b.row_count ? &b : NULL, &matches, &err),
		     0, "%s", err.text);
}

static void fini(void)
{
	matches_free(&matches);
	series_free(&a);
	series_free(&b);
}

Test(match, rows_are_paired_by_block_size_in_its_order, .fini = fini)
{
	static const uint64_t sizes[] = { 65536, 1024, 4096 };
	size_t i;

	for (i = 0; i < 3; i++) {
		series_take(&a, &(struct run_spec){ .block_bytes = sizes[i] });
		series_take(&b,
			    &(struct run_spec){ .block_bytes = sizes[2 - i] });
	}
	match();
	cr_assert_eq(matches.count, 1);
	cr_assert_eq(matches.list[0].pair_count, 3);
	cr_expect_eq(matches.list[0].common, 3);
	cr_expect_eq(matches.list[0].pairs[0].a->block_bytes, 1024);
	cr_expect_eq(matches.list[0].pairs[0].b->block_bytes, 1024);
	cr_expect_eq(matches.list[0].pairs[2].b->block_bytes, 65536);
	cr_expect_eq(match_group_end(&matches.list[0], 0), 3);
}

Test(match, what_differs_wholly_is_what_is_compared, .fini = fini)
{
	series_take(&a, &(struct run_spec){ .read_ahead_kib = 2560 });
	series_take(&b, &(struct run_spec){ .read_ahead_kib = 16,
					    .fadvise = FADVISE_RANDOM,
					    .direct = true,
					    .engine = "pread" });
	match();
	cr_assert_eq(matches.list[0].pair_count, 1);
	cr_expect_eq(matches.list[0].common, 1);
	cr_expect_str_eq(matches.list[0].only_a[SETTING_READ_AHEAD], "2560");
	cr_expect_str_eq(matches.list[0].only_b[SETTING_READ_AHEAD], "16");
	cr_expect_str_eq(matches.list[0].only_b[SETTING_FADVISE], "random");
	cr_expect_str_eq(matches.list[0].only_b[SETTING_DIRECT], "yes");
	cr_expect_str_eq(matches.list[0].only_a[SETTING_ENGINE], "read");
	cr_expect_null(matches.list[0].only_a[SETTING_THREADS]);
}

Test(match, what_varies_inside_one_label_tells_rows_apart, .fini = fini)
{
	const struct match *m;
	char *heading;

	series_take(&a, &(struct run_spec){ .fadvise = FADVISE_NONE });
	series_take(&b, &(struct run_spec){ .fadvise = FADVISE_RANDOM });
	series_take(&b, &(struct run_spec){ .fadvise = FADVISE_NONE });
	match();
	m = &matches.list[0];
	cr_assert_eq(m->pair_count, 2);
	cr_expect_eq(m->common, 1);
	cr_expect(m->varies[SETTING_FADVISE]);
	cr_expect_null(m->only_a[SETTING_FADVISE]);
	cr_expect_str_eq(m->pairs[0].b->settings[SETTING_FADVISE], "none");
	cr_expect_not_null(m->pairs[0].a);
	cr_expect_null(m->pairs[1].a);
	cr_expect_eq(match_group_end(m, 0), 1);
	heading = match_group_heading(m, 1);
	cr_expect_str_eq(heading, "fadvise random");
	free(heading);
}

Test(match, numbers_in_settings_are_sorted_as_numbers, .fini = fini)
{
	series_take(&a, &(struct run_spec){ .read_ahead_kib = 128 });
	series_take(&a, &(struct run_spec){ .read_ahead_kib = 16 });
	match();
	cr_assert_eq(matches.list[0].pair_count, 2);
	cr_expect_str_eq(
		matches.list[0].pairs[0].a->settings[SETTING_READ_AHEAD], "16");
}

Test(match, rows_that_one_side_lacks_stay, .fini = fini)
{
	series_take(&a, &(struct run_spec){ .block_bytes = 1024 });
	series_take(&a, &(struct run_spec){ .block_bytes = 2048 });
	series_take(&b, &(struct run_spec){ .block_bytes = 2048 });
	series_take(&b, &(struct run_spec){ .block_bytes = 4096 });
	match();
	cr_assert_eq(matches.list[0].pair_count, 3);
	cr_expect_eq(matches.list[0].common, 1);
	cr_expect_null(matches.list[0].pairs[0].b);
	cr_expect_null(matches.list[0].pairs[2].a);
	cr_expect_eq(pair_row(&matches.list[0].pairs[2])->block_bytes, 4096);
}

Test(match, each_test_has_a_match_of_its_own, .fini = fini)
{
	series_take(&a, &(struct run_spec){ .test = "randread" });
	series_take(&a, &(struct run_spec){ .test = "seqread" });
	series_take(&b, &(struct run_spec){ .test = "randpread" });
	match();
	cr_assert_eq(matches.count, 3);
	cr_expect_str_eq(matches.list[0].test->name, "seqread");
	cr_expect_str_eq(matches.list[1].test->name, "randread");
	cr_expect_str_eq(matches.list[2].test->name, "randpread");
	cr_expect_eq(matches.list[0].common, 0);
	/* The engine is the test's, and no difference. */
	cr_expect_null(matches.list[1].only_a[SETTING_ENGINE]);
}

Test(match, published_figures_match_measured_rows, .fini = fini)
{
	series_take(&a, &(struct run_spec){ .imported_metric = "kbs",
					    .imported_text = "44083" });
	series_take(&b, &(struct run_spec){ .threads = 16 });
	match();
	cr_assert_eq(matches.list[0].pair_count, 1);
	cr_expect_eq(matches.list[0].common, 1);
	cr_expect_null(matches.list[0].only_a[SETTING_THREADS]);
}

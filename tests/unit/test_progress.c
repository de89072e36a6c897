// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/progress.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "lib/base/clock.h"

Test(progress, the_rest_takes_as_long_as_what_is_done)
{
	cr_expect_eq(progress_left_ns(10 * NS_PER_S, 1, 4), 30 * NS_PER_S);
	cr_expect_eq(progress_left_ns(10 * NS_PER_S, 3, 4), 10 * NS_PER_S / 3);
}

Test(progress, nothing_is_known_before_something_is_done)
{
	cr_expect_eq(progress_left_ns(10 * NS_PER_S, 0, 4), 0);
	cr_expect_eq(progress_left_ns(10 * NS_PER_S, 4, 4), 0);
}

/* A petabyte after a month: the product has 111 bits. */
Test(progress, large_counts_do_not_overflow)
{
	const uint64_t month_ns = UINT64_C(2592000) * NS_PER_S;
	const uint64_t bytes = UINT64_C(1) << 50;

	cr_expect_eq(progress_left_ns(month_ns, bytes / 2, bytes), month_ns);
}

static void expect_text(uint64_t ns, const char *wanted)
{
	char text[32];

	progress_format_ns(ns, text);
	cr_expect_str_eq(text, wanted);
}

Test(progress, times_are_rounded_up_and_short)
{
	expect_text(1, "1 s");
	expect_text(59 * NS_PER_S, "59 s");
	expect_text(59 * NS_PER_S + 1, "1 min 00 s");
	expect_text(125 * NS_PER_S, "2 min 05 s");
	expect_text(3599 * NS_PER_S, "59 min 59 s");
	expect_text(12000 * NS_PER_S, "3 h 20 min");
}

Test(progress, nothing_is_shown_where_stderr_is_no_terminal,
     .init = cr_redirect_stderr)
{
	struct progress progress;

	progress_begin(&progress);
	progress_show(&progress, 1, 2, "run %d", 1);
	progress_end(&progress);
	fflush(stderr);
	cr_assert_stderr_eq_str("");
}

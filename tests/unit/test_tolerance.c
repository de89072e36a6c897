// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/err.h"
#include "reports/tolerance.h"

Test(tolerance, a_difference_equal_to_the_allowance_does_not_count)
{
	const struct tolerance three_pct = { .abs = 0, .pct_of_base = 3 };

	cr_expect_not(tolerance_compare(&three_pct, 1000, 1030).beyond);
	cr_expect(tolerance_compare(&three_pct, 1000, 1030.1).beyond);
	cr_expect_not(tolerance_compare(&three_pct, 1000, 970).beyond);
	cr_expect(tolerance_compare(&three_pct, 1000, 969.9).beyond);
}

/* 0.1 + 0.2 is not 0.3 in binary: the last digit must not give a star. */
Test(tolerance, rounding_does_not_make_a_star)
{
	const struct tolerance tolerance = { .abs = 0.3, .pct_of_base = 0 };

	cr_assert_gt(0.1 + 0.2, 0.3);
	cr_expect_not(tolerance_compare(&tolerance, 0, 0.1 + 0.2).beyond);
}

Test(tolerance, both_parts_add_up)
{
	const struct tolerance cpu = { .abs = 0.5, .pct_of_base = 3 };
	const struct tolerance_result result =
		tolerance_compare(&cpu, 27.87, 11.72);

	cr_expect_float_eq(result.allowed, 1.3361, 1e-9);
	cr_expect_float_eq(result.diff, -16.15, 1e-9);
	cr_expect_float_eq(result.pct_diff, -57.9476139218, 1e-9);
	cr_expect(result.beyond);
}

Test(tolerance, of_nothing_the_absolute_part_decides)
{
	const struct tolerance cpu = { .abs = 0.5, .pct_of_base = 3 };
	const struct tolerance none = { .abs = 0, .pct_of_base = 3 };

	cr_expect_not(tolerance_compare(&cpu, 0, 5).pct_known);
	cr_expect(tolerance_compare(&cpu, 0, 5).beyond);
	cr_expect_not(tolerance_compare(&cpu, 0, 0.5).beyond);
	cr_expect_not(tolerance_compare(&none, 0, 0).beyond);
	cr_expect(tolerance_compare(&none, 0, 0.001).beyond);
	cr_expect(tolerance_compare(&none, 100, 0).beyond);
}

Test(tolerance, either_part_may_be_left_out)
{
	static const struct {
		const char *text;
		double abs, pct;
	} cases[] = {
		{ "0.5+3%", 0.5, 3 },	 { "3%", 0, 3 },
		{ "0.5", 0.5, 0 },	 { "0+0%", 0, 0 },
		{ "1e+2+3%", 100, 3 },	 { ".5+.25%", .5, .25 },
		{ "1e2+1e1%", 100, 10 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tolerance tolerance;
		struct err err;

		cr_expect_eq(tolerance_parse("--tol", cases[i].text, &tolerance,
					     &err),
			     0, "%s", cases[i].text);
		cr_expect_eq(tolerance.abs, cases[i].abs, "%s: abs %g",
			     cases[i].text, tolerance.abs);
		cr_expect_eq(tolerance.pct_of_base, cases[i].pct, "%s: pct %g",
			     cases[i].text, tolerance.pct_of_base);
	}
}

Test(tolerance, what_is_none_is_refused_by_name)
{
	static const char *const cases[] = {
		"",	"%",   "+",	"+3%", "0.5+",	 "0.5+%", "0.5+3",
		"-1",	"-1%", "1+-3%", "nan", "inf%",	 "x",	  "1+2+3%",
		"3%+1", "1 %", " 1",	"3%%", "0x1+3%", "1e999", "e+3%",
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tolerance tolerance = { 1, 1 };
		struct err err = { "" };

		cr_expect_eq(
			tolerance_parse("--tol", cases[i], &tolerance, &err),
			-EINVAL, "'%s'", cases[i]);
		cr_expect(strstr(err.text, "--tol: '"), "%s", err.text);
		cr_expect(tolerance.abs == 0 && tolerance.pct_of_base == 0,
			  "'%s' left something", cases[i]);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "reports/statistics.h"

/* NIST's NumAcc1 and NumAcc4: naive sums of squares lose all digits there. */
Test(statistics, large_and_close_values_keep_their_spread)
{
	static const double three[] = { 10000001, 10000003, 10000002 };
	double many[1001] = { 10000000.2 };
	struct statistics s;
	size_t i;

	s = statistics_of(three, 3);
	cr_expect_eq(s.mean, 10000002);
	cr_expect_float_eq(s.sd, 1, 1e-12);
	for (i = 1; i < 1001; i++)
		many[i] = i % 2 ? 10000000.1 : 10000000.3;
	s = statistics_of(many, 1001);
	cr_expect_float_eq(s.mean, 10000000.2, 1e-8);
	cr_expect_float_eq(s.sd, 0.1, 1e-8);
}

Test(statistics, the_spread_is_of_a_sample)
{
	static const double runs[] = { 44083, 43790, 44412, 44105, 43968 };
	const struct statistics s = statistics_of(runs, 5);
	double cv_pct;

	cr_expect_float_eq(s.mean, 44071.6, 1e-9);
	cr_expect_float_eq(s.sd, 227.568231526, 1e-6);
	cr_expect(statistics_cv_pct(&s, &cv_pct));
	cr_expect_float_eq(cv_pct, 0.516360267216, 1e-9);
}

Test(statistics, equal_values_have_no_spread_at_all)
{
	static const double equal[] = { 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3,
					1.0 / 3, 1.0 / 3, 1.0 / 3 };
	const struct statistics s = statistics_of(equal, 7);
	double cv_pct;

	cr_expect_eq(s.mean, 1.0 / 3);
	cr_expect_eq(s.sd, 0);
	cr_expect(statistics_cv_pct(&s, &cv_pct));
	cr_expect_eq(cv_pct, 0);
}

Test(statistics, one_value_has_a_mean_and_no_spread)
{
	static const double one[] = { 42 };
	const struct statistics s = statistics_of(one, 1);
	double cv_pct = 1;

	cr_expect_eq(s.mean, 42);
	cr_expect_not(statistics_cv_pct(&s, &cv_pct));
	cr_expect_eq(cv_pct, 0);
}

Test(statistics, nothing_gives_no_nan)
{
	static const double zeros[] = { 0, 0 };
	struct statistics s = statistics_of(NULL, 0);
	double cv_pct;

	cr_expect_eq(s.mean, 0);
	cr_expect_eq(s.sd, 0);
	cr_expect_not(statistics_cv_pct(&s, &cv_pct));
	s = statistics_of(zeros, 2);
	cr_expect_not(statistics_cv_pct(&s, &cv_pct));
	cr_expect_eq(cv_pct, 0);
}

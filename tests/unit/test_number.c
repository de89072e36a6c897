// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "reports/number.h"

Test(number, decimals_are_read_as_they_are_written)
{
	static const struct {
		const char *text;
		double number;
	} cases[] = {
		{ "0", 0 },	  { "44083", 44083 }, { "27.87", 27.87 },
		{ ".5", .5 },	  { "4.", 4 },	      { "1e3", 1000 },
		{ "1E-2", 0.01 }, { "1e+2", 100 },    { "0007", 7 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double number;

		cr_expect_eq(number_parse(cases[i].text, strlen(cases[i].text),
					  &number),
			     0, "%s", cases[i].text);
		cr_expect_eq(number, cases[i].number, "%s is %g", cases[i].text,
			     number);
	}
}

Test(number, what_strtod_takes_beyond_decimals_is_refused)
{
	static const char *const cases[] = { "",     "-1",   "+1",   " 1",
					     "1 ",   "nan",  "NaN",  "inf",
					     "-inf", "0x10", "1e",   "1e+",
					     ".",    "1.2.", "1,5",  "e5",
					     "5%",   "--",   "12abc" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double number = 7;

		cr_expect_eq(number_parse(cases[i], strlen(cases[i]), &number),
			     -EINVAL, "'%s'", cases[i]);
		cr_expect_eq(number, 0, "'%s' left %g", cases[i], number);
	}
}

Test(number, what_is_beyond_a_double_is_no_infinity)
{
	double number;

	cr_expect_eq(number_parse("1e999", 5, &number), -ERANGE);
	cr_expect_eq(number, 0);
}

Test(number, a_figure_may_have_a_percent_sign)
{
	double number;

	cr_expect_eq(figure_parse("127.6%", &number), 0);
	cr_expect_eq(number, 127.6);
	cr_expect_eq(figure_parse("9", &number), 0);
	cr_expect_eq(number, 9);
	cr_expect_eq(figure_parse("%", &number), -EINVAL);
	cr_expect_eq(figure_parse("5%%", &number), -EINVAL);
	cr_expect_eq(figure_parse("", &number), -EINVAL);
}

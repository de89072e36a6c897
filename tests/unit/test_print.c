// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/print.h"

static void expect_wrapped(const char *head, const char *text,
			   const char *wanted)
{
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	print_wrapped(out, head, text);
	fclose(out);
	cr_expect_str_eq(printed, wanted, "'%s', not '%s'", printed, wanted);
	free(printed);
}

Test(print, lines_are_wrapped_at_78_and_indented)
{
	expect_wrapped("", "", "\n");
	expect_wrapped("a  ", "b  c", "a  b c\n");
	expect_wrapped("head  ",
		       "one two three four five six seven eight nine ten "
		       "eleven twelve words 178",
		       "head  one two three four five six seven eight nine ten "
		       "eleven twelve words 178\n");
	expect_wrapped("head  ",
		       "one two three four five six seven eight nine ten "
		       "eleven twelve words 1078",
		       "head  one two three four five six seven eight nine ten "
		       "eleven twelve words\n      1078\n");
}

Test(print, what_is_not_printable_ascii_is_escaped)
{
	char *text = text_printable("a\x1b[2J\n\t\x7f\xc3\xa4 ~");

	cr_expect_str_eq(text, "a\\x1b[2J\\x0a\\x09\\x7f\\xc3\\xa4 ~");
	free(text);
	expect_wrapped("", "a\nb\rc", "a\\x0ab\\x0dc\n");
}

Test(print, a_missing_label_is_told)
{
	char *none = label_shown(""), *some = label_shown("6.18");

	cr_expect_str_eq(none, "(no label)");
	cr_expect_str_eq(some, "6.18");
	free(none);
	free(some);
}

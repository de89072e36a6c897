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

Test(print, what_is_no_text_or_would_move_the_cursor_is_escaped)
{
	char *text = text_printable("a\x1b[2J\n\t\x7f\xc2\x9b\xe4 ~");

	cr_expect_str_eq(text, "a\\x1b[2J\\x0a\\x09\\x7f\\xc2\\x9b\\xe4 ~");
	free(text);
	expect_wrapped("", "a\nb\rc", "a\\x0ab\\x0dc\n");
}

Test(print, utf8_is_shown_as_it_is_and_a_column_a_character)
{
	char *text = text_printable("K\xc3\xa4rn \xe2\x82\xac");

	cr_expect_str_eq(text, "K\xc3\xa4rn \xe2\x82\xac");
	cr_expect_eq(text_width(text), 6);
	cr_expect_eq(text_width("\xe4"), 4);
	free(text);
}

Test(print, a_missing_label_is_told)
{
	char *none = label_shown(""), *some = label_shown("6.18");

	cr_expect_str_eq(none, "(no label)");
	cr_expect_str_eq(some, "6.18");
	free(none);
	free(some);
}

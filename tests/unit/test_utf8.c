// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/utf8.h"

#include <criterion/criterion.h>

Test(utf8, characters_of_every_length_are_shown)
{
	cr_expect_eq(utf8_shown_bytes("a\xc3\xa4"), 1);
	cr_expect_eq(utf8_shown_bytes("\xc3\xa4"), 2);
	cr_expect_eq(utf8_shown_bytes("\xe2\x82\xac"), 3);
	cr_expect_eq(utf8_shown_bytes("\xf0\x9f\x90\xa7"), 4);
	cr_expect_eq(utf8_shown_bytes("\xf4\x8f\xbf\xbf"), 4);
	cr_expect(utf8_is_shown("K\xc3\xa4rn \xe2\x82\xac~"));
	cr_expect(utf8_is_shown(""));
}

Test(utf8, what_is_no_character_is_not)
{
	static const char *const cases[] = {
		"\x80",
		"\xbf",
		"\xc3",
		"\xc3 ",
		"\xc0\xaf",
		"\xc1\x81",
		"\xe0\x80\xaf",
		"\xe2\x82",
		"\xed\xa0\x80",
		"\xff",
		"\xf5\x80\x80\x80",
		"\xf4\x90\x80\x80",
		"\xf0\x80\x80\xaf",
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect_eq(utf8_shown_bytes(cases[i]), 0, "case %zu", i);
		cr_expect_not(utf8_is_shown(cases[i]), "case %zu", i);
	}
}

Test(utf8, what_would_move_the_cursor_is_not)
{
	static const char *const cases[] = { "\n",	     "\x1b[2J",
					     "\x7f",	     "\xc2\x9b",
					     "\xe2\x80\xa8", "\xe2\x80\xae",
					     "\xe2\x81\xa6" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_not(utf8_is_shown(cases[i]), "case %zu", i);
}

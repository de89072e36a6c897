// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/label.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/err.h"

Test(label, names_are_taken_with_blanks_and_in_utf8)
{
	struct err err = { "" };

	cr_expect_eq(label_check("6.18.5-mm1 #2", &err), 0, "%s", err.text);
	cr_expect_eq(label_check("K\xc3\xa4rn", &err), 0, "%s", err.text);
}

Test(label, what_no_table_or_command_line_could_have_is_refused)
{
	static const struct {
		const char *label, *why;
	} cases[] = {
		{ "", "is empty" },	   { "  ", "is blank" },
		{ "a:b", "no colon" },	   { ":", "no colon" },
		{ "a\nb", "control" },	   { "\x1b[2J", "control" },
		{ "a\tb", "control" },	   { "\xc2\x9b", "control" },
		{ "\xe4", "to be UTF-8" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };

		cr_expect_eq(label_check(cases[i].label, &err), -EINVAL, "'%s'",
			     cases[i].label);
		cr_expect(strstr(err.text, cases[i].why), "%s", err.text);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/err.h"

Test(err, the_object_comes_first_and_the_kernels_words_behind)
{
	struct err err;

	cr_expect_eq(err_set(&err, -ENOENT, "open %s", "/mnt/mnt2/foo"),
		     -ENOENT);
	cr_expect_str_eq(err.text, "open /mnt/mnt2/foo: No such file or "
				   "directory");
	cr_expect_eq(err_say(&err, -EINVAL, "%d targets", 3), -EINVAL);
	cr_expect_str_eq(err.text, "3 targets");
}

Test(err, nobody_need_want_the_text)
{
	cr_expect_eq(err_set(NULL, -EIO, "read"), -EIO);
	cr_expect_eq(err_say(NULL, -EIO, "read"), -EIO);
}

Test(err, a_text_that_is_too_long_is_cut_and_closed)
{
	static char path[2 * ERR_TEXT_BYTES];
	struct err err;

	memset(path, 'x', sizeof(path) - 1);
	cr_expect_eq(err_set(&err, -EIO, "read %s", path), -EIO);
	cr_expect_eq(strlen(err.text), ERR_TEXT_BYTES - 1);
}

Test(err, percent_signs_in_a_name_are_no_format)
{
	struct err err;

	err_set(&err, -ENOENT, "open %s", "%s%n%d");
	cr_expect_str_eq(err.text, "open %s%n%d: No such file or directory");
}

Test(err, it_is_printed_as_one_line_whatever_a_file_is_called,
     .init = cr_redirect_stderr)
{
	struct err err;

	err_set(&err, -ENOENT, "open %s", "a\n\x1b[2J\xc3\xa4 \x7f");
	err_print(&err);
	fflush(stderr);
	cr_expect_stderr_eq_str(
		"rawread: open a\\x0a\\x1b[2J\xc3\xa4 \\x7f: No "
		"such file or directory\n");
}

Test(err, descriptors_that_ran_out_are_told_with_the_cure)
{
	struct err err;

	cr_expect_eq(err_set(&err, -EMFILE, "eventfd"), -EMFILE);
	cr_expect_str_eq(err.text,
			 "eventfd: all descriptors of this process are in use; "
			 "raise 'ulimit -n'");
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "tests/unit/memory_file.h"

Test(file, a_text_comes_whole_and_without_its_last_newlines)
{
	struct memory_file file = memory_file("a\nb\n\n");
	struct err err;
	char *text;

	cr_assert_eq(file_read_text("", file.path, &text, &err), 0);
	cr_expect_str_eq(text, "a\nb");
	free(text);
	close(file.fd);
}

Test(file, a_long_text_comes_whole_too)
{
	char *long_text = malloc(100001), *text;
	struct memory_file file;
	struct err err;

	memset(long_text, 'x', 100000);
	long_text[100000] = '\0';
	file = memory_file(long_text);
	cr_assert_eq(file_read_text("", file.path, &text, &err), 0);
	cr_expect_str_eq(text, long_text);
	free(text);
	free(long_text);
	close(file.fd);
}

Test(file, an_empty_file_is_an_empty_text)
{
	struct memory_file file = memory_file("");
	struct err err;
	char *text;

	cr_assert_eq(file_read_text("", file.path, &text, &err), 0);
	cr_expect_str_eq(text, "");
	free(text);
	close(file.fd);
}

Test(file, the_root_stands_before_the_path)
{
	struct err err;
	char *text;

	cr_expect_eq(file_read_text("/proc", "/self/comm", &text, &err), 0);
	free(text);
	cr_expect_eq(file_read_text("/proc", "/none", &text, &err), -ENOENT);
	cr_expect_null(text);
	cr_expect(strstr(err.text, "open /proc/none"), "%s", err.text);
	cr_expect_eq(file_read_text("", "/proc", &text, &err), -EISDIR);
	cr_expect(strstr(err.text, "read /proc"), "%s", err.text);
}

Test(file, a_number_is_a_number_and_nothing_else)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t number;
	} cases[] = {
		{ "2560\n", 0, 2560 }, { "0", 0, 0 },	     { "", -EINVAL, 0 },
		{ "x", -EINVAL, 0 },   { "5x", -EINVAL, 5 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct memory_file file = memory_file(cases[i].text);
		uint64_t number;
		struct err err;

		cr_expect_eq(file_read_u64("", file.path, &number, &err),
			     cases[i].rc, "'%s'", cases[i].text);
		cr_expect_eq(number, cases[i].number, "'%s'", cases[i].text);
		close(file.fd);
	}
}

Test(file, what_is_written_is_there_or_the_reason_is_told)
{
	struct memory_file file = memory_file("");
	struct err err;
	char *text;

	cr_assert_eq(file_write_text("", file.path, "16", &err), 0, "%s",
		     err.text);
	text = memory_file_text(&file);
	cr_expect_str_eq(text, "16");
	free(text);
	close(file.fd);
	cr_expect_eq(file_write_text("", "/dev/full", "16", &err), -ENOSPC);
	cr_expect(strstr(err.text, "write '16' to /dev/full"), "%s", err.text);
	cr_expect_eq(file_write_text("", "/nonexistent", "16", &err), -ENOENT);
}

Test(file, text_is_made_as_long_as_it_needs_to_be)
{
	char *text = text_format("%0500d", 7);

	cr_expect_eq(strlen(text), 500);
	free(text);
}

Test(file, what_is_open_is_named_by_its_path_where_it_has_one)
{
	struct memory_file file = memory_file("");
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char wanted[64];
	struct err err;

	cr_assert(fd >= 0);
	cr_expect_eq(fd_err(&err, -EIO, fd, "FIEMAP of"), -EIO);
	cr_expect_str_eq(err.text, "FIEMAP of /proc: Input/output error");
	fd_err(&err, -EIO, file.fd, "fstat");
	snprintf(wanted, sizeof(wanted),
		 "fstat descriptor %d: Input/output error", file.fd);
	cr_expect_str_eq(err.text, wanted);
	close(fd);
	close(file.fd);
}

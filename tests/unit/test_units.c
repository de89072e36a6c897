// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/units.h"

Test(units, sizes_are_read_in_powers_of_1024)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{ "0", 0 },
		{ "16384", 16384 },
		{ "16b", 16 },
		{ "16k", 16384 },
		{ "16K", 16384 },
		{ "16KB", 16384 },
		{ "16KiB", 16384 },
		{ "3m", 3 * MIB },
		{ "2g", 2 * KIB * MIB },
		{ "7T", 7 * MIB * MIB },
		{ "9223372036854775807", INT64_MAX },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t bytes = 1;

		cr_expect_eq(size_parse("size", cases[i].text, 1, &bytes, &err),
			     0, "%s", err.text);
		cr_expect_eq(bytes, cases[i].bytes, "%s is %" PRIu64,
			     cases[i].text, bytes);
	}
}

Test(units, a_plain_number_counts_in_the_unit_of_its_option)
{
	uint64_t bytes;
	struct err err;

	cr_expect_eq(size_parse("-o", "3", MIB, &bytes, &err), 0);
	cr_expect_eq(bytes, 3 * MIB);
	cr_expect_eq(size_parse("-o", "3k", MIB, &bytes, &err), 0);
	cr_expect_eq(bytes, 3 * KIB);
}

Test(units, what_is_no_size_is_refused_by_name)
{
	static const char *const cases[] = { "",     "k",    "-1",   "+1",
					     " 1",   "1 ",   "1x",   "1kk",
					     "1kix", "1.5k", "0x10", "1bb",
					     "1bib", "nan" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t bytes = 1;

		cr_expect_eq(
			size_parse("block-size", cases[i], 1, &bytes, &err),
			-EINVAL, "'%s'", cases[i]);
		cr_expect_eq(bytes, 0);
		cr_expect(strstr(err.text, "block-size: '"), "%s", err.text);
	}
}

Test(units, what_does_not_fit_a_file_offset_is_refused_by_name)
{
	static const char *const cases[] = { "9223372036854775808",
					     "18446744073709551616", "8388608t",
					     "9007199254740992k",
					     "99999999999999999999999999" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t bytes = 1;

		cr_expect_eq(size_parse("range", cases[i], 1, &bytes, &err),
			     -ERANGE, "%s", cases[i]);
		cr_expect_eq(bytes, 0);
		cr_expect(strstr(err.text, "range: '"), "%s", err.text);
	}
	cr_expect_eq(size_parse("range", "9007199254740992", MIB,
				&(uint64_t){ 0 }, NULL),
		     -ERANGE);
}

Test(units, counts_keep_their_bounds)
{
	struct err err = { "" };
	uint64_t count;

	cr_expect_eq(count_parse("threads", "1", 1, 64, &count, &err), 0);
	cr_expect_eq(count, 1);
	cr_expect_eq(count_parse("threads", "64", 1, 64, &count, &err), 0);
	cr_expect_eq(count, 64);
	cr_expect_eq(count_parse("threads", "0", 1, 64, &count, &err), -ERANGE);
	cr_expect_eq(count_parse("threads", "65", 1, 64, &count, &err),
		     -ERANGE);
	cr_expect_str_eq(err.text, "threads: '65' is not between 1 and 64");
	cr_expect_eq(count_parse("threads", "99999999999999999999", 0,
				 UINT64_MAX, &count, &err),
		     -ERANGE);
	cr_expect_eq(count_parse("threads", "18446744073709551615", 0,
				 UINT64_MAX, &count, &err),
		     0);
	cr_expect_eq(count_parse("threads", "-1", 0, 64, &count, &err),
		     -EINVAL);
	cr_expect_eq(count_parse("threads", "1k", 0, 64, &count, &err),
		     -EINVAL);
	cr_expect_eq(count_parse("threads", "", 0, 64, &count, &err), -EINVAL);
}

static void expect_list(const char *text, const uint64_t *wanted, size_t count)
{
	struct err err = { "" };
	uint64_t *sizes;
	size_t got, i;

	cr_assert_eq(size_list_parse("list", text, &sizes, &got, &err), 0, "%s",
		     err.text);
	cr_assert_eq(got, count, "%s gives %zu", text, got);
	for (i = 0; i < count; i++)
		cr_expect_eq(sizes[i], wanted[i], "%s [%zu] is %" PRIu64, text,
			     i, sizes[i]);
	free(sizes);
}

Test(units, a_list_of_sizes_doubles_and_keeps_its_order)
{
	expect_list("1k..8k", (uint64_t[]){ 1024, 2048, 4096, 8192 }, 4);
	expect_list("1k..7k", (uint64_t[]){ 1024, 2048, 4096 }, 3);
	expect_list("64k,4k", (uint64_t[]){ 65536, 4096 }, 2);
	expect_list("4k,1k..8k,4k", (uint64_t[]){ 4096, 1024, 2048, 8192 }, 4);
	expect_list("4611686018427387904..9223372036854775807",
		    (uint64_t[]){ UINT64_C(1) << 62 }, 1);
}

Test(units, a_list_that_is_none_leaves_nothing)
{
	static const char *const cases[] = { "",	",",	 "4k,",	 "0",
					     "8k..4k",	"0..4k", "..4k", "4k..",
					     "4k...8k", "x" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t *sizes = (uint64_t *)&sizes;
		size_t count = 1;
		struct err err;

		cr_expect_eq(
			size_list_parse("list", cases[i], &sizes, &count, &err),
			-EINVAL, "'%s'", cases[i]);
		cr_expect_null(sizes);
		cr_expect_eq(count, 0);
	}
}

Test(units, sizes_are_shown_short_and_exact)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 1000, "1000" },
		{ 16384, "16k" },
		{ 1536, "1536" },
		{ 3 * MIB, "3m" },
		{ KIB * MIB, "1g" },
		{ INT64_MAX, "9223372036854775807" },
		{ UINT64_MAX, "18446744073709551615" },
		{ UINT64_C(1) << 63, "8388608t" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[24];

		size_format(cases[i].bytes, text);
		cr_expect_str_eq(text, cases[i].text, "%s", text);
	}
}

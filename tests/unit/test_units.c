// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/splitmix.h"
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

Test(units, durations_are_seconds_or_what_their_unit_says)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "0", 0 },
		{ "10", UINT64_C(10000000000) },
		{ "10s", UINT64_C(10000000000) },
		{ "007s", UINT64_C(7000000000) },
		{ "0.25", 250000000 },
		{ "1.5s", 1500000000 },
		{ "1500ms", 1500000000 },
		{ "0.001us", 1 },
		{ "3ns", 3 },
		{ "2m", UINT64_C(120000000000) },
		{ "1.5m", UINT64_C(90000000000) },
		{ "0.5h", UINT64_C(1800000000000) },
		{ "0.000000001", 1 },
		{ "0.999999999s", 999999999 },
		/* Digits beyond the ninth may still be whole nanoseconds. */
		{ "0.00000000005m", 3 },
		{ "0.10000000000000000000000000000000", 100000000 },
		{ "18446744073709551615ns", UINT64_MAX },
		{ "18446744073.709551615", UINT64_MAX },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t ns = 1;

		cr_expect_eq(duration_parse("time", cases[i].text, 0,
					    UINT64_MAX, &ns, &err),
			     0, "%s", err.text);
		cr_expect_eq(ns, cases[i].ns, "%s is %" PRIu64, cases[i].text,
			     ns);
	}
}

Test(units, what_is_no_duration_is_refused_by_name)
{
	static const char *const cases[] = {
		"",
		"s",
		"-1",
		"+1",
		" 1",
		"1 ",
		"1 s",
		"1s ",
		"1ss",
		"1m30s",
		"1S",
		"1min",
		"1sx",
		".5",
		"5.",
		"5.s",
		"1.5.2",
		"1,5",
		"1e3",
		"nan",
		"inf",
		"0x10",
		"1.-5",
		"1. 5",
		"1.5 s",
		"1:30",
		"1d",
		"1.5n",
		"99999999999999999999x",
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char named[64];
		struct err err = { "" };
		uint64_t ns = 1;

		cr_expect_eq(duration_parse("time", cases[i], 0, UINT64_MAX,
					    &ns, &err),
			     -EINVAL, "'%s'", cases[i]);
		cr_expect_eq(ns, 0);
		snprintf(named, sizeof(named), "time: '%s' is not a duration; ",
			 cases[i]);
		cr_expect_eq(strncmp(err.text, named, strlen(named)), 0, "%s",
			     err.text);
	}
}

Test(units, a_part_of_a_nanosecond_is_refused_by_name)
{
	static const char *const cases[] = { "0.5ns", "0.0001us", "1.0005us",
					     "0.0000000001", "0.00000000001m" };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t ns = 1;

		cr_expect_eq(duration_parse("time", cases[i], 0, UINT64_MAX,
					    &ns, &err),
			     -EINVAL, "%s", cases[i]);
		cr_expect_eq(ns, 0);
		cr_expect(strstr(err.text, "time: '"), "%s", err.text);
		cr_expect(strstr(err.text, cases[i]), "%s", err.text);
	}
}

Test(units, durations_keep_their_bounds)
{
	static const char *const cases[] = { "0", "0.999999999",
					     "24.000000001h",
					     "86400.000000001s" };
	const uint64_t second_ns = 1000000000, day_ns = 86400 * second_ns;
	struct err err = { "" };
	uint64_t ns;
	size_t i;

	cr_expect_eq(duration_parse("time", "1", second_ns, day_ns, &ns, NULL),
		     0);
	cr_expect_eq(ns, second_ns);
	cr_expect_eq(
		duration_parse("time", "24h", second_ns, day_ns, &ns, NULL), 0);
	cr_expect_eq(ns, day_ns);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect_eq(duration_parse("time", cases[i], second_ns, day_ns,
					    &ns, &err),
			     -ERANGE, "%s is %" PRIu64, cases[i], ns);
		cr_expect_eq(ns, 0);
	}
	duration_parse("time", "25h", second_ns, day_ns, &ns, &err);
	cr_expect_str_eq(err.text, "time: '25h' is not between 1s and 24h");
}

Test(units, a_duration_beyond_64_bits_is_refused_by_name)
{
	static const char *const cases[] = {
		"5124096h", "18446744073.709551616", "18446744073709551615.5h",
		"18446744073709551616ns", "99999999999999999999999999.5"
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };
		uint64_t ns = 1;

		cr_expect_eq(duration_parse("time", cases[i], 0, UINT64_MAX,
					    &ns, &err),
			     -ERANGE, "%s is %" PRIu64, cases[i], ns);
		cr_expect_eq(ns, 0);
		cr_expect(strstr(err.text, "time: '"), "%s", err.text);
		cr_expect(strstr(err.text, cases[i]), "%s", err.text);
	}
}

Test(units, durations_are_shown_short_and_exact)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "0s" },
		{ 1, "1ns" },
		{ 1000, "1us" },
		{ 1500, "1500ns" },
		{ 1500000000, "1500ms" },
		{ UINT64_C(10000000000), "10s" },
		{ UINT64_C(90000000000), "90s" },
		{ UINT64_C(120000000000), "2m" },
		{ UINT64_C(5400000000000), "90m" },
		{ UINT64_C(86400000000000), "24h" },
		{ UINT64_MAX, "18446744073709551615ns" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[32];

		duration_format(cases[i].ns, text);
		cr_expect_str_eq(text, cases[i].text, "%s", text);
	}
}

Test(units, a_duration_shown_is_read_back)
{
	uint64_t state = 7, unit_ns, ns, back;
	char text[32];
	int i;

	for (i = 0; i < 1000; i++)
		for (unit_ns = 1; unit_ns <= 10000000000; unit_ns *= 10) {
			ns = splitmix_next(&state) % 1000 * unit_ns * 36;
			duration_format(ns, text);
			cr_assert_eq(duration_parse("time", text, ns, ns, &back,
						    NULL),
				     0, "%s", text);
			cr_assert_eq(back, ns, "%s", text);
		}
	duration_format(UINT64_MAX, text);
	cr_assert_eq(duration_parse("time", text, 0, UINT64_MAX, &back, NULL),
		     0);
	cr_assert_eq(back, UINT64_MAX);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/content.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORDS 4096

static uint64_t one[WORDS], other[WORDS];

Test(content, a_part_is_the_same_as_in_the_whole)
{
	content_fill(7, 0, one, WORDS);
	content_fill(7, 1000, other, 100);
	cr_expect(!memcmp(one + 1000, other, 100 * sizeof(*one)));
}

Test(content, another_seed_is_another_file)
{
	size_t i, equal = 0;

	content_fill(7, 0, one, WORDS);
	content_fill(8, 0, other, WORDS);
	for (i = 0; i < WORDS; i++)
		equal += one[i] == other[i];
	cr_expect_eq(equal, 0);
}

/* Files that were made before have to be known again. */
Test(content, the_words_of_a_seed_stay_what_they_were)
{
	content_fill(0, 0, one, 3);
	cr_expect_eq(one[0], UINT64_C(0xe220a8397b1dcdaf));
	cr_expect_eq(one[1], UINT64_C(0x6e789e6aa1b965f4));
	cr_expect_eq(one[2], UINT64_C(0x06c45d188009454f));
}

/* 32 KiB of even bytes would compress; each value has to come about as often.
 */
Test(content, every_byte_value_is_as_frequent)
{
	const unsigned char *bytes = (const unsigned char *)one;
	unsigned int counts[256] = { 0 };
	size_t i;

	content_fill(1, 0, one, WORDS);
	for (i = 0; i < sizeof(one); i++)
		counts[bytes[i]]++;
	for (i = 0; i < 256; i++)
		cr_expect(counts[i] > 64 && counts[i] < 192,
			  "byte %zu comes %u times, and 128 are even", i,
			  counts[i]);
}

static const size_t sizes[] = { 0,  1,	 2,   7,   8,	9,   15,   16,
				17, 511, 512, 513, 519, 520, 1024, 4099 };

#define SIZE_COUNT (sizeof(sizes) / sizeof(sizes[0]))

Test(content, any_part_at_any_byte_is_known_again)
{
	const char *bytes = (const char *)one;
	size_t offset, i;

	content_fill(7, 0, one, WORDS);
	for (offset = 0; offset < 40; offset++)
		for (i = 0; i < SIZE_COUNT; i++)
			cr_expect(content_check(7, offset, bytes + offset,
						sizes[i], NULL),
				  "%zu bytes at %zu", sizes[i], offset);
}

Test(content, every_single_wrong_byte_is_found)
{
	char *bytes = (char *)one;
	size_t offset, at, wrong;

	content_fill(7, 0, one, WORDS);
	for (offset = 0; offset < 9; offset++)
		for (at = 0; at < 1200; at++) {
			bytes[offset + at] ^= 0x10;
			wrong = SIZE_MAX;
			cr_expect_not(content_check(7, offset, bytes + offset,
						    1200, &wrong));
			cr_expect_eq(wrong, at, "%zu, not %zu, from %zu on",
				     wrong, at, offset);
			bytes[offset + at] ^= 0x10;
		}
}

Test(content, of_several_wrong_bytes_the_first_is_told)
{
	char *bytes = (char *)one;
	size_t wrong;

	content_fill(7, 0, one, WORDS);
	bytes[2000] ^= 1;
	bytes[777] ^= 1;
	bytes[778] ^= 1;
	cr_expect_not(content_check(7, 0, bytes, sizeof(one), &wrong));
	cr_expect_eq(wrong, 777, "%zu", wrong);
	cr_expect_not(content_check(7, 778, bytes + 778, 5000, NULL));
	cr_expect(content_check(7, 779, bytes + 779, 1000, NULL));
}

Test(content, data_of_another_place_or_seed_is_wrong)
{
	content_fill(7, 0, one, WORDS);
	cr_expect_not(content_check(7, 8, one, 4096, NULL));
	cr_expect_not(content_check(7, 1, one, 4096, NULL));
	cr_expect_not(content_check(8, 0, one, 4096, NULL));
}

Test(content, offsets_beyond_four_gigabytes_count_in_full)
{
	const uint64_t offset = UINT64_C(5) << 40;

	content_fill(7, offset / 8, one, WORDS);
	cr_expect(content_check(7, offset, one, sizeof(one), NULL));
	cr_expect(content_check(7, offset + 3, (char *)one + 3, 1000, NULL));
	cr_expect_not(content_check(7, offset & UINT32_MAX, one, 1000, NULL));
}

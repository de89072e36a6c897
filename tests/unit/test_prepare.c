// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/prepare.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORDS 4096

static uint64_t one[WORDS], other[WORDS];

Test(prepare_fill, a_part_is_the_same_as_in_the_whole)
{
	prepare_fill(7, 0, one, WORDS);
	prepare_fill(7, 1000, other, 100);
	cr_expect(!memcmp(one + 1000, other, 100 * sizeof(*one)));
}

Test(prepare_fill, another_seed_is_another_file)
{
	size_t i, equal = 0;

	prepare_fill(7, 0, one, WORDS);
	prepare_fill(8, 0, other, WORDS);
	for (i = 0; i < WORDS; i++)
		equal += one[i] == other[i];
	cr_expect_eq(equal, 0);
}

/* 32 KiB of even bytes would compress; each value has to come about as often.
 */
Test(prepare_fill, every_byte_value_is_as_frequent)
{
	const unsigned char *bytes = (const unsigned char *)one;
	unsigned int counts[256] = { 0 };
	size_t i;

	prepare_fill(1, 0, one, WORDS);
	for (i = 0; i < sizeof(one); i++)
		counts[bytes[i]]++;
	for (i = 0; i < 256; i++)
		cr_expect(counts[i] > 64 && counts[i] < 192,
			  "byte %zu comes %u times, and 128 are even", i,
			  counts[i]);
}

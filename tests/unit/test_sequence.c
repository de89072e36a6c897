// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/sequence.h"

#include <criterion/criterion.h>
#include <string.h>

#define MIB_BYTES (UINT64_C(1) << 20)

static struct sequence_part part_of(uint64_t range_bytes, uint64_t block_bytes)
{
	uint64_t blocks = sequence_blocks(range_bytes, block_bytes);

	return (struct sequence_part){
		.range_bytes = range_bytes,
		.block_bytes = block_bytes,
		.step = 1,
		.count = blocks,
		.limit = blocks,
		.last_asked_bytes = range_bytes - (blocks - 1) * block_bytes,
	};
}

Test(sequence, ends_after_the_range_with_its_short_tail)
{
	struct sequence_part part = part_of(100001, 65536);
	struct sequence sequence;
	uint64_t offset, size;

	sequence_init(&sequence, &part, NULL);
	cr_assert(sequence_next(&sequence, &offset, &size));
	cr_expect_eq(offset, 0);
	cr_expect_eq(size, 65536);
	cr_assert(sequence_next(&sequence, &offset, &size));
	cr_expect_eq(offset, 65536);
	cr_expect_eq(size, 34465);
	cr_expect_not(sequence_next(&sequence, &offset, &size));
	cr_expect_not(sequence_next(&sequence, &offset, &size));
}

Test(sequence, a_range_of_whole_blocks_has_no_short_one)
{
	struct sequence_part part = part_of(MIB_BYTES, 65536);
	struct sequence sequence;
	uint64_t offset, size, total = 0;

	sequence_init(&sequence, &part, NULL);
	while (sequence_next(&sequence, &offset, &size)) {
		cr_expect_eq(size, 65536);
		total += size;
	}
	cr_expect_eq(total, MIB_BYTES);
}

Test(sequence, wraps_to_the_start_of_its_own_part)
{
	struct sequence_part part = part_of(10 * 4096, 4096);
	struct sequence sequence;
	uint64_t offset, size, wanted[] = { 3, 4, 5, 3, 4, 5, 3 };
	size_t i;

	part.base = 3;
	part.count = 3;
	part.limit = SEQUENCE_ENDLESS;
	part.offset_bytes = MIB_BYTES;
	sequence_init(&sequence, &part, NULL);
	for (i = 0; i < 7; i++) {
		cr_assert(sequence_next(&sequence, &offset, &size));
		cr_expect_eq(offset, MIB_BYTES + wanted[i] * 4096);
	}
}

Test(sequence, takes_no_more_positions_than_its_limit)
{
	struct sequence_part part = part_of(3 * 4096, 4096);
	struct sequence_counter counter = { 0 };
	struct sequence own, shared;
	uint64_t offset, size;
	unsigned int i;

	part.limit = 7;
	sequence_init(&own, &part, NULL);
	sequence_init(&shared, &part, &counter);
	for (i = 0; i < 7; i++) {
		cr_assert(sequence_next(&own, &offset, &size));
		cr_expect_eq(offset, i % 3 * 4096);
		cr_assert(sequence_next(&shared, &offset, &size));
		cr_expect_eq(offset, i % 3 * 4096);
	}
	cr_expect_not(sequence_next(&own, &offset, &size));
	cr_expect_not(sequence_next(&shared, &offset, &size));
	part.limit = 2;
	sequence_init(&own, &part, NULL);
	cr_expect(sequence_next(&own, &offset, &size));
	cr_expect(sequence_next(&own, &offset, &size));
	cr_expect_not(sequence_next(&own, &offset, &size));
}

Test(sequence, goes_backwards_and_in_steps)
{
	struct sequence_part part = part_of(10 * 4096, 4096);
	const uint64_t backwards[] = { 9, 7, 5, 3, 1, 9 };
	struct sequence sequence;
	uint64_t offset, size;
	size_t i;

	part.base = 9;
	part.step = -UINT64_C(2);
	part.count = 5;
	part.limit = 6;
	sequence_init(&sequence, &part, NULL);
	for (i = 0; i < 6; i++) {
		cr_assert(sequence_next(&sequence, &offset, &size));
		cr_expect_eq(offset, backwards[i] * 4096);
	}
	cr_expect_not(sequence_next(&sequence, &offset, &size));
}

Test(sequence, draws_are_even_and_the_same_for_the_same_seed)
{
	struct sequence_part part = part_of(10 * 1024 + 7, 1024);
	unsigned int seen[11] = { 0 }, same = 0, i;
	struct sequence one, again, other;
	uint64_t a, b, c, size;

	part.order = SEQUENCE_DRAWN;
	part.count = part.limit = SEQUENCE_ENDLESS;
	part.seed = 5;
	sequence_init(&one, &part, NULL);
	sequence_init(&again, &part, NULL);
	part.seed = 6;
	sequence_init(&other, &part, NULL);
	for (i = 0; i < 11000; i++) {
		cr_assert(sequence_next(&one, &a, &size));
		cr_expect_eq(size, a == 10 * 1024 ? 7 : 1024);
		cr_assert(sequence_next(&again, &b, &size));
		cr_assert(sequence_next(&other, &c, &size));
		cr_assert_eq(a, b);
		same += a == c;
		seen[a / 1024]++;
	}
	/* 1000 each, and five times the deviation of about 30. */
	for (i = 0; i < 11; i++)
		cr_expect(seen[i] > 850 && seen[i] < 1150, "block %u: %u", i,
			  seen[i]);
	cr_expect(same > 850 && same < 1150, "%u", same);
}

Test(sequence, an_empty_part_ends_at_once)
{
	struct sequence_part part = part_of(8192, 4096);
	struct sequence sequence;
	uint64_t offset, size;

	part.count = part.limit = 0;
	sequence_init(&sequence, &part, NULL);
	cr_expect_not(sequence_next(&sequence, &offset, &size));
	part.base = 2;
	sequence_init(&sequence, &part, NULL);
	cr_expect_not(sequence_next(&sequence, &offset, &size));
}

Test(sequence, threads_with_a_counter_share_each_block_out_once)
{
	struct sequence_part part = part_of(100 * 1024 + 1, 1024);
	struct sequence_counter counter = { 0 };
	unsigned int seen[101] = { 0 }, i;
	struct sequence threads[3];
	uint64_t offset, size;

	for (i = 0; i < 3; i++)
		sequence_init(&threads[i], &part, &counter);
	for (i = 0; sequence_next(&threads[i % 3], &offset, &size); i++) {
		seen[offset / 1024]++;
		cr_expect_eq(size, offset == 100 * 1024 ? 1 : 1024);
	}
	cr_expect_eq(i, 101);
	for (i = 0; i < 101; i++)
		cr_expect_eq(seen[i], 1, "block %u %u times", i, seen[i]);
	for (i = 0; i < 3; i++)
		cr_expect_not(sequence_next(&threads[i], &offset, &size));
}

Test(sequence, a_counter_that_wraps_begins_the_range_again)
{
	struct sequence_part part = part_of(4 * 1024, 1024);
	struct sequence_counter counter = { 0 };
	struct sequence sequence;
	uint64_t offset, size;
	unsigned int i;

	part.limit = SEQUENCE_ENDLESS;
	sequence_init(&sequence, &part, &counter);
	for (i = 0; i < 11; i++) {
		cr_assert(sequence_next(&sequence, &offset, &size));
		cr_expect_eq(offset, i % 4 * 1024);
	}
}

/* Each block once over all threads, the short one as itself. */
static void expect_random_once(bool shared)
{
	struct sequence_part part = part_of(50 * 1024 + 7, 1024);
	struct sequence_counter counter = { 0 };
	unsigned int seen[51] = { 0 }, i, out_of_order = 0;
	uint64_t offset, size, total = 0, last = 0;

	part.order = SEQUENCE_PERMUTED;
	part.seed = 42;
	for (i = 0; i < 3; i++) {
		struct sequence_part own = part;
		struct sequence sequence;

		if (!shared) {
			own.base = i * 17;
			own.count = own.limit = 17;
		}
		sequence_init(&sequence, &own, shared ? &counter : NULL);
		while (sequence_next(&sequence, &offset, &size)) {
			seen[offset / 1024]++;
			total += size;
			out_of_order += offset < last;
			last = offset;
		}
	}
	for (i = 0; i < 51; i++)
		cr_expect_eq(seen[i], 1, "block %u %u times", i, seen[i]);
	cr_expect_eq(total, 50 * 1024 + 7);
	cr_expect_gt(out_of_order, 10);
}

Test(sequence, random_parts_read_each_block_once_together)
{
	expect_random_once(false);
}

Test(sequence, a_random_counter_deals_each_block_out_once)
{
	expect_random_once(true);
}

Test(sequence, offsets_and_counts_beyond_32_bits_are_whole)
{
	struct sequence_part part = part_of(UINT64_C(7) << 40, 1024);
	struct sequence sequence;
	uint64_t offset, size;

	part.base = part.count - 1;
	part.count = part.limit = 1;
	sequence_init(&sequence, &part, NULL);
	cr_assert(sequence_next(&sequence, &offset, &size));
	cr_expect_eq(offset, (UINT64_C(7) << 40) - 1024);
	cr_expect_eq(size, 1024);
}

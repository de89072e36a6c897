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
		.count = blocks,
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

	part.first = 3;
	part.count = 3;
	part.wraps = true;
	part.offset_bytes = MIB_BYTES;
	sequence_init(&sequence, &part, NULL);
	for (i = 0; i < 7; i++) {
		cr_assert(sequence_next(&sequence, &offset, &size));
		cr_expect_eq(offset, MIB_BYTES + wanted[i] * 4096);
	}
}

Test(sequence, an_empty_part_ends_at_once_even_when_it_wraps)
{
	struct sequence_part part = part_of(8192, 4096);
	struct sequence sequence;
	uint64_t offset, size;

	part.count = 0;
	part.wraps = true;
	sequence_init(&sequence, &part, NULL);
	cr_expect_not(sequence_next(&sequence, &offset, &size));
	part.first = 2;
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

	part.wraps = true;
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

	part.is_random = true;
	part.seed = 42;
	for (i = 0; i < 3; i++) {
		struct sequence_part own = part;
		struct sequence sequence;

		if (!shared) {
			own.first = i * 17;
			own.count = 17;
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

	part.first = part.count - 1;
	part.count = 1;
	sequence_init(&sequence, &part, NULL);
	cr_assert(sequence_next(&sequence, &offset, &size));
	cr_expect_eq(offset, (UINT64_C(7) << 40) - 1024);
	cr_expect_eq(size, 1024);
}

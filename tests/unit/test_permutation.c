// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/permutation.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

static void expect_permutation(uint64_t count, uint64_t seed)
{
	bool *seen = calloc(count, sizeof(*seen));
	struct permutation order;
	uint64_t i;

	cr_assert(seen);
	permutation_init(&order, count, seed);
	for (i = 0; i < count; i++) {
		uint64_t number = permutation_at(&order, i);

		cr_assert_lt(number, count, "%lu of %lu", number, count);
		cr_assert_not(seen[number], "%lu twice of %lu, seed %lu",
			      number, count, seed);
		seen[number] = true;
	}
	free(seen);
}

Test(permutation, has_each_number_once_for_every_small_count)
{
	uint64_t count;

	for (count = 1; count <= 2000; count++)
		expect_permutation(count, count * 7);
}

Test(permutation, has_each_number_once_around_powers_of_two)
{
	const uint64_t powers[] = { 1024, 4096, 65536, 1 << 20 };
	size_t i;

	for (i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
		expect_permutation(powers[i] - 1, 1);
		expect_permutation(powers[i], 2);
		expect_permutation(powers[i] + 1, 3);
	}
}

Test(permutation, is_the_same_for_the_same_seed_and_another_for_another)
{
	struct permutation a, b, other;
	unsigned int i, equal = 0;

	permutation_init(&a, 1000, 5);
	permutation_init(&b, 1000, 5);
	permutation_init(&other, 1000, 6);
	for (i = 0; i < 1000; i++) {
		cr_expect_eq(permutation_at(&a, i), permutation_at(&b, i));
		equal += permutation_at(&a, i) == permutation_at(&other, i);
	}
	/* By chance it is 1 of 1000. */
	cr_expect_lt(equal, 20, "%u of 1000 in the same place", equal);
}

/* Neighbours would be fetched by read-ahead. */
Test(permutation, leaves_few_numbers_beside_their_neighbours)
{
	struct permutation order;
	unsigned int i, neighbours = 0;

	permutation_init(&order, 100000, 1);
	for (i = 1; i < 100000; i++)
		neighbours += permutation_at(&order, i) ==
			      permutation_at(&order, i - 1) + 1;
	cr_expect_lt(neighbours, 50, "%u", neighbours);
}

/* A first quarter of the positions reads from all of the range alike. */
Test(permutation, spreads_each_part_over_the_whole_range)
{
	unsigned int quarters[4] = { 0 }, i;
	struct permutation order;

	permutation_init(&order, 40000, 9);
	for (i = 0; i < 10000; i++)
		quarters[permutation_at(&order, i) / 10000]++;
	for (i = 0; i < 4; i++)
		cr_expect(quarters[i] > 2200 && quarters[i] < 2800,
			  "quarter %u has %u of 10000", i, quarters[i]);
}

Test(permutation, counts_beyond_32_bits_stay_within_the_range)
{
	const uint64_t count = UINT64_C(7516192768); /* 7T in blocks of 1k */
	bool beyond_32_bits = false;
	struct permutation order;
	uint64_t i;

	permutation_init(&order, count, 1);
	for (i = 0; i < 1000; i++) {
		uint64_t number = permutation_at(&order, count - 1 - i);

		cr_assert_lt(number, count);
		beyond_32_bits |= number > UINT32_MAX;
	}
	cr_expect(beyond_32_bits);
	permutation_init(&order, UINT64_MAX, 1);
	cr_expect_lt(permutation_at(&order, UINT64_MAX - 1), UINT64_MAX);
}

/* By Newton: each step doubles the bits that are right, of 3 at first. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t x = odd;
	unsigned int i;

	for (i = 0; i < 5; i++)
		x *= 2 - odd * x;
	return x;
}

/* The y with y ^ y >> shift == x. */
static uint64_t unfold(uint64_t x, unsigned int shift)
{
	uint64_t y = x;
	unsigned int i;

	for (i = 0; i < 64; i += shift)
		y = x ^ y >> shift;
	return y;
}

/* Where @number stands: each step of permutation_at() undone. */
static uint64_t position_of(const struct permutation *order, uint64_t number)
{
	uint64_t x = number;
	unsigned int i;

	do {
		for (i = PERMUTATION_ROUNDS; i-- > 0;) {
			x = unfold(x, order->shift);
			x = x * inverse_of(order->factors[i]);
			x = (x - order->addends[i]) & order->mask;
		}
	} while (x >= order->count);
	return x;
}

static void expect_there_and_back(const struct permutation *order,
				  uint64_t position)
{
	uint64_t number = permutation_at(order, position);

	cr_assert_lt(number, order->count);
	cr_assert_eq(position_of(order, number), position,
		     "%lu stands at %lu of %lu, not at %lu", number,
		     position_of(order, number), order->count, position);
	/* And what stands there as a number, for the other direction. */
	cr_assert_eq(permutation_at(order, position_of(order, position)),
		     position);
}

/* Its inverse gives each position back, so none has the number of another. */
Test(permutation, can_be_undone_at_every_count)
{
	const uint64_t counts[] = { 1,
				    2,
				    3,
				    4095,
				    4096,
				    4097,
				    (UINT64_C(1) << 32) - 1,
				    UINT64_C(1) << 32,
				    (UINT64_C(1) << 32) + 1,
				    UINT64_C(10000000000),
				    (UINT64_C(1) << 63) - 1,
				    UINT64_C(1) << 63,
				    (UINT64_C(1) << 63) + 1,
				    UINT64_MAX };
	struct permutation order;
	uint64_t seed, i;
	size_t c;

	for (c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (seed = 0; seed < 5; seed++) {
			permutation_init(&order, counts[c], seed);
			for (i = 0; i < 1000 && i < counts[c]; i++) {
				expect_there_and_back(&order, i);
				expect_there_and_back(&order,
						      counts[c] - 1 - i);
				expect_there_and_back(
					&order,
					i * UINT64_C(0x9e3779b97f4a7c15) %
						counts[c]);
			}
		}
}

Test(permutation, is_as_small_for_ten_thousand_million_as_for_one)
{
	struct permutation order;

	permutation_init(&order, UINT64_C(10000000000), 1);
	cr_expect_leq(sizeof(order), 128);
	cr_expect_lt(permutation_at(&order, UINT64_C(9999999999)),
		     UINT64_C(10000000000));
}

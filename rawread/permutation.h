/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An order of the numbers 0 … count-1 in which each stands once, made from a
 * seed and asked for by position: no table, so 10^12 blocks cost nothing.
 * Const after permutation_init(); any number of threads may ask.
 */
#ifndef RAWREAD_PERMUTATION_H
#define RAWREAD_PERMUTATION_H

#include <stdint.h>

#define PERMUTATION_ROUNDS 3

struct permutation {
	uint64_t count;
	uint64_t mask; /* of the least power of two that is not below count */
	unsigned int shift;
	uint64_t factors[PERMUTATION_ROUNDS]; /* odd */
	uint64_t addends[PERMUTATION_ROUNDS];
};

/* @count is 1 or more. The same seed and count give the same order. */
void permutation_init(struct permutation *permutation, uint64_t count,
		      uint64_t seed);

/*
 * The number at @position, which is below count.
 *
 * Each step can be undone (adding, multiplying by an odd number, folding the
 * high half onto the low one, all modulo 2^n), so it permutes 0 … mask; a
 * number that is not below count is sent round again until one is, which
 * keeps it a permutation and takes fewer than two rounds on average.
 */
static inline uint64_t permutation_at(const struct permutation *permutation,
				      uint64_t position)
{
	uint64_t x = position;
	unsigned int i;

	do {
		for (i = 0; i < PERMUTATION_ROUNDS; i++) {
			x = (x + permutation->addends[i]) *
			    permutation->factors[i];
			x &= permutation->mask;
			x ^= x >> permutation->shift;
		}
	} while (x >= permutation->count);
	return x;
}

#endif

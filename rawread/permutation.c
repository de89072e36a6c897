// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/permutation.h"

#include <assert.h>

/* splitmix64: successive states give numbers without pattern. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void permutation_init(struct permutation *permutation, uint64_t count,
		      uint64_t seed)
{
	unsigned int bits, i;

	assert(count > 0);
	bits = count > 1 ? 64 - (unsigned int)__builtin_clzll(count - 1) : 0;
	permutation->count = count;
	permutation->mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	/* Multiplying carries upwards only; this brings the high half down. */
	permutation->shift = bits / 2 + 1;
	for (i = 0; i < PERMUTATION_ROUNDS; i++) {
		permutation->factors[i] = next_random(&seed) | 1;
		permutation->addends[i] = next_random(&seed);
	}
}

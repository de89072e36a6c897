// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/permutation.h"

#include <assert.h>

#include "lib/base/splitmix.h"

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
		permutation->factors[i] = splitmix_next(&seed) | 1;
		permutation->addends[i] = splitmix_next(&seed);
	}
}

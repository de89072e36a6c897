/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sebastiano Vigna's splitmix64: 64 good bits from a counter. Any thread. */
#ifndef RAWREAD_BASE_SPLITMIX_H
#define RAWREAD_BASE_SPLITMIX_H

#include <stdint.h>

/* What one word adds to the counter. */
#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t splitmix_next(uint64_t *state)
{
	uint64_t bits = (*state += SPLITMIX_STEP);

	bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
	return bits ^ (bits >> 31);
}

/*
 * The generator is a counter, so any of its words can be had at once: the state
 * that splitmix_next() makes word @index of @seed from, and those after it.
 */
static inline uint64_t splitmix_before(uint64_t seed, uint64_t index)
{
	return seed + index * SPLITMIX_STEP;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Products that are larger than 64 bits before they are divided. Pure. */
#ifndef RAWREAD_RATIO_H
#define RAWREAD_RATIO_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ratio_product;

/* a x b / c, cut to a whole number, at most UINT64_MAX; 0 when @c is. */
static inline uint64_t ratio_of(uint64_t a, uint64_t b, uint64_t c)
{
	ratio_product result = c ? (ratio_product)a * b / c : 0;

	return result > UINT64_MAX ? UINT64_MAX : (uint64_t)result;
}

/* Whether @part is @pct percent of @whole or more. */
static inline bool ratio_reaches(uint64_t part, uint64_t whole,
				 unsigned int pct)
{
	return (ratio_product)part * 100 >= (ratio_product)whole * pct;
}

#endif

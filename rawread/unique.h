/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many bytes of a target a run has read, each byte counted once. Pure.
 */
#ifndef RAWREAD_UNIQUE_H
#define RAWREAD_UNIQUE_H

#include <stdint.h>

struct err;
struct lane_sample;
struct plan;

#define UNIQUE_MAP_BYTES (UINT64_C(32) << 20)

/*
 * Of @target, out of what @lanes, as the plan's, did of it after the ramp; what
 * was read in the ramp does not count again. Blocks that were drawn are drawn
 * again and marked, in a piece of the range after the other, so that memory is
 * bounded by UNIQUE_MAP_BYTES whatever the range. Returns 0 or -ENOMEM.
 */
int unique_count(const struct plan *plan, unsigned int target,
		 const struct lane_sample *lanes, uint64_t *unique_bytes,
		 struct err *err);

/* The same, in pieces of @map_bytes x 8 blocks. */
int unique_count_in(const struct plan *plan, unsigned int target,
		    const struct lane_sample *lanes, uint64_t map_bytes,
		    uint64_t *unique_bytes, struct err *err);

#endif

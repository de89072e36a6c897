// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/unique.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "rawread/plan.h"
#include "rawread/run.h"

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A piece of the range, a bit for each block. */
struct map {
	unsigned char *bits;
	uint64_t first, count;
};

/* Whether @block is in the piece and was not marked yet; then it is. */
static bool mark(struct map *map, uint64_t block)
{
	uint64_t index = block - map->first;
	unsigned char bit = (unsigned char)(1 << index % CHAR_BIT);

	if (index >= map->count || map->bits[index / CHAR_BIT] & bit)
		return false;
	map->bits[index / CHAR_BIT] |= bit;
	return true;
}

/* Draws the lane's blocks again, from number @from up to @to. */
static uint64_t replay(const struct plan *plan, const struct plan_lane *lane,
		       uint64_t from, uint64_t to, struct map *map)
{
	const struct plan_target *target = &plan->targets[lane->target];
	uint64_t offset_bytes, size_bytes, bytes = 0;
	struct sequence_part part = lane->part;
	struct sequence sequence;

	part.base = from;
	part.count = part.limit = SEQUENCE_ENDLESS;
	sequence_init(&sequence, &part, NULL);
	for (; from < to; from++) {
		uint64_t block;

		if (!sequence_next(&sequence, &offset_bytes, &size_bytes))
			break;
		block = (offset_bytes - target->offset_bytes) /
			plan->read_bytes;
		if (mark(map, block))
			bytes += block == target->blocks - 1
					 ? plan_last_bytes(plan, target)
					 : plan->read_bytes;
	}
	return bytes;
}

/* What the lanes drew in the ramp, or after it. */
static uint64_t replay_phase(const struct plan *plan, unsigned int target,
			     const struct lane_sample *lanes, bool is_ramp,
			     struct map *map)
{
	uint64_t ramp = 0, end = 0, bytes = 0;
	unsigned int i;

	for (i = target; i < plan->lane_count; i += plan->target_count) {
		const uint64_t lane_ramp = lanes[i].ramp_reads;
		const uint64_t lane_end = lane_ramp + lanes[i].reads;

		switch (plan->layout) {
		case LAYOUT_SHARED:
			/* As one lane that did them all. */
			ramp += lane_ramp;
			end += lane_end;
			break;
		case LAYOUT_EACH:
			/* All draw the same; the one that got furthest. */
			ramp = most(ramp, lane_ramp);
			end = most(end, lane_end);
			break;
		case LAYOUT_SLICE:
		case LAYOUT_STRIPE:
			bytes += replay(plan, &plan->lanes[i],
					is_ramp ? 0 : lane_ramp,
					is_ramp ? lane_ramp : lane_end, map);
			break;
		}
	}
	return bytes + replay(plan, &plan->lanes[target], is_ramp ? 0 : ramp,
			      is_ramp ? ramp : end, map);
}

static int count_drawn(const struct plan *plan, unsigned int target,
		       const struct lane_sample *lanes, uint64_t map_bytes,
		       uint64_t *unique_bytes, struct err *err)
{
	const uint64_t blocks = plan->targets[target].blocks;
	const uint64_t piece = map_bytes * CHAR_BIT;
	struct map map = { .bits = malloc(map_bytes) };

	if (!map.bits)
		return err_set(err, -ENOMEM, "count what was read");
	for (; map.first < blocks; map.first += piece) {
		map.count = blocks - map.first < piece ? blocks - map.first
						       : piece;
		memset(map.bits, 0, (map.count + CHAR_BIT - 1) / CHAR_BIT);
		/* Marked, and not counted. */
		replay_phase(plan, target, lanes, true, &map);
		*unique_bytes += replay_phase(plan, target, lanes, false, &map);
	}
	free(map.bits);
	return 0;
}

/* A counter deals out each block before it deals one out again. */
static uint64_t count_shared(const struct plan *plan,
			     const struct plan_target *target,
			     const struct lane_sample *sum)
{
	if (sum->ramp_reads + sum->reads <= target->positions)
		return sum->bytes;
	if (sum->ramp_reads >= target->positions)
		return 0;
	return plan_cycle_bytes(plan, target) - sum->ramp_unique_bytes;
}

int unique_count_in(const struct plan *plan, unsigned int number,
		    const struct lane_sample *lanes, uint64_t map_bytes,
		    uint64_t *unique_bytes, struct err *err)
{
	struct lane_sample sum = { 0 };
	uint64_t ramp = 0, end = 0;
	unsigned int i;

	*unique_bytes = 0;
	if (plan->lanes[number].part.order == SEQUENCE_DRAWN)
		return count_drawn(plan, number, lanes, map_bytes, unique_bytes,
				   err);
	for (i = number; i < plan->lane_count; i += plan->target_count) {
		const struct lane_sample *lane = &lanes[i];

		sum.bytes += lane->bytes;
		sum.reads += lane->reads;
		sum.ramp_reads += lane->ramp_reads;
		sum.unique_bytes += lane->unique_bytes;
		sum.ramp_unique_bytes += lane->ramp_unique_bytes;
		ramp = most(ramp, lane->ramp_unique_bytes);
		end = most(end, lane->ramp_unique_bytes + lane->unique_bytes);
	}
	switch (plan->layout) {
	case LAYOUT_SHARED:
		*unique_bytes =
			count_shared(plan, &plan->targets[number], &sum);
		break;
	case LAYOUT_EACH:
		/* All in one order: what the furthest read is all there is. */
		*unique_bytes = end - ramp;
		break;
	case LAYOUT_SLICE:
	case LAYOUT_STRIPE:
		*unique_bytes = sum.unique_bytes;
		break;
	}
	return 0;
}

int unique_count(const struct plan *plan, unsigned int target,
		 const struct lane_sample *lanes, uint64_t *unique_bytes,
		 struct err *err)
{
	return unique_count_in(plan, target, lanes, UNIQUE_MAP_BYTES,
			       unique_bytes, err);
}

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

#define MAP_BLOCKS (UNIQUE_MAP_BYTES * CHAR_BIT)

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

/* Draws the lane's blocks again; those of the ramp were read before. */
static uint64_t replay(const struct plan *plan, const struct plan_lane *lane,
		       uint64_t skip, uint64_t reads, struct map *map)
{
	const struct plan_target *target = &plan->targets[lane->target];
	uint64_t offset_bytes, size_bytes, bytes = 0, i;
	struct sequence_part part = lane->part;
	struct sequence sequence;

	part.count = part.limit = SEQUENCE_ENDLESS;
	sequence_init(&sequence, &part, NULL);
	for (i = 0; i < skip + reads; i++) {
		uint64_t block;

		if (!sequence_next(&sequence, &offset_bytes, &size_bytes))
			break;
		block = (offset_bytes - target->offset_bytes) /
			plan->read_bytes;
		if (i >= skip && mark(map, block))
			bytes += block == target->blocks - 1
					 ? plan_last_bytes(plan, target)
					 : plan->read_bytes;
	}
	return bytes;
}

/* With a counter the draws are those of one lane that did them all. */
static uint64_t replay_all(const struct plan *plan, unsigned int target,
			   const struct lane_sample *lanes, struct map *map)
{
	bool is_one = plan->layout == LAYOUT_SHARED ||
		      plan->layout == LAYOUT_EACH;
	const struct plan_lane *first = NULL;
	uint64_t skip = 0, reads = 0, bytes = 0;
	unsigned int i;

	for (i = 0; i < plan->lane_count; i++) {
		const struct lane_sample *sample = &lanes[i];

		if (plan->lanes[i].target != target)
			continue;
		if (!first)
			first = &plan->lanes[i];
		if (plan->layout == LAYOUT_SHARED) {
			skip += sample->ramp_reads;
			reads += sample->reads;
		} else if (plan->layout == LAYOUT_EACH) {
			/* All draw the same; the one that got furthest. */
			if (sample->reads <= reads)
				continue;
			reads = sample->reads;
			skip = sample->ramp_reads;
		} else {
			bytes += replay(plan, &plan->lanes[i],
					sample->ramp_reads, sample->reads, map);
		}
	}
	return is_one && first ? replay(plan, first, skip, reads, map) : bytes;
}

static int count_drawn(const struct plan *plan, unsigned int target,
		       const struct lane_sample *lanes, uint64_t *unique_bytes,
		       struct err *err)
{
	const uint64_t blocks = plan->targets[target].blocks;
	struct map map = { .bits = malloc(UNIQUE_MAP_BYTES) };

	if (!map.bits)
		return err_set(err, -ENOMEM, "count what was read");
	for (; map.first < blocks; map.first += MAP_BLOCKS) {
		map.count = blocks - map.first < MAP_BLOCKS ? blocks - map.first
							    : MAP_BLOCKS;
		memset(map.bits, 0, map.count / CHAR_BIT + 1);
		*unique_bytes += replay_all(plan, target, lanes, &map);
	}
	free(map.bits);
	return 0;
}

/* A counter deals out each block before it deals one out again. */
static uint64_t count_shared(const struct plan *plan,
			     const struct plan_target *target, uint64_t before,
			     uint64_t reads, uint64_t bytes)
{
	const uint64_t cycle_bytes = plan_cycle_bytes(plan, target);
	uint64_t fresh;

	if (before + reads <= target->positions)
		return bytes;
	if (before >= target->positions)
		return 0;
	fresh = (target->positions - before) * plan->read_bytes;
	if (!before)
		fresh = cycle_bytes;
	return fresh < bytes ? fresh : bytes;
}

int unique_count(const struct plan *plan, unsigned int number,
		 const struct lane_sample *lanes, uint64_t *unique_bytes,
		 struct err *err)
{
	const struct plan_target *target = &plan->targets[number];
	uint64_t before = 0, reads = 0, bytes = 0, sum = 0, most = 0;
	unsigned int i;

	*unique_bytes = 0;
	for (i = 0; i < plan->lane_count; i++) {
		if (plan->lanes[i].target != number)
			continue;
		if (plan->lanes[i].part.order == SEQUENCE_DRAWN)
			return count_drawn(plan, number, lanes, unique_bytes,
					   err);
		before += lanes[i].ramp_reads;
		reads += lanes[i].reads;
		bytes += lanes[i].bytes;
		sum += lanes[i].unique_bytes;
		if (lanes[i].unique_bytes > most)
			most = lanes[i].unique_bytes;
	}
	if (plan->layout == LAYOUT_SHARED)
		*unique_bytes =
			count_shared(plan, target, before, reads, bytes);
	else
		*unique_bytes = plan->layout == LAYOUT_EACH ? most : sum;
	return 0;
}

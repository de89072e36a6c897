// SPDX-License-Identifier: GPL-2.0-or-later
/* Which blocks of which target each thread reads. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "rawread/plan_parts.h"

/* Between the seeds of two threads that draw blocks of one target. */
#define SEED_STEP UINT64_C(0xd1342543de82ef95)

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int plan_stride(const struct run_params *params, const struct plan *plan,
		       struct plan_target *target, struct err *err)
{
	target->every = 1;
	if (params_pattern(params) != PATTERN_STRIDE)
		return 0;
	if (params->stride_bytes % plan->read_bytes)
		return err_say(err, -EOPNOTSUPP,
			       "n/a: a stride of %" PRIu64
			       " bytes is not a multiple of the %" PRIu64
			       " of a read",
			       params->stride_bytes, plan->read_bytes);
	target->every = params->stride_bytes / plan->read_bytes;
	return 0;
}

int plan_positions(const struct run_params *params, struct plan *plan,
		   struct err *err)
{
	unsigned int i;
	int rc;

	for (i = 0; i < plan->target_count; i++) {
		struct plan_target *target = &plan->targets[i];

		rc = plan_stride(params, plan, target, err);
		if (rc < 0)
			return rc;
		target->positions =
			sequence_blocks(target->blocks, target->every);
		target->limit = target->positions;
		if (plan_stops_together(plan))
			target->limit = SEQUENCE_ENDLESS;
		else if (params->stop_bytes)
			target->limit = sequence_blocks(params->stop_bytes,
							plan->read_bytes);
	}
	return 0;
}

/* Of @total the contiguous share of @rank: the first ones have one more. */
static uint64_t share(uint64_t total, const struct plan_target *target,
		      unsigned int rank, uint64_t *first)
{
	uint64_t each = total / target->threads;
	uint64_t more = total % target->threads;

	if (total == SEQUENCE_ENDLESS)
		return total;
	*first = each * rank + least(rank, more);
	return each + (rank < more);
}

/* Of @total those of @rank when all take turns. */
static uint64_t turns(uint64_t total, const struct plan_target *target,
		      unsigned int rank)
{
	if (total == SEQUENCE_ENDLESS)
		return total;
	return rank < total ? (total - rank - 1) / target->threads + 1 : 0;
}

/* Positions of the target, as the layout deals them out. */
static void deal(const struct plan *plan, const struct plan_lane *lane,
		 struct sequence_part *part)
{
	const struct plan_target *target = &plan->targets[lane->target];
	uint64_t unused;

	part->base = 0;
	part->step = 1;
	part->count = target->positions;
	part->limit = target->limit;
	switch (plan->layout) {
	case LAYOUT_SHARED:
	case LAYOUT_EACH:
		break;
	case LAYOUT_SLICE:
		part->count = share(target->positions, target, lane->rank,
				    &part->base);
		part->limit = share(target->limit, target, lane->rank, &unused);
		break;
	case LAYOUT_STRIPE:
		part->base = lane->rank;
		part->step = target->threads;
		part->count = turns(target->positions, target, lane->rank);
		part->limit = turns(target->limit, target, lane->rank);
		break;
	}
}

/* From the end to the start; a slice stays the same blocks. */
static void reverse(const struct plan *plan, const struct plan_target *target,
		    struct sequence_part *part)
{
	if (plan->layout == LAYOUT_SLICE)
		part->base += part->count - (part->count != 0);
	else
		part->base = target->blocks - 1 - part->base;
	part->step = -part->step;
}

/* Draws are independent, so each thread has a generator of its own. */
static void draw(const struct plan *plan, const struct plan_lane *lane,
		 struct sequence_part *part)
{
	part->order = SEQUENCE_DRAWN;
	part->base = 0;
	part->step = 1;
	part->count = part->limit;
	if (plan->layout == LAYOUT_SLICE || plan->layout == LAYOUT_STRIPE)
		part->seed += lane->rank * SEED_STEP;
}

static void plan_part(const struct run_params *params, const struct plan *plan,
		      struct plan_lane *lane)
{
	const struct plan_target *target = &plan->targets[lane->target];
	struct sequence_part *part = &lane->part;

	*part = (struct sequence_part){
		.offset_bytes = target->offset_bytes,
		.range_bytes = target->range_bytes,
		.block_bytes = plan->read_bytes,
		.last_asked_bytes = target->last_asked_bytes,
		/* Targets of one size are not read in step. */
		.seed = params->seed + lane->target,
	};
	deal(plan, lane, part);
	/* Draws are not shared out. */
	if (!part->count && params_pattern(params) != PATTERN_RANDOM_REPEAT)
		part->limit = 0;
	switch (params_pattern(params)) {
	case PATTERN_DEFAULT:
	case PATTERN_SEQUENTIAL:
		break;
	case PATTERN_RANDOM:
		part->order = SEQUENCE_PERMUTED;
		break;
	case PATTERN_RANDOM_REPEAT:
		draw(plan, lane, part);
		break;
	case PATTERN_REVERSE:
		reverse(plan, target, part);
		break;
	case PATTERN_STRIDE:
		part->base *= target->every;
		part->step *= target->every;
		break;
	}
}

void plan_reach(const struct plan *plan, const struct plan_lane *lane,
		uint64_t *offset_bytes, uint64_t *range_bytes)
{
	const struct plan_target *target = &plan->targets[lane->target];
	const struct sequence_part *part = &lane->part;
	uint64_t taken = least(part->count, part->limit);
	uint64_t low = 0, high = 0, other;

	if (taken && part->order != SEQUENCE_PLAIN) {
		high = target->blocks - 1;
	} else if (taken) {
		low = part->base;
		high = other = part->base + (taken - 1) * part->step;
		if (other < low) {
			high = low;
			low = other;
		}
	}
	*offset_bytes = target->offset_bytes + low * plan->read_bytes;
	*range_bytes = (high - low + 1) * plan->read_bytes;
	if (high == target->blocks - 1)
		*range_bytes -=
			plan->read_bytes - plan_last_bytes(plan, target);
}

bool plan_lane_is_idle(const struct plan *plan, const struct plan_lane *lane)
{
	/* A counter's blocks go to so many at the most, whoever they are. */
	return plan->layout == LAYOUT_SHARED ? lane->rank >= lane->part.limit
					     : !lane->part.limit;
}

/* How often @part takes the last block of the range. */
static uint64_t last_taken(const struct plan_target *target,
			   const struct sequence_part *part)
{
	int64_t away = (int64_t)(target->blocks - 1 - part->base);
	int64_t step = (int64_t)part->step;
	uint64_t position;

	if (!part->count || part->order != SEQUENCE_PLAIN || away % step ||
	    away / step < 0)
		return 0;
	position = (uint64_t)(away / step);
	if (position >= part->count)
		return 0;
	return part->limit / part->count +
	       (part->limit % part->count > position);
}

static uint64_t part_bytes(const struct plan *plan,
			   const struct plan_target *target,
			   const struct sequence_part *part)
{
	uint64_t missing = plan->read_bytes - plan_last_bytes(plan, target);

	return part->limit * plan->read_bytes -
	       last_taken(target, part) * missing;
}

/* Of a permuted range that is read whole: which lane has the last is open. */
static bool is_whole(const struct plan *plan, const struct plan_target *target,
		     enum sequence_order order)
{
	return order == SEQUENCE_PERMUTED &&
	       target->limit == target->positions &&
	       plan->layout != LAYOUT_EACH;
}

/* What is read until each thread is at its own end. */
static void plan_own_bytes(struct plan *plan)
{
	unsigned int i, j;

	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];
		uint64_t bytes = 0;

		for (j = i; j < plan->lane_count; j += plan->target_count) {
			struct plan_lane *lane = &plan->lanes[j];

			lane->bytes = part_bytes(plan, target, &lane->part);
			/* A counter's positions are everyone's. */
			if (plan->layout == LAYOUT_SHARED)
				bytes = lane->bytes;
			else
				bytes += lane->bytes;
		}
		plan->bytes += is_whole(plan, target, plan->lanes[i].part.order)
				       ? plan_cycle_bytes(plan, target)
				       : bytes;
	}
}

/* Bytes that all threads may read, as whole blocks; false beyond 2^63. */
static bool is_countable(const struct plan *plan)
{
	uint64_t bytes, total = 0;
	unsigned int i;

	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];
		bool is_endless = target->limit == SEQUENCE_ENDLESS;
		uint64_t reads = is_endless ? plan->least_reads : target->limit;
		bool each = is_endless || plan->layout == LAYOUT_EACH;

		if (__builtin_mul_overflow(reads, each ? target->threads : 1,
					   &reads) ||
		    __builtin_mul_overflow(reads, plan->read_bytes, &bytes) ||
		    __builtin_add_overflow(total, bytes, &total) ||
		    total > INT64_MAX)
			return false;
	}
	return true;
}

static int plan_bytes(struct plan *plan, struct err *err)
{
	const uint64_t reads = plan->least_reads;
	uint64_t most = reads;
	unsigned int i;

	for (i = 0; i < plan->target_count; i++)
		if (plan->targets[i].limit != SEQUENCE_ENDLESS &&
		    plan->targets[i].limit > most)
			most = plan->targets[i].limit;
	if (!is_countable(plan))
		return err_say(
			err, -ERANGE,
			"%" PRIu64 " reads of %" PRIu64
			" bytes by %u thread%s are more than 2^63 bytes; "
			"lower -n, -l or --bytes",
			most, plan->read_bytes, plan->lane_count,
			plural(plan->lane_count));
	if (plan->time_ns)
		return 0;
	for (i = 0; reads && i < plan->lane_count; i++) {
		plan->lanes[i].bytes = reads * plan->read_bytes;
		plan->bytes += plan->lanes[i].bytes;
	}
	if (!reads)
		plan_own_bytes(plan);
	return 0;
}

/* Somebody who has to go on and has nothing to read. */
static int check_share(const struct plan *plan, const struct plan_lane *lane,
		       struct err *err)
{
	const struct plan_target *target = &plan->targets[lane->target];

	if (lane->part.count || lane->part.order == SEQUENCE_DRAWN ||
	    target->limit <= target->positions)
		return 0;
	return err_say(err, -EINVAL,
		       "%s: %u threads cannot share out %" PRIu64
		       " block%s of %" PRIu64
		       " bytes and go on until all are done; lower -p or give "
		       "--layout shared",
		       target->path, target->threads, target->positions,
		       plural(target->positions), plan->read_bytes);
}

int plan_lanes(const struct run_params *params, struct plan *plan,
	       struct err *err)
{
	unsigned int each = plan->lane_count / plan->thread_count, i;
	int rc;

	for (i = 0; i < plan->lane_count; i++)
		plan->targets[i % plan->target_count].threads++;
	for (i = 0; i < plan->lane_count; i++) {
		struct plan_lane *lane = &plan->lanes[i];

		lane->target = i % plan->target_count;
		lane->rank = i / plan->target_count;
		plan_part(params, plan, lane);
		rc = check_share(plan, lane, err);
		if (rc < 0)
			return rc;
	}
	for (i = 0; i < plan->thread_count; i++)
		plan->threads[i] = (struct plan_thread){
			.target = plan->lanes[i * each].target,
			.lanes = &plan->lanes[i * each],
			.lane_count = each,
		};
	return plan_bytes(plan, err);
}

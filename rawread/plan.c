// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "rawread/plan_parts.h"

int plan_add_note(struct plan *plan, const char *format, ...)
{
	char **grown, *note;
	va_list ap;
	int length;

	grown = reallocarray(plan->notes, plan->note_count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	plan->notes = grown;
	va_start(ap, format);
	length = vasprintf(&note, format, ap);
	va_end(ap);
	if (length < 0)
		return -ENOMEM;
	plan->notes[plan->note_count++] = note;
	return 0;
}

void plan_free(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->note_count; i++)
		free(plan->notes[i]);
	free(plan->notes);
	free(plan->targets);
	free(plan->threads);
	free(plan->lanes);
	*plan = (struct plan){ 0 };
}

uint64_t plan_last_bytes(const struct plan *plan,
			 const struct plan_target *target)
{
	return target->range_bytes - (target->blocks - 1) * plan->read_bytes;
}

uint64_t plan_cycle_bytes(const struct plan *plan,
			  const struct plan_target *target)
{
	uint64_t bytes = target->positions * plan->read_bytes;

	if ((target->blocks - 1) % target->every == 0)
		bytes -= plan->read_bytes - plan_last_bytes(plan, target);
	return bytes;
}

/* Reads of the target's threads that stop together, at the least. */
static bool reads_twice(const struct plan *plan,
			const struct plan_target *target)
{
	uint64_t reads;

	return __builtin_mul_overflow(plan->least_reads, target->threads,
				      &reads) ||
	       reads > target->positions;
}

/* Of one target, why it is not just each block once. */
static int note_repeats(const struct run_params *params, struct plan *plan,
			const struct plan_target *target)
{
	if (params_pattern(params) == PATTERN_RANDOM_REPEAT)
		return plan_add_note(plan,
				     "%s: blocks are drawn with repeats, so "
				     "some are read twice and some never",
				     target->path);
	if (plan->layout == LAYOUT_EACH && target->threads > 1)
		return plan_add_note(plan,
				     "%s: blocks are read twice, as each of "
				     "its %u threads reads all of it",
				     target->path, target->threads);
	if (reads_twice(plan, target))
		return plan_add_note(
			plan,
			"%s: blocks are read twice, as %u x "
			"%" PRIu64 " read%s are more than the "
			"%" PRIu64 " block%s of the range",
			target->path, target->threads, plan->least_reads,
			plural(plan->least_reads), target->positions,
			plural(target->positions));
	if (!plan_stops_together(plan) && target->limit > target->positions)
		return plan_add_note(plan,
				     "%s: blocks are read twice, as --bytes "
				     "are %" PRIu64 " reads, more than the "
				     "%" PRIu64 " block%s of the range",
				     target->path, target->limit,
				     target->positions,
				     plural(target->positions));
	return 0;
}

static unsigned int idle_lanes(const struct plan *plan, unsigned int target)
{
	unsigned int idle = 0, i;

	for (i = target; i < plan->lane_count; i += plan->target_count)
		idle += plan_lane_is_idle(plan, &plan->lanes[i]);
	return idle;
}

static int note_target(const struct run_params *params, struct plan *plan,
		       unsigned int number)
{
	const struct plan_target *target = &plan->targets[number];
	unsigned int idle = idle_lanes(plan, number);
	int rc = 0;

	if (plan->read_bytes > target->range_bytes)
		rc = plan_add_note(
			plan,
			"%s: a read of %" PRIu64
			" bytes is longer than the range, and is cut "
			"to its %" PRIu64,
			target->path, plan->read_bytes, target->range_bytes);
	if (!rc && target->every > 1)
		rc = plan_add_note(plan,
				   "%s: one block of %" PRIu64
				   " is read, %" PRIu64 " of %" PRIu64,
				   target->path, target->every,
				   target->positions, target->blocks);
	if (!rc && idle)
		rc = plan_add_note(plan,
				   "%s: %u of its %u threads %s no block to "
				   "read",
				   target->path, idle, target->threads,
				   idle == 1 ? "has" : "have");
	return rc ? rc : note_repeats(params, plan, target);
}

static int plan_notes(const struct run_params *params, struct plan *plan,
		      struct err *err)
{
	unsigned int i, left = params->threads % plan->target_count;
	int rc = 0;

	if (params->test->batch != BATCH_NONE && left)
		rc = plan_add_note(plan,
				   "one thread drives all %u targets, of which "
				   "-p %u is no multiple, so that as many "
				   "threads are made as by -p %u",
				   plan->target_count, params->threads,
				   params->threads - left);
	for (i = 0; !rc && i < plan->target_count; i++)
		rc = note_target(params, plan, i);
	return rc < 0 ? err_set(err, rc, "plan") : 0;
}

static int plan_allocate(const struct run_params *params, struct plan *plan,
			 struct err *err)
{
	bool is_batch = params->test->batch != BATCH_NONE;

	*plan = (struct plan){
		.target_count = params->modulo,
		.thread_count = is_batch ? params->threads / params->modulo
					 : params->threads,
		.read_bytes = params->block_bytes * params->iovecs,
		.layout = params->layout,
		.least_reads = params->reads * params->loops,
		.time_ns = params->time_ns,
		.ramp_ns = params->ramp_ns,
	};
	plan->lane_count =
		plan->thread_count * (is_batch ? plan->target_count : 1);
	plan->targets = calloc(plan->target_count, sizeof(*plan->targets));
	plan->threads = calloc(plan->thread_count, sizeof(*plan->threads));
	plan->lanes = calloc(plan->lane_count, sizeof(*plan->lanes));
	if (plan->targets && plan->threads && plan->lanes)
		return 0;
	return err_set(err, -ENOMEM, "plan of %u threads", plan->thread_count);
}

int plan_make(const struct run_params *params, const struct plan_file *files,
	      struct plan *plan, struct err *err)
{
	unsigned int i;
	int rc;

	rc = plan_allocate(params, plan, err);
	if (!rc)
		rc = plan_ranges(params, files, plan, err);
	for (i = 0; !rc && i < plan->target_count; i++)
		rc = plan_direct(params, &files[i], plan, &plan->targets[i],
				 err);
	if (!rc)
		rc = plan_positions(params, plan, err);
	if (!rc)
		rc = plan_lanes(params, plan, err);
	if (!rc)
		rc = plan_notes(params, plan, err);
	if (rc < 0)
		plan_free(plan);
	return rc;
}

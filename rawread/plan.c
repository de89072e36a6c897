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
	*plan = (struct plan){ 0 };
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Bytes of @file behind the offset; 0 and @err when there are none. */
static uint64_t bytes_behind(const struct run_params *params,
			     const struct plan_file *file, struct err *err)
{
	if (!file->size_bytes)
		err_say(err, -EINVAL,
			"%s is empty, so nothing can be read from it; "
			"'rawread prepare' makes files to be read",
			file->path);
	else if (params->offset_bytes >= file->size_bytes)
		err_say(err, -EINVAL,
			"%s has %" PRIu64 " bytes, and the offset %" PRIu64
			" is not below that; lower --offset",
			file->path, file->size_bytes, params->offset_bytes);
	else
		return file->size_bytes - params->offset_bytes;
	return 0;
}

/* "-r 100" where it is whole MB, else with the suffix that makes it exact. */
static void range_option(uint64_t bytes, char text[static 24])
{
	if (bytes >= MIB) {
		snprintf(text, 24, "%" PRIu64, bytes / MIB);
		return;
	}
	size_format(bytes, text);
	if (text[0] && bytes % KIB)
		snprintf(text, 24, "%" PRIu64 "b", bytes);
}

static int refuse_range(const struct run_params *params,
			const struct plan_file *file, uint64_t behind,
			uint64_t smallest, struct err *err)
{
	char fits[24];

	range_option(smallest, fits);
	return err_say(err, -EINVAL,
		       "%s: %" PRIu64 " bytes, and the range needs %" PRIu64
		       " from offset %" PRIu64 ", %" PRIu64
		       " more than there are; -r %s fits",
		       file->path, file->size_bytes, params->range_bytes,
		       params->offset_bytes, params->range_bytes - behind,
		       fits);
}

/* The range of each target: what -r says, or as far as the bytes go. */
static int plan_ranges(const struct run_params *params,
		       const struct plan_file *files, struct plan *plan,
		       struct err *err)
{
	uint64_t smallest = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < plan->target_count; i++) {
		uint64_t behind = bytes_behind(params, &files[i], err);

		if (!behind)
			return -EINVAL;
		smallest = least(smallest, behind);
	}
	if (params->form == FORM_CLASSIC)
		plan->common_range_bytes =
			params->range_bytes
				? params->range_bytes
				: least(RANGE_DEFAULT_BYTES, smallest);
	for (i = 0; i < plan->target_count; i++) {
		struct plan_target *target = &plan->targets[i];
		uint64_t behind = files[i].size_bytes - params->offset_bytes;

		target->path = files[i].path;
		target->size_bytes = files[i].size_bytes;
		target->offset_bytes = params->offset_bytes;
		target->range_bytes = behind;
		if (plan->common_range_bytes)
			target->range_bytes = plan->common_range_bytes;
		else if (params->range_bytes)
			target->range_bytes = params->range_bytes;
		if (target->range_bytes > behind)
			return refuse_range(params, &files[i], behind, smallest,
					    err);
		target->blocks =
			sequence_blocks(target->range_bytes, plan->read_bytes);
	}
	return 0;
}

static int refuse_direct(const char *path, uint32_t needed, const char *what,
			 uint64_t bytes, struct err *err)
{
	return err_say(err, -EOPNOTSUPP,
		       "n/a: needs %" PRIu32 ": direct I/O on %s takes "
		       "multiples of %" PRIu32 " bytes, and the %s is %" PRIu64,
		       needed, path, needed, what, bytes);
}

/*
 * Direct I/O reads whole sectors: a last block that the end of the file cuts
 * is asked for in full, one that the range cuts has to be whole sectors.
 */
static int plan_direct(const struct run_params *params,
		       const struct plan_file *file, struct plan *plan,
		       struct plan_target *target, struct err *err)
{
	uint32_t offset_unit = file->direct_offset_bytes;
	uint32_t memory_unit = file->direct_memory_bytes;
	uint64_t end = target->offset_bytes + target->range_bytes;

	if (params->direct && end == target->size_bytes)
		target->last_asked_bytes = plan->read_bytes;
	if (!params->direct || !offset_unit)
		return 0;
	if (params->block_bytes % offset_unit)
		return refuse_direct(target->path, offset_unit, "block",
				     params->block_bytes, err);
	if (memory_unit && params->iovecs > 1 &&
	    params->block_bytes % memory_unit)
		return refuse_direct(target->path, memory_unit, "iovec",
				     params->block_bytes, err);
	if (target->offset_bytes % offset_unit)
		return refuse_direct(target->path, offset_unit, "offset",
				     target->offset_bytes, err);
	if (end != target->size_bytes && end % offset_unit)
		return refuse_direct(target->path, offset_unit, "range",
				     target->range_bytes, err);
	return 0;
}

uint64_t plan_last_bytes(const struct plan *plan,
			 const struct plan_target *target)
{
	return target->range_bytes - (target->blocks - 1) * plan->read_bytes;
}

/*
 * What the thread of @rank reads: with a counter the whole range is everyone's,
 * else each has a contiguous part, the first ones a block more.
 */
static void plan_part(const struct run_params *params, const struct plan *plan,
		      struct plan_thread *thread)
{
	const struct plan_target *target = &plan->targets[thread->target];
	uint64_t each = target->blocks / target->threads;
	uint64_t more = target->blocks % target->threads;

	thread->part = (struct sequence_part){
		.offset_bytes = target->offset_bytes,
		.range_bytes = target->range_bytes,
		.block_bytes = plan->read_bytes,
		.first = 0,
		.count = target->blocks,
		.last_asked_bytes = target->last_asked_bytes,
		.wraps = plan->least_reads != 0,
		.is_random = params_is_random(params),
		/* Targets of one size are not read in step. */
		.seed = params->seed + thread->target,
	};
	if (plan->is_shared)
		return;
	thread->part.first = each * thread->rank + least(thread->rank, more);
	thread->part.count = each + (thread->rank < more);
}

/* Bytes of its part; those of a random part may be a short block less. */
static uint64_t part_bytes(const struct plan *plan,
			   const struct plan_thread *thread)
{
	const struct plan_target *target = &plan->targets[thread->target];
	const struct sequence_part *part = &thread->part;
	uint64_t bytes = part->count * plan->read_bytes;

	if (part->count && !part->is_random &&
	    part->first + part->count == target->blocks)
		bytes -= plan->read_bytes - plan_last_bytes(plan, target);
	return bytes;
}

static int plan_bytes(struct plan *plan, struct err *err)
{
	uint64_t each;
	unsigned int i;

	if (__builtin_mul_overflow(plan->least_reads, plan->read_bytes,
				   &each) ||
	    __builtin_mul_overflow(each, plan->thread_count, &plan->bytes) ||
	    plan->bytes > INT64_MAX)
		return err_say(err, -ERANGE,
			       "%" PRIu64 " reads of %" PRIu64
			       " bytes by %u threads are more than 2^63 bytes; "
			       "lower -n or -l",
			       plan->least_reads, plan->read_bytes,
			       plan->thread_count);
	for (i = 0; i < plan->thread_count; i++)
		plan->threads[i].bytes = each;
	if (plan->least_reads)
		return 0;
	for (i = 0; !plan->is_shared && i < plan->thread_count; i++)
		plan->threads[i].bytes = part_bytes(plan, &plan->threads[i]);
	for (i = 0; i < plan->target_count; i++)
		plan->bytes += plan->targets[i].range_bytes;
	return 0;
}

static int plan_threads(const struct run_params *params, struct plan *plan,
			struct err *err)
{
	unsigned int i;

	for (i = 0; i < plan->thread_count; i++)
		plan->targets[i % plan->target_count].threads++;
	for (i = 0; i < plan->thread_count; i++) {
		struct plan_thread *thread = &plan->threads[i];
		const struct plan_target *target;

		thread->target = i % plan->target_count;
		thread->rank = i / plan->target_count;
		target = &plan->targets[thread->target];
		plan_part(params, plan, thread);
		if (!thread->part.count && plan->least_reads)
			return err_say(err, -EINVAL,
				       "%s: %u threads cannot share out "
				       "%" PRIu64 " blocks of %" PRIu64
				       " bytes and read %" PRIu64
				       " each; lower -p or give --layout "
				       "shared",
				       target->path, target->threads,
				       target->blocks, plan->read_bytes,
				       plan->least_reads);
	}
	return plan_bytes(plan, err);
}

/* Reads of the target's threads that stop together, at the least. */
static bool reads_twice(const struct plan *plan,
			const struct plan_target *target)
{
	uint64_t reads;

	return __builtin_mul_overflow(plan->least_reads, target->threads,
				      &reads) ||
	       reads > target->blocks;
}

static int plan_notes(struct plan *plan, struct err *err)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];

		if (plan->read_bytes > target->range_bytes)
			rc = plan_add_note(
				plan,
				"%s: a read of %" PRIu64
				" bytes is longer than the range, and is cut "
				"to its %" PRIu64,
				target->path, plan->read_bytes,
				target->range_bytes);
		if (!rc && !plan->least_reads &&
		    target->threads > target->blocks)
			rc = plan_add_note(plan,
					   "%s: %" PRIu64
					   " of its %u threads have no block "
					   "to read",
					   target->path,
					   target->threads - target->blocks,
					   target->threads);
		if (!rc && reads_twice(plan, target))
			rc = plan_add_note(plan,
					   "%s: blocks are read twice, as %u "
					   "x %" PRIu64
					   " reads are more than the %" PRIu64
					   " blocks of the range",
					   target->path, target->threads,
					   plan->least_reads, target->blocks);
	}
	return rc < 0 ? err_set(err, rc, "plan") : 0;
}

int plan_make(const struct run_params *params, const struct plan_file *files,
	      struct plan *plan, struct err *err)
{
	unsigned int i;
	int rc;

	*plan = (struct plan){
		.target_count = params->modulo,
		.thread_count = params->threads,
		.read_bytes = params->block_bytes * params->iovecs,
		.is_shared = params->layout == LAYOUT_SHARED,
		.least_reads = params->reads * params->loops,
		.targets = calloc(params->modulo, sizeof(*plan->targets)),
		.threads = calloc(params->threads, sizeof(*plan->threads)),
	};
	if (!plan->targets || !plan->threads) {
		rc = err_set(err, -ENOMEM, "plan of %u threads",
			     params->threads);
		goto out;
	}
	rc = plan_ranges(params, files, plan, err);
	for (i = 0; !rc && i < plan->target_count; i++) {
		struct plan_target *target = &plan->targets[i];

		target->last_asked_bytes = plan_last_bytes(plan, target);
		rc = plan_direct(params, &files[i], plan, target, err);
	}
	if (!rc)
		rc = plan_threads(params, plan, err);
	if (!rc)
		rc = plan_notes(plan, err);
out:
	if (rc < 0)
		plan_free(plan);
	return rc;
}

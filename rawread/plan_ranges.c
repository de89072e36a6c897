// SPDX-License-Identifier: GPL-2.0-or-later
/* The range of each target, and whether direct I/O can read it so. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "rawread/plan_parts.h"

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

int plan_ranges(const struct run_params *params, const struct plan_file *files,
		struct plan *plan, struct err *err)
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
		target->last_asked_bytes = plan_last_bytes(plan, target);
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

int plan_direct(const struct run_params *params, const struct plan_file *file,
		const struct plan *plan, struct plan_target *target,
		struct err *err)
{
	uint32_t offset_unit = file->direct_offset_bytes;
	uint32_t memory_unit = file->direct_memory_bytes;
	uint64_t end = target->offset_bytes + target->range_bytes;
	/* Writing beyond it would make the file longer. */
	bool is_cut = end == target->size_bytes && !params->test->is_write;

	if (params->direct && is_cut)
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
	if (!is_cut && end % offset_unit)
		return refuse_direct(target->path, offset_unit, "range",
				     target->range_bytes, err);
	return 0;
}

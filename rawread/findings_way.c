// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/show.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/findings_parts.h"

static void print_size(FILE *out, uint64_t bytes)
{
	char size[24];

	size_format(bytes, size);
	fputs(size, out);
}

static void print_time(FILE *out, uint64_t ns)
{
	char time[32];

	duration_format(ns, time);
	fputs(time, out);
}

static void print_engine(FILE *out, const struct run_params *params)
{
	char *flags = params->rwf ? rwf_text(params->rwf) : NULL;

	fprintf(out, "engine %s", params_engine(params));
	if (flags)
		fprintf(out, " with %s", flags);
	free(flags);
}

static void print_order(FILE *out, const struct run_params *params)
{
	enum pattern pattern = params_pattern(params);

	fprintf(out, ", layout %s, pattern %s", layout_name(params->layout),
		pattern_name(pattern));
	if (pattern == PATTERN_STRIDE) {
		fprintf(out, " of ");
		print_size(out, params->stride_bytes);
	}
}

/* Those that move the read-ahead; fadvise is told when it is none, too. */
static void print_hints(FILE *out, const struct run_params *params)
{
	if (params->test->is_write)
		return;
	fprintf(out, ", fadvise %s", fadvise_name(params->fadvise));
	if (params->madvise)
		fprintf(out, ", madvise %s", madvise_name(params->madvise));
	if (params->readahead)
		fprintf(out, ", readahead");
	if (params->noatime)
		fprintf(out, ", noatime");
}

static void print_end(FILE *out, const struct run_params *params)
{
	fprintf(out, "Stopped        ");
	if (params->time_ns) {
		fprintf(out, "after ");
		print_time(out, params->time_ns);
		if (params->ramp_ns) {
			fprintf(out, ", and ");
			print_time(out, params->ramp_ns);
			fprintf(out, " before that do not count");
		}
	} else if (params->stop_bytes) {
		fprintf(out, "after ");
		print_size(out, params->stop_bytes);
		fprintf(out, " of each target");
	} else if (params->reads) {
		fprintf(out, "when each thread had %s %" PRIu64 " block%s",
			params->test->is_write ? "written" : "read",
			params->reads * params->loops,
			plural(params->reads * params->loops));
	} else {
		fprintf(out, "at the end of the range");
	}
	fprintf(out, "\n");
}

void findings_way(FILE *out, const struct run_params *params)
{
	fprintf(out, "%-15s",
		params->test->is_write ? "Written by" : "Read by");
	print_engine(out, params);
	print_order(out, params);
	print_hints(out, params);
	if (params_is_random(params))
		fprintf(out, ", seed %" PRIu64, params->seed);
	fprintf(out, "\n");
	print_end(out, params);
	if (params->verify)
		fprintf(out,
			"Verified       every byte was compared, and rates "
			"mean nothing\n");
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether all targets are as the first, so that one line tells of all. */
static bool is_one(const struct run_record *run)
{
	unsigned int i;

	for (i = 1; i < run->target_count; i++)
		if (!is_same(run->targets[i].direct_io,
			     run->targets[0].direct_io) ||
		    !is_same(run->targets[i].direct_io_reason,
			     run->targets[0].direct_io_reason))
			return false;
	return true;
}

void findings_direct(FILE *out, const struct run_record *run)
{
	unsigned int i, count = run->target_count;

	if (count && is_one(run))
		count = 1;
	for (i = 0; i < count; i++) {
		const struct run_target *target = &run->targets[i];

		if (!target->direct_io)
			continue;
		fprintf(out, "Direct I/O     %s", target->direct_io);
		if (count > 1) {
			fprintf(out, " on ");
			show_print(out, target->path);
		}
		if (target->direct_io_reason) {
			fprintf(out, ", ");
			show_print(out, target->direct_io_reason);
		}
		fprintf(out, "\n");
	}
}

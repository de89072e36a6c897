// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/findings_output.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/clock.h"
#include "lib/base/show.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/findings_parts.h"
#include "rawread/plan.h"
#include "rawread/ratio.h"

/* Of threads that moved so many are named. */
#define MOVED_SHOWN 8

static void print_verdict(FILE *out, const struct run_cold *cold)
{
	size_t i;

	fprintf(out, "Cold           %s\n",
		cold->verdict == COLD_PROVED ? "yes, proved"
		: cold->verdict == COLD_WARM ? "no, warm"
					     : "unknown");
	for (i = 0; i < cold->cause_count; i++) {
		fprintf(out, "               ");
		show_print(out, cold->causes[i]);
		fprintf(out, "\n");
	}
}

static void print_cache(FILE *out, const struct run_cold *cold)
{
	if (cold->resident_before_bytes < 0 || cold->resident_after_bytes < 0)
		fprintf(out, "Page cache     not told\n");
	else
		fprintf(out,
			"Page cache     %" PRId64 " bytes before, %" PRId64
			" after\n",
			cold->resident_before_bytes,
			cold->resident_after_bytes);
}

static void print_devices(FILE *out, const struct run_record *run)
{
	bool writes = run->params.test->is_write;
	size_t i;

	if (run->cold.device_bytes < 0)
		fprintf(out, "Device bytes   not told, of %" PRIu64 "\n",
			run->bytes);
	else
		fprintf(out, "Device bytes   %" PRId64 "%s of %" PRIu64 "\n",
			run->cold.device_bytes, writes ? " written" : "",
			run->bytes);
	for (i = 0; i < run->shape.count; i++) {
		const struct run_device *device = &run->shape.list[i];
		uint64_t requests = writes ? device->write_requests
					   : device->requests;
		uint64_t bytes = writes ? device->write_bytes
					: device->read_bytes;

		fprintf(out,
			"Requests       %" PRIu64 " of %" PRIu64
			" bytes on average (%s)\n",
			requests, requests ? bytes / requests : 0,
			device->name);
	}
}

void findings_seconds(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64 " s", ns / NS_PER_S,
		ns % NS_PER_S / 1000);
}

/* The one rate that reports take: the sum of the table's is no rate. */
static void print_total(FILE *out, const struct run_record *run)
{
	fprintf(out,
		"Total          %" PRIu64
		" KB/s over the span, first thread done after ",
		ratio_of(run->bytes, NS_PER_S, run->span_ns) / KIB);
	findings_seconds(out, run->first_done_ns);
	fprintf(out, ", last after ");
	findings_seconds(out, run->span_ns);
	fprintf(out, "\n");
}

/* In so short a time a thread may not have had a CPU at all. */
static void print_late(FILE *out, const struct run_record *run)
{
	unsigned int i, late = 0;

	for (i = 0; run->params.time_ns && i < run->thread_count; i++)
		late += !run->threads[i].reads;
	if (late)
		fprintf(out,
			"Too late       %u of %u threads read nothing in the "
			"time\n",
			late, run->thread_count);
}

/* Which they were, by the CPU that each was put on. */
static void print_moved(FILE *out, const struct run_record *run)
{
	unsigned int i, shown = 0;

	for (i = 0; i < run->thread_count && shown < MOVED_SHOWN; i++) {
		if (!run->threads[i].is_moved)
			continue;
		fprintf(out, "%sthread %u from CPU %u",
			shown++ ? ", " : "               ", i,
			run->threads[i].cpu);
	}
	if (shown)
		fprintf(out, "%s\n", run->moved_threads > shown ? ", ..." : "");
}

static void print_placement(FILE *out, const struct run_record *run)
{
	if (!run->cpus) {
		fprintf(out, "Placement      not pinned\n");
		return;
	}
	fprintf(out, "Placement      CPUs %s", run->cpus);
	if (run->moved_threads || run->moved_buffers)
		fprintf(out, "; found elsewhere: %u thread%s, %u buffer%s",
			run->moved_threads, plural(run->moved_threads),
			run->moved_buffers, plural(run->moved_buffers));
	fprintf(out, "\n");
	print_moved(out, run);
}

static void print_targets(FILE *out, const struct run_record *run)
{
	unsigned int i;

	for (i = 0; i < run->target_count; i++) {
		const struct run_target *target = &run->targets[i];

		fprintf(out,
			"Range          %" PRIu64 " bytes at %" PRIu64 " of ",
			target->range_bytes, target->offset_bytes);
		show_print(out, target->path);
		if (target->read_ahead_kib >= 0)
			fprintf(out, ", read-ahead %" PRId64 " KB",
				target->read_ahead_kib);
		if (target->threads > 1) {
			fprintf(out, ", its threads done after ");
			findings_seconds(out, target->first_done_ns);
			fprintf(out, " to ");
			findings_seconds(out, target->last_done_ns);
		}
		fprintf(out, "\n");
	}
}

void findings_print(FILE *out, const struct plan *plan,
		    const struct run_record *run)
{
	unsigned int i;

	print_verdict(out, &run->cold);
	print_total(out, run);
	print_late(out, run);
	findings_way(out, &run->params);
	print_devices(out, run);
	print_cache(out, &run->cold);
	findings_direct(out, run);
	findings_cost(out, run);
	print_placement(out, run);
	print_targets(out, run);
	if (run->short_reads)
		fprintf(out, "Short reads    %" PRIu64 ", continued\n",
			run->short_reads);
	for (i = 0; i < plan->note_count; i++) {
		fprintf(out, "Note           ");
		show_print(out, plan->notes[i]);
		fprintf(out, "\n");
	}
}

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
#include "rawread/cold.h"
#include "rawread/plan.h"
#include "rawread/ratio.h"

/* Ticks of all CPUs below which percentages mean nothing. */
#define TICKS_LEAST 100

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
	size_t i;

	if (run->cold.device_bytes < 0)
		fprintf(out, "Device bytes   not told, of %" PRIu64 "\n",
			run->bytes);
	else
		fprintf(out, "Device bytes   %" PRId64 " of %" PRIu64 "\n",
			run->cold.device_bytes, run->bytes);
	for (i = 0; i < run->shape.count; i++)
		fprintf(out,
			"Requests       %" PRIu64 " of %" PRIu64
			" bytes on average (%s)\n",
			run->shape.list[i].requests,
			run->shape.list[i].requests
				? run->shape.list[i].read_bytes /
					  run->shape.list[i].requests
				: 0,
			run->shape.list[i].name);
}

/* Opening with O_DIRECT proves little: tmpfs and others do not mind. */
static void print_direct(FILE *out, const struct run_record *run)
{
	const struct run_cold *cold = &run->cold;
	const char *how = "unknown";

	if (!run->params.direct)
		return;
	if (cold->resident_after_bytes >= 0 &&
	    cold->resident_after_bytes > cold->resident_before_bytes)
		how = "not effective, the page cache was filled";
	else if (cold->device_bytes >= 0)
		how = ratio_reaches((uint64_t)cold->device_bytes, run->bytes,
				    PROOF_PCT)
			      ? "effective"
			      : "not effective, the device did not read";
	fprintf(out, "Direct I/O     %s\n", how);
}

static void print_seconds(FILE *out, uint64_t ns)
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
	print_seconds(out, run->first_done_ns);
	fprintf(out, ", last after ");
	print_seconds(out, run->span_ns);
	fprintf(out, "\n");
}

static void print_way(FILE *out, const struct run_params *params)
{
	fprintf(out, "Read by        engine %s, layout %s, fadvise %s",
		params->engine ? params->engine : params->test->engine,
		layout_name(params->layout), fadvise_name(params->fadvise));
	if (params_is_random(params))
		fprintf(out, ", seed %" PRIu64, params->seed);
	fprintf(out, "\n");
}

static void print_cpu(FILE *out, const struct run_record *run)
{
	const struct run_cpu *cpu = &run->cpu;
	uint64_t busy =
		cpu->user + cpu->system + cpu->irq + cpu->softirq + cpu->steal;
	uint64_t total = busy + cpu->idle + cpu->iowait;

	fprintf(out, "CPU time       ");
	print_seconds(out, run->own_cpu_ns);
	fprintf(out, " of these threads, ");
	print_seconds(out, busy * NS_PER_S /
				   (cpu->ticks_per_s ? cpu->ticks_per_s : 1));
	fprintf(out, " of all CPUs\n");
	if (total < TICKS_LEAST)
		fprintf(out,
			"               too short for percentages: %" PRIu64
			" ticks of all CPUs\n",
			total);
	if (cpu->cpus_changed)
		fprintf(out, "               a CPU came or went\n");
}

static void print_placement(FILE *out, const struct run_record *run)
{
	if (!run->cpus) {
		fprintf(out, "Placement      not pinned\n");
		return;
	}
	fprintf(out, "Placement      CPUs %s", run->cpus);
	if (run->moved_threads || run->moved_buffers)
		fprintf(out, "; found elsewhere: %u threads, %u buffers",
			run->moved_threads, run->moved_buffers);
	fprintf(out, "\n");
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
		fprintf(out, "\n");
	}
}

void findings_print(FILE *out, const struct plan *plan,
		    const struct run_record *run)
{
	unsigned int i;

	print_verdict(out, &run->cold);
	print_total(out, run);
	print_way(out, &run->params);
	print_devices(out, run);
	print_cache(out, &run->cold);
	print_direct(out, run);
	print_cpu(out, run);
	print_placement(out, run);
	print_targets(out, run);
	if (run->short_reads)
		fprintf(out, "Short reads    %" PRIu64 ", continued\n",
			run->short_reads);
	fprintf(out, "Own loop       %" PRIu64 ".%03" PRIu64 " ns a read\n",
		run->loop_ns_per_1000_reads / 1000,
		run->loop_ns_per_1000_reads % 1000);
	for (i = 0; i < plan->note_count; i++) {
		fprintf(out, "Note           ");
		show_print(out, plan->notes[i]);
		fprintf(out, "\n");
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "lib/base/clock.h"
#include "lib/base/histogram.h"
#include "lib/record/record.h"
#include "rawread/findings_parts.h"

static void print_cpu(FILE *out, const struct run_record *run)
{
	const struct run_cpu *cpu = &run->cpu;
	uint64_t busy =
		cpu->user + cpu->system + cpu->irq + cpu->softirq + cpu->steal;
	uint64_t total = busy + cpu->idle + cpu->iowait;

	fprintf(out, "CPU time       ");
	findings_seconds(out, run->own_cpu_ns);
	fprintf(out, " of these threads, ");
	findings_seconds(out,
			 busy * NS_PER_S /
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

static void print_switches(FILE *out, const struct run_record *run)
{
	fprintf(out,
		"Switches       %" PRIu64 " voluntary, %" PRIu64
		" involuntary; faults %" PRIu64 " minor, %" PRIu64 " major\n",
		run->voluntary_switches, run->involuntary_switches,
		run->minor_faults, run->major_faults);
}

static void print_retries(FILE *out, const struct run_record *run)
{
	if (run->params.rwf & RWF_FLAG_NOWAIT)
		fprintf(out,
			"NOWAIT         %" PRIu64 " of the calls for %" PRIu64
			" reads would have waited, and were made again\n",
			run->nowait_retries, run->reads);
}

/* Three places, of a thousandth part: "12.345". */
static void print_thousandths(FILE *out, uint64_t number)
{
	fprintf(out, "%" PRIu64 ".%03" PRIu64, number / 1000, number % 1000);
}

static void print_latency(FILE *out, const struct run_record *run)
{
	size_t i;

	if (!run->latency || !run->latency->count)
		return;
	fprintf(out, "Latency        ");
	for (i = 0; i < RUN_PERCENTILE_COUNT; i++) {
		fprintf(out, "%s ", run_percentiles[i].name);
		print_thousandths(out, histogram_percentile(
					       run->latency,
					       run_percentiles[i].millionths));
		fprintf(out, ", ");
	}
	fprintf(out, "max ");
	print_thousandths(out, run->latency->max_ns);
	fprintf(out, " us a read; timing adds ");
	print_thousandths(out, run->latency_ns_per_1000_reads);
	fprintf(out, " ns\n");
}

void findings_cost(FILE *out, const struct run_record *run)
{
	print_cpu(out, run);
	print_switches(out, run);
	print_retries(out, run);
	print_latency(out, run);
	fprintf(out, "Own loop       ");
	print_thousandths(out, run->loop_ns_per_1000_reads);
	fprintf(out, " ns a read\n");
}

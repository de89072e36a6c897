// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/classic_output.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/show.h"
#include "lib/base/units.h"
#include "lib/base/version.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"
#include "rawread/ratio.h"

#define RULE "-----  ---------------  ----------  -------  --------------\n"

/* Hundredths of a percent of all ticks. */
struct cpu_shares {
	bool known; /* false: not one tick passed */
	unsigned int user, sys, idle;
};

static unsigned int share(uint64_t ticks, uint64_t total)
{
	return (unsigned int)((ticks * 10000 + total / 2) / total);
}

/* irq, softirq and steal are time that others worked: %sys; iowait is idle. */
static struct cpu_shares cpu_shares_of(const struct run_cpu *cpu)
{
	uint64_t sys = cpu->system + cpu->irq + cpu->softirq + cpu->steal;
	uint64_t idle = cpu->idle + cpu->iowait;
	uint64_t total = cpu->user + sys + idle;
	struct cpu_shares shares = { .known = total != 0 };

	if (!total)
		return shares;
	shares.user = share(cpu->user, total);
	shares.sys = share(sys, total);
	shares.idle = share(idle, total);
	return shares;
}

/* "12.34" of hundredths; "-" where there is nothing to divide by. */
static void format_share(const struct cpu_shares *shares, unsigned int value,
			 char text[static 24])
{
	if (shares->known)
		snprintf(text, 24, "%u.%02u", value / 100, value % 100);
	else
		snprintf(text, 24, "-");
}

/* @amount per second of the mean elapsed time of the target's threads. */
static uint64_t per_second(uint64_t amount, const struct run_target *target)
{
	return ratio_of(amount, target->threads * NS_PER_S, target->thread_ns);
}

static uint64_t kbs_of(const struct run_target *target)
{
	return per_second(target->bytes, target) / KIB;
}

static void print_option(FILE *out, char letter, uint64_t value,
			 const char *text)
{
	fprintf(out, "-%c %-10" PRIu64 " %s\n", letter, value, text);
}

static void print_flag(FILE *out, char letter, const char *text)
{
	fprintf(out, "-%c %-10s %s\n", letter, "", text);
}

/* What the thread that was slowest did of each of its targets. */
static uint64_t least_reads(const struct plan *plan,
			    const struct run_record *run)
{
	uint64_t least = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < run->thread_count; i++) {
		uint64_t reads =
			run->threads[i].reads / plan->threads[i].lane_count;

		if (reads < least)
			least = reads;
	}
	return run->thread_count ? least : 0;
}

/*
 * Without -n: with --time or --bytes what each thread has done at the least,
 * else as many as it takes to read the part that is largest.
 */
static uint64_t inner_loop_count(const struct run_params *params,
				 const struct plan *plan,
				 const struct run_record *run)
{
	uint64_t most = 0;
	unsigned int i;

	if (params->reads)
		return params->reads;
	if (params->time_ns || params->stop_bytes)
		return least_reads(plan, run);
	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];
		uint64_t each = (target->blocks + target->threads - 1) /
				target->threads;

		if (each > most)
			most = each;
	}
	return most;
}

static uint64_t range_bytes(const struct plan *plan)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < plan->target_count; i++)
		if (plan->targets[i].range_bytes > most)
			most = plan->targets[i].range_bytes;
	return most;
}

static void print_header(FILE *out, const struct run_params *params,
			 const struct plan *plan, const struct run_record *run)
{
	uint64_t count = inner_loop_count(params, plan, run);
	uint64_t kib = count * plan->read_bytes / KIB;

	fprintf(out, "%14srawread %s\n", "", RAWREAD_VERSION);
	fprintf(out, "-t %-10u %s test\n", params->test->id,
		params->test->title);
	print_option(out, 'p', params->threads, "number of processes");
	print_option(out, 'm', params->modulo, "device modulo");
	print_option(out, 'd', params->first_device, "starting device number");
	print_option(out, 's', params->block_bytes,
		     "read buffer or readv size in bytes");
	print_option(out, 'n', count, "inner loop count");
	print_option(out, 'l', params->loops, "outer loop count");
	print_option(out, 'r', range_bytes(plan) / MIB, "range in MB");
	print_option(out, 'o', params->offset_bytes / MIB, "is seek offset");
	if (params->test->is_vectored)
		print_option(out, 'i', params->iovecs, "iovec count");
	if (params->direct)
		print_flag(out, 'z', "O_DIRECT flag used");
	if (params->use_disks)
		print_flag(out, 'x', "using /dev/sd...");
	if (params->use_files)
		print_flag(out, 'f', "using /mnt/mnt...");
	if (params->sync)
		print_flag(out, 'c', "O_SYNC flag used ");
	fprintf(out, "\n   %-10" PRIu64 " length of DASD read (kbytes)\n", kib);
	fprintf(out,
		"   %-10" PRIu64 " minimum kbytes read by each process\n\n",
		kib * params->loops);
}

static void print_cpu(FILE *out, const struct cpu_shares *shares)
{
	char text[24];

	format_share(shares, shares->user, text);
	fprintf(out, "   %-10s %%user\n", text);
	format_share(shares, shares->sys, text);
	fprintf(out, "   %-10s %%sys\n", text);
	format_share(shares, shares->idle, text);
	fprintf(out, "   %-10s %%idle\n\n", text);
}

static void print_row(FILE *out, unsigned int threads, const char *path,
		      uint64_t reads, uint64_t kbs, uint64_t ops)
{
	int blanks = strlen(path) < 15 ? 15 - (int)strlen(path) : 0;

	fprintf(out, "%5u  %*s", threads, blanks, "");
	show_print(out, path);
	fprintf(out, "  %10" PRIu64 "  %7" PRIu64 "  %14" PRIu64 " \n", reads,
		kbs, ops);
}

static const char *count_title(const struct test *test)
{
	if (test->is_write)
		return test->is_vectored ? "num writev" : "num write";
	return test->is_vectored ? "num readv" : "num read";
}

static void print_table(FILE *out, const struct run_params *params,
			const struct run_record *run)
{
	uint64_t reads = 0, kbs = 0, ops = 0;
	unsigned int threads = 0, i;

	fprintf(out, "procs           device  %10s   KB/sec     I/O Ops/sec\n",
		count_title(params->test));
	fputs(RULE, out);
	for (i = 0; i < run->target_count; i++) {
		const struct run_target *target = &run->targets[i];
		uint64_t target_ops = per_second(target->reads, target);

		print_row(out, target->threads, target->path, target->reads,
			  kbs_of(target), target_ops);
		threads += target->threads;
		reads += target->reads;
		kbs += kbs_of(target);
		ops += target_ops;
	}
	fputs(RULE, out);
	print_row(out, threads, "", reads, kbs, ops);
	fprintf(out, "\nTotal run time %" PRIu64 ".%06" PRIu64 " seconds\n",
		run->span_ns / NS_PER_S, run->span_ns % NS_PER_S / 1000);
}

static void print_quiet(FILE *out, const struct cpu_shares *shares,
			const struct run_record *run)
{
	char user[24], sys[24], idle[24];
	unsigned int i;

	format_share(shares, shares->user, user);
	format_share(shares, shares->sys, sys);
	format_share(shares, shares->idle, idle);
	for (i = 0; i < run->target_count; i++) {
		const struct run_target *target = &run->targets[i];

		fprintf(out, "%5s %5s %5s %4" PRIu64 " %6" PRIu64 "\n", user,
			sys, idle, per_second(target->reads, target),
			kbs_of(target));
	}
}

static void print_spreadsheet(FILE *out, const struct run_params *params,
			      const struct plan *plan,
			      const struct cpu_shares *shares,
			      const struct run_record *run)
{
	uint64_t kbs = 0, mean_ns = 0;
	char cpu[24];
	unsigned int i;

	format_share(shares, shares->user + shares->sys, cpu);
	for (i = 0; i < run->target_count; i++) {
		kbs += kbs_of(&run->targets[i]);
		mean_ns += run->targets[i].thread_ns / run->targets[i].threads;
	}
	fprintf(out,
		"Rawread_Version_%s %" PRIu64 " %s %" PRIu64
		" t %u p %u s %" PRIu64 " o %" PRIu64 " i %u n %" PRIu64
		" l %" PRIu64 " x %d z %d d %u m %u\n",
		RAWREAD_VERSION, kbs, cpu,
		mean_ns / 1000 / (run->target_count ? run->target_count : 1),
		params->test->id, params->threads, params->block_bytes,
		params->offset_bytes,
		params->test->is_vectored ? params->iovecs : 0,
		inner_loop_count(params, plan, run), params->loops,
		params->direct, params->use_disks, params->first_device,
		params->modulo);
}

void classic_print(FILE *out, const struct run_params *params,
		   const struct plan *plan, const struct run_record *run)
{
	struct cpu_shares shares = cpu_shares_of(&run->cpu);

	if (params->quiet) {
		print_quiet(out, &shares, run);
	} else {
		print_header(out, params, plan, run);
		print_cpu(out, &shares);
		print_table(out, params, run);
	}
	if (params->spreadsheet)
		print_spreadsheet(out, params, plan, &shares, run);
}

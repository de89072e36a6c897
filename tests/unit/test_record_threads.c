// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/record_threads.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/placement.h"
#include "rawread/plan.h"
#include "rawread/record_run.h"
#include "rawread/run.h"

#define BLOCK 4096

/* Threads 0 and 2 on the first target, thread 1 on the second. */
static struct run_params params;
static struct plan plan;
static struct topology_pu pus[3];
static struct placement placement;
static struct lane_sample lanes[4];
static struct thread_sample threads[3];
static struct run_samples samples;
static struct run_record run;
static struct record_sources sources;

static void begin(void)
{
	static const struct plan_file files[] = {
		{ .path = "/a", .size_bytes = 16 * BLOCK },
		{ .path = "/b", .size_bytes = 16 * BLOCK },
	};
	struct err err;

	cr_assert(!params_init(&params, FORM_READ, &err));
	params.test = &tests[0];
	params.block_bytes = BLOCK;
	params.iovecs = 1;
	params.threads = 3;
	params.modulo = 2;
	cr_assert(!plan_make(&params, files, &plan, &err), "%s", err.text);
	placement = (struct placement){ .thread_count = 3 };
	samples = (struct run_samples){ .lanes = lanes,
					.threads = threads,
					.lane_count = 3,
					.thread_count = 3,
					.span_ns = 30,
					.first_done_ns = 10 };
	sources = (struct record_sources){ .params = &params,
					   .plan = &plan,
					   .placement = &placement,
					   .samples = &samples };
	run.target_count = 2;
	run.targets = calloc(2, sizeof(*run.targets));
}

static void end(void)
{
	run_record_free(&run);
	plan_free(&plan);
	params_free(&params);
}

TestSuite(record_threads, .init = begin, .fini = end);

static void make(void)
{
	struct err err;

	cr_assert(!record_add_threads(&sources, &run, &err), "%s", err.text);
}

Test(record_threads, what_each_did_is_kept_and_summed)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		lanes[i] = (struct lane_sample){ .bytes = (i + 1) * BLOCK,
						 .reads = i + 1,
						 .retries = i };
		threads[i] = (struct thread_sample){
			.elapsed_ns = 10 * (i + 1),
			.cpu_ns = 100 * (i + 1),
			.voluntary_switches = 1,
			.involuntary_switches = 2,
			.minor_faults = 3,
			.major_faults = 4,
			.is_moved = i == 2,
		};
	}
	make();
	cr_expect_eq(run.reads, 6);
	cr_expect_eq(run.bytes, 6 * BLOCK);
	cr_expect_eq(run.own_cpu_ns, 600);
	cr_expect_eq(run.nowait_retries, 3);
	cr_expect_eq(run.involuntary_switches, 6);
	cr_expect_eq(run.major_faults, 12);
	cr_expect_eq(run.threads[2].reads, 3);
	cr_expect_eq(run.threads[2].done_ns, 30);
	cr_expect_eq(run.threads[2].target, 0);
	cr_expect(run.threads[2].is_moved);
	cr_expect_eq(run.targets[0].bytes, 4 * BLOCK);
	cr_expect_eq(run.targets[0].first_done_ns, 10);
	cr_expect_eq(run.targets[0].last_done_ns, 30);
	cr_expect_eq(run.targets[1].first_done_ns, 20);
	cr_expect_eq(run.targets[1].last_done_ns, 20);
	cr_expect_null(run.cpus);
	cr_expect_null(run.latency);
}

/* It waited for the others, and was not done first. */
Test(record_threads, one_that_found_nothing_counts_as_long_as_the_longest)
{
	lanes[0] = (struct lane_sample){ .bytes = BLOCK, .reads = 1 };
	lanes[1] = lanes[0];
	lanes[2] = (struct lane_sample){ 0 };
	threads[0].elapsed_ns = 25;
	threads[1].elapsed_ns = 5;
	threads[2].elapsed_ns = 1;
	make();
	cr_expect_eq(run.targets[0].thread_ns, 50);
	cr_expect_eq(run.targets[0].first_done_ns, 25);
	cr_expect_eq(run.targets[0].last_done_ns, 25);
	cr_expect_eq(run.threads[2].done_ns, 1);
}

/* A second thread of a slow core, and a node without memory around. */
Test(record_threads, where_each_was_put_is_kept_with_its_sibling_and_kind)
{
	pus[0] = (struct topology_pu){ .os_index = 2047,
				       .node = 7,
				       .core = 511,
				       .smt = 1,
				       .slowness = 2 };
	pus[1] = (struct topology_pu){ .os_index = 5, .node = NODE_NONE };
	pus[2] = pus[0];
	placement.pus = pus;
	make();
	cr_expect_eq(run.threads[0].cpu, 2047);
	cr_expect_eq(run.threads[0].node, 7);
	cr_expect_eq(run.threads[0].core, 511);
	cr_expect_eq(run.threads[0].smt, 1);
	cr_expect_eq(run.threads[0].kind, 2);
	cr_expect_eq(run.threads[1].node, -1);
	cr_expect_str_eq(run.cpus, "2047,5");
}

Test(record_threads, latencies_are_a_copy)
{
	struct histogram latency;

	histogram_init(&latency);
	histogram_add(&latency, 1234);
	samples.latency = &latency;
	make();
	cr_assert_not_null(run.latency);
	cr_expect_neq(run.latency, &latency);
	cr_expect_eq(run.latency->max_ns, 1234);
}

Test(record_threads, a_thread_of_a_batch_has_the_sum_of_its_targets)
{
	struct err err;
	static const struct plan_file files[] = {
		{ .path = "/a", .size_bytes = 16 * BLOCK },
		{ .path = "/b", .size_bytes = 16 * BLOCK },
	};
	unsigned int i;

	plan_free(&plan);
	params.test = &tests[16];
	params.threads = 4;
	cr_assert(!plan_make(&params, files, &plan, &err), "%s", err.text);
	cr_assert_eq(plan.lane_count, 4);
	placement.thread_count = samples.thread_count = 2;
	samples.lane_count = 4;
	for (i = 0; i < 4; i++)
		lanes[i] = (struct lane_sample){ .bytes = (i + 1) * BLOCK,
						 .reads = i + 1 };
	make();
	cr_expect_eq(run.threads[0].reads, 3);
	cr_expect_eq(run.threads[1].bytes, 7 * BLOCK);
	cr_expect_eq(run.threads[1].target, 1);
	cr_expect_eq(run.targets[0].reads + run.targets[1].reads, 10);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/findings_output.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"

/* A run on two targets; changed by tests, which borrow what they put in. */
static struct run_record run;
static struct run_target targets[2];
static char *text;

static void begin(void)
{
	struct err err;

	run = (struct run_record){ .span_ns = 2000000000,
				   .first_done_ns = 1500000000,
				   .bytes = 1 << 20,
				   .reads = 16,
				   .targets = targets,
				   .target_count = 2 };
	cr_assert(!params_init(&run.params, FORM_READ, &err));
	run.params.test = &tests[0];
	targets[0] = (struct run_target){ .path = (char *)"/a", .threads = 1 };
	targets[1] = (struct run_target){ .path = (char *)"/b", .threads = 1 };
}

static void end(void)
{
	params_free(&run.params);
	free(text);
}

TestSuite(findings, .init = begin, .fini = end);

static void print(void)
{
	const struct plan plan = { 0 };
	size_t size;
	FILE *out;

	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	cr_assert(out);
	findings_print(out, &plan, &run);
	fclose(out);
}

static void expect_line(const char *line)
{
	const char *at = strstr(text, line);

	cr_expect(at && (at == text || at[-1] == '\n') &&
			  at[strlen(line)] == '\n',
		  "no line '%s' in\n%s", line, text);
}

Test(findings, how_it_read_is_one_line_and_when_it_ended_another)
{
	print();
	expect_line("Read by        engine read, layout slice, pattern "
		    "sequential, fadvise none");
	expect_line("Stopped        at the end of the range");
	run.params.engine = strdup("preadv2");
	run.params.rwf = RWF_FLAG_NOWAIT | RWF_FLAG_DONTCACHE;
	run.params.pattern = PATTERN_STRIDE;
	run.params.stride_bytes = 1 << 20;
	run.params.readahead = run.params.noatime = true;
	run.params.time_ns = 10000000000;
	run.params.ramp_ns = 500000000;
	run.nowait_retries = 3;
	print();
	expect_line("Read by        engine preadv2 with nowait,dontcache, "
		    "layout slice, pattern stride of 1m, fadvise none, "
		    "readahead, noatime");
	expect_line("Stopped        after 10s, and 500ms before that do not "
		    "count");
	expect_line("NOWAIT         3 of the calls for 16 reads would have "
		    "waited, and were made again");
}

Test(findings, other_ways_to_end_are_told)
{
	run.params.stop_bytes = 65536;
	print();
	expect_line("Stopped        after 64k of each target");
	run.params.stop_bytes = 0;
	run.params.reads = 5;
	run.params.loops = 2;
	print();
	expect_line("Stopped        when each thread had read 10 blocks");
}

Test(findings, what_was_verified_has_rates_that_mean_nothing)
{
	run.params.verify = true;
	print();
	expect_line("Verified       every byte was compared, and rates mean "
		    "nothing");
}

Test(findings, direct_io_is_one_line_where_all_targets_are_alike)
{
	targets[0].direct_io = targets[1].direct_io = (char *)"effective";
	print();
	expect_line("Direct I/O     effective");
	targets[1].direct_io = (char *)"not effective";
	targets[1].direct_io_reason = (char *)"tmpfs: memory";
	print();
	expect_line("Direct I/O     effective on /a");
	expect_line("Direct I/O     not effective on /b, tmpfs: memory");
}

Test(findings, latencies_and_what_timing_costs_are_told_in_us)
{
	struct histogram latency;
	unsigned int i;

	histogram_init(&latency);
	for (i = 0; i < 99; i++)
		histogram_add(&latency, 60);
	histogram_add(&latency, 1234567);
	run.latency = &latency;
	run.latency_ns_per_1000_reads = 22175;
	print();
	expect_line("Latency        p50 0.060, p90 0.060, p99 0.060, p99.9 "
		    "1234.567, max 1234.567 us a read; timing adds 22.175 ns");
}

Test(findings, threads_that_moved_are_named)
{
	struct run_thread_record threads[12] = { 0 };
	unsigned int i;

	for (i = 1; i < 12; i++)
		threads[i] = (struct run_thread_record){ .cpu = 20 + i,
							 .is_moved = true };
	run.cpus = (char *)"0,21";
	run.threads = threads;
	run.thread_count = 2;
	run.moved_threads = 1;
	print();
	expect_line("Placement      CPUs 0,21; found elsewhere: 1 thread, 0 "
		    "buffers");
	expect_line("               thread 1 from CPU 21");
	run.thread_count = 12;
	run.moved_threads = 11;
	print();
	cr_expect(strstr(text, "thread 8 from CPU 28, ...\n"), "%s", text);
	cr_expect_null(strstr(text, "thread 9 "), "%s", text);
}

Test(findings, what_a_test_wrote_is_counted_as_written)
{
	struct run_device device = { .name = (char *)"vda",
				     .requests = 7,
				     .write_requests = 4,
				     .write_bytes = 4096 };

	run.params.test = &tests[1];
	run.shape = (struct run_devices){ &device, 1 };
	run.cold.verdict = COLD_UNKNOWN;
	run.cold.device_bytes = 4096;
	print();
	expect_line("Written by     engine write, layout slice, pattern "
		    "sequential");
	expect_line("Device bytes   4096 written of 1048576");
	expect_line("Requests       4 of 1024 bytes on average (vda)");
}

Test(findings, of_several_threads_on_a_target_first_and_last_are_told)
{
	targets[0].threads = 4;
	targets[0].first_done_ns = 1500000000;
	targets[0].last_done_ns = 2000000000;
	targets[0].read_ahead_kib = 128;
	print();
	expect_line("Range          0 bytes at 0 of /a, read-ahead 128 KB, its "
		    "threads done after 1.500000 s to 2.000000 s");
}

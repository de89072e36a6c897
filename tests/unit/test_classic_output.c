// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/classic_output.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/version.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/plan.h"

/* The published line -m 2 -p 16 -d 1 -n 1280 -f -c -t 0 -s 16384. */
struct published {
	struct run_params params;
	struct plan_target planned[2];
	struct plan plan;
	struct run_target targets[2];
	struct run_record run;
};

/* Of the last one begun, for the test's end to free. */
static struct run_params made;

static void free_made(void)
{
	params_free(&made);
}

TestSuite(classic_output, .fini = free_made);

static void published_begin(struct published *p)
{
	struct err err;

	memset(p, 0, sizeof(*p));
	cr_assert(!params_init(&p->params, FORM_CLASSIC, &err));
	made = p->params;
	p->params.test = &tests[0];
	p->params.iovecs = 1;
	p->params.block_bytes = 16384;
	p->params.threads = 16;
	p->params.modulo = 2;
	p->params.first_device = 1;
	p->params.reads = 1280;
	p->params.use_files = true;
	p->params.sync = true;
	p->planned[0] = (struct plan_target){ .range_bytes = 1 << 30,
					      .blocks = 65536,
					      .threads = 8 };
	p->planned[1] = p->planned[0];
	p->plan = (struct plan){ .targets = p->planned,
				 .target_count = 2,
				 .thread_count = 16,
				 .read_bytes = 16384,
				 .least_reads = 1280 };
	/* 8 threads of 2 s each. */
	p->targets[0] = (struct run_target){ .path = (char *)"/mnt/mnt1/foo",
					     .threads = 8,
					     .reads = 10327,
					     .bytes = 10327 * 16384,
					     .thread_ns = 16000000000 };
	p->targets[1] = (struct run_target){ .path = (char *)"/mnt/mnt2/foo",
					     .threads = 8,
					     .reads = 10301,
					     .bytes = 10301 * 16384,
					     .thread_ns = 16000000000 };
	p->run = (struct run_record){
		.targets = p->targets,
		.target_count = 2,
		.span_ns = 2000123456,
		.cpu = { .user = 183,
			 .system = 500,
			 .softirq = 8,
			 .idle = 9000,
			 .iowait = 309 },
	};
}

static void expect_text(const struct published *p, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert(out);
	classic_print(out, &p->params, &p->plan, &p->run);
	fclose(out);
	cr_expect_str_eq(text, wanted);
	free(text);
}

#define RULE "-----  ---------------  ----------  -------  --------------\n"

/* As "-t 16 -p 4" on 3 targets: one thread, which each target counts. */
Test(classic_output, the_total_of_procs_is_the_sum_of_the_lines)
{
	struct published p;
	char *text = NULL;
	size_t size;
	FILE *out;

	published_begin(&p);
	p.params.threads = 17;
	out = open_memstream(&text, &size);
	cr_assert(out);
	classic_print(out, &p.params, &p.plan, &p.run);
	fclose(out);
	cr_expect(strstr(text, "\n   16                        20628"), "%s",
		  text);
	free(text);
}

Test(classic_output, is_byte_for_byte_that_of_the_classic_tool)
{
	struct published p;

	published_begin(&p);
	expect_text(&p,
		    "              rawread " RAWREAD_VERSION "\n"
		    "-t 0          sequential read() test\n"
		    "-p 16         number of processes\n"
		    "-m 2          device modulo\n"
		    "-d 1          starting device number\n"
		    "-s 16384      read buffer or readv size in bytes\n"
		    "-n 1280       inner loop count\n"
		    "-l 1          outer loop count\n"
		    "-r 1024       range in MB\n"
		    "-o 0          is seek offset\n"
		    "-f            using /mnt/mnt...\n"
		    "-c            O_SYNC flag used \n"
		    "\n"
		    "   20480      length of DASD read (kbytes)\n"
		    "   20480      minimum kbytes read by each process\n"
		    "\n"
		    "   1.83       %user\n"
		    "   5.08       %sys\n"
		    "   93.09      %idle\n"
		    "\n"
		    "procs           device    num read   KB/sec     I/O "
		    "Ops/sec\n" RULE
		    "    8    /mnt/mnt1/foo       10327    82616            "
		    "5163 \n"
		    "    8    /mnt/mnt2/foo       10301    82408            "
		    "5150 \n" RULE
		    "   16                        20628   165024           "
		    "10313 \n"
		    "\n"
		    "Total run time 2.000123 seconds\n");
}

Test(classic_output, quiet_has_a_short_line_for_each_device)
{
	struct published p;

	published_begin(&p);
	p.params.quiet = true;
	expect_text(&p, " 1.83  5.08 93.09 5163  82616\n"
			" 1.83  5.08 93.09 5150  82408\n");
}

Test(classic_output, the_line_for_a_spreadsheet_has_x_and_z_crossed)
{
	struct published p;

	published_begin(&p);
	p.params.quiet = true;
	p.params.spreadsheet = true;
	p.params.direct = true;
	p.params.offset_bytes = 1 << 20;
	expect_text(&p, " 1.83  5.08 93.09 5163  82616\n"
			" 1.83  5.08 93.09 5150  82408\n"
			"Rawread_Version_" RAWREAD_VERSION
			" 165024 6.91 2000000 t 0 p 16 s 16384 o 1048576 i 0 "
			"n 1280 l 1 x 1 z 0 d 1 m 2\n");
}

Test(classic_output, iovecs_have_a_line_and_a_title)
{
	struct published p;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	published_begin(&p);
	p.params.test = &tests[2];
	p.params.iovecs = 8;
	p.params.loops = 2;
	p.params.direct = true;
	p.params.use_files = false;
	p.params.use_disks = true;
	p.plan.read_bytes = 8 * 16384;
	classic_print(out, &p.params, &p.plan, &p.run);
	fclose(out);
	cr_expect(strstr(text, "-t 2          sequential readv() test\n"));
	cr_expect(strstr(text, "-o 0          is seek offset\n"
			       "-i 8          iovec count\n"
			       "-z            O_DIRECT flag used\n"
			       "-x            using /dev/sd...\n"
			       "-c            O_SYNC flag used \n\n"
			       "   163840     length of DASD read (kbytes)\n"
			       "   327680     minimum kbytes"),
		  "%s", text);
	cr_expect(strstr(text, "procs           device   num readv   KB/sec"),
		  "%s", text);
	free(text);
}

Test(classic_output, no_tick_at_all_is_a_dash_and_no_division)
{
	struct published p;

	published_begin(&p);
	p.params.quiet = true;
	p.run.cpu = (struct run_cpu){ 0 };
	p.targets[0].thread_ns = 0;
	expect_text(&p, "    -     -     -    0      0\n"
			"    -     -     - 5150  82408\n");
}

/* 64 threads of 3 GiB/s for a day. */
Test(classic_output, products_are_whole_beyond_64_bits)
{
	struct published p;

	published_begin(&p);
	p.params.quiet = true;
	p.run.target_count = 1;
	p.targets[0].threads = 64;
	p.targets[0].bytes = UINT64_C(86400) * 64 * 3 << 30;
	p.targets[0].reads = UINT64_C(86400) * 64 * 3 << 20;
	p.targets[0].thread_ns = UINT64_C(64) * 86400 * 1000000000;
	expect_text(&p, " 1.83  5.08 93.09 201326592 201326592\n");
}

Test(classic_output, a_long_name_is_not_cut)
{
	struct published p;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	published_begin(&p);
	p.targets[0].path = (char *)"/a/very/long/path/to/a/file";
	classic_print(out, &p.params, &p.plan, &p.run);
	fclose(out);
	cr_expect(
		strstr(text, "    8  /a/very/long/path/to/a/file       10327"),
		"%s", text);
	free(text);
}

Test(classic_output, without_n_the_loop_count_is_that_of_the_largest_part)
{
	struct published p;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	published_begin(&p);
	p.params.reads = 0;
	p.plan.least_reads = 0;
	p.planned[1].blocks = 65537;
	classic_print(out, &p.params, &p.plan, &p.run);
	fclose(out);
	cr_expect(strstr(text, "-n 8193       inner loop count\n"), "%s", text);
	free(text);
}

static void expect_part(const struct published *p, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert(out);
	classic_print(out, &p->params, &p->plan, &p->run);
	fclose(out);
	cr_expect(strstr(text, wanted), "'%s' is not in\n%s", wanted, text);
	free(text);
}

Test(classic_output, tests_that_write_have_a_title_of_their_own)
{
	struct published p;

	published_begin(&p);
	p.params.test = &tests[1];
	expect_part(&p, "-t 1          sequential write() test\n");
	expect_part(&p, "procs           device   num write   KB/sec");
	p.params.test = &tests[3];
	p.params.iovecs = 8;
	expect_part(&p, "procs           device  num writev   KB/sec");
}

/* Two threads, of which each drives both targets in a batch test. */
static void two_threads_begin(struct published *p)
{
	static struct run_thread_record threads[2] = { { .reads = 900 },
						       { .reads = 700 } };
	static struct plan_thread planned[2] = { { .lane_count = 1 },
						 { .lane_count = 1 } };

	published_begin(p);
	p->params.reads = 0;
	p->plan.least_reads = 0;
	p->plan.threads = planned;
	p->plan.thread_count = 2;
	planned[0].lane_count = planned[1].lane_count = 1;
	p->run.threads = threads;
	p->run.thread_count = 2;
}

Test(classic_output, by_time_or_bytes_the_loop_count_is_that_of_the_slowest)
{
	struct published p;

	two_threads_begin(&p);
	p.params.time_ns = 1000000000;
	expect_part(&p, "-n 700        inner loop count\n");
	expect_part(&p, "   11200      minimum kbytes read by each process\n");
	p.params.time_ns = 0;
	p.params.stop_bytes = 4096;
	expect_part(&p, "-n 700        inner loop count\n");
}

Test(classic_output, the_loop_count_of_a_batch_is_of_each_target)
{
	struct published p;

	two_threads_begin(&p);
	p.params.time_ns = 1000000000;
	p.plan.threads[0].lane_count = p.plan.threads[1].lane_count = 2;
	expect_part(&p, "-n 350        inner loop count\n");
}

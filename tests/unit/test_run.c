// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/loop_cost.h"
#include "rawread/run.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <grp.h>
#include <sys/resource.h>

#include "lib/record/record.h"
#include "rawread/observe.h"
#include "rawread/record_run.h"
#include "tests/race/race.h"

#define BLOCKS_1K 977 /* of FILE_BYTES */

/* A run that is recorded; the record is the caller's. */
static void record(const char *words, struct run_record *run)
{
	const char *path = race_file();
	struct target_observation observed = { .has_devices = false };
	struct observation observation = { .targets = &observed,
					   .target_count = 1 };
	struct run_samples samples;
	struct setup setup;
	struct err err;
	int rc;

	rc = race_run(words, path, NULL, &setup, &samples, &err);
	cr_assert(!rc, "%s", err.text);
	rc = record_run_make(
		&(struct record_sources){ .params = &setup.params,
					  .plan = &setup.plan,
					  .placement = &setup.placement,
					  .samples = &samples,
					  .observation = &observation },
		run, &err);
	cr_assert(!rc, "%s", err.text);
	run_samples_free(&samples);
	setup_free(&setup);
	unlink(path);
}

static void expect_bytes(const char *words, uint64_t bytes, uint64_t unique)
{
	struct run_record run;

	record(words, &run);
	cr_expect_eq(run.bytes, bytes, "%s: %lu", words, run.bytes);
	cr_expect_eq(run.unique_bytes, unique, "%s: unique %lu", words,
		     run.unique_bytes);
	cr_expect_eq(run.targets[0].bytes, bytes);
	run_record_free(&run);
}

Test(run, delivers_the_whole_range_once_in_every_layout_and_order)
{
	static const char *const layouts[] = { "slice", "shared", "stripe" };
	static const char *const names[] = { "seqread",	  "seqreadv",
					     "seqpread",  "randread",
					     "randreadv", "randpread" };
	char words[128];
	size_t l, n;

	for (l = 0; l < 3; l++)
		for (n = 0; n < 6; n++) {
			sprintf(words, "-p 3 -s 1k -t %s --layout %s", names[n],
				layouts[l]);
			expect_bytes(words, FILE_BYTES, FILE_BYTES);
		}
}

Test(run, delivers_what_its_pattern_and_stop_leave_of_the_range)
{
	expect_bytes("-p 3 -s 1k --pattern reverse", FILE_BYTES, FILE_BYTES);
	expect_bytes("-p 3 -s 1k --pattern reverse --layout shared", FILE_BYTES,
		     FILE_BYTES);
	/* 0, 3, … 975 of 977 blocks, and 0, 4, … 976 with the short one. */
	expect_bytes("-p 3 -s 1k --pattern stride --stride 3k", 326 * 1024,
		     326 * 1024);
	expect_bytes("-p 3 -s 1k --pattern stride --stride 4k --layout shared",
		     244 * 1024 + 577, 244 * 1024 + 577);
	expect_bytes("-p 3 -s 1k --bytes 10k", 10 * 1024, 10 * 1024);
	expect_bytes("-p 3 -s 1k --bytes 10k --layout stripe", 10 * 1024,
		     10 * 1024);
	expect_bytes("-p 3 -s 1k --layout each", 3 * (uint64_t)FILE_BYTES,
		     FILE_BYTES);
	expect_bytes("-p 3 -s 1k --layout each --bytes 10k", 30 * 1024,
		     10 * 1024);
}

Test(run, counts_a_byte_that_is_read_again_once)
{
	/* One thread: exactly -n x -l reads of 977 blocks, the last short. */
	expect_bytes("-p 1 -s 1k -n 977", FILE_BYTES, FILE_BYTES);
	expect_bytes("-p 1 -s 1k -n 976", 976 * 1024, 976 * 1024);
	expect_bytes("-p 1 -s 1k -n 489 -l 2", FILE_BYTES + 1024, FILE_BYTES);
	expect_bytes("-p 1 -s 1k -n 978 --layout shared", FILE_BYTES + 1024,
		     FILE_BYTES);
	expect_bytes("-p 1 -s 1k -n 2000 -t randread",
		     2 * (uint64_t)FILE_BYTES + 46 * 1024, FILE_BYTES);
}

Test(run, threads_that_stop_together_have_read_their_least_each)
{
	struct run_record run;

	record("-p 4 -s 1k -n 100 --layout shared --pin none", &run);
	cr_expect_geq(run.reads, 400);
	cr_expect_eq(run.params.threads, 4);
	cr_expect_null(run.cpus);
	run_record_free(&run);
}

Test(run, a_thread_without_a_block_does_not_make_its_target_faster)
{
	struct run_record run;

	record("-p 8 -s 500000", &run);
	cr_expect_eq(run.reads, 3);
	cr_expect_eq(run.bytes, FILE_BYTES);
	cr_expect_geq(run.targets[0].thread_ns, 5 * run.first_done_ns);
	cr_expect_leq(run.targets[0].thread_ns, 8 * run.span_ns);
	run_record_free(&run);
}

Test(run, the_first_that_is_done_is_one_that_read)
{
	const char *path = race_file();
	struct run_samples samples;
	uint64_t first = UINT64_MAX;
	struct setup setup;
	unsigned int i;
	struct err err;

	cr_assert(!race_run("-p 200 -s 500000", path, NULL, &setup, &samples,
			    &err));
	for (i = 0; i < samples.thread_count; i++)
		if (samples.lanes[i].reads &&
		    samples.threads[i].elapsed_ns < first)
			first = samples.threads[i].elapsed_ns;
	cr_expect_eq(samples.first_done_ns, first);
	run_samples_free(&samples);
	setup_free(&setup);
	unlink(path);
}

Test(run, its_command_says_all_that_was_asked)
{
	struct run_record run;

	record("-p 2 -s 4k -t randpread --seed 7 --pin none -c", &run);
	cr_expect_str_eq(strstr(run.command, " --pin none") ? "yes"
							    : run.command,
			 "yes");
	cr_expect(strstr(run.command, "rawread read --test randpread"), "%s",
		  run.command);
	cr_expect(strstr(run.command, "--seed 7"), "%s", run.command);
	cr_expect(strstr(run.command, "--sync"), "%s", run.command);
	run_record_free(&run);
}

/* Root is not held to the limit on processes. */
Test(run, a_thread_that_cannot_be_made_is_told_with_the_limits, .timeout = 20)
{
	const struct rlimit limit = { 20, 20 };
	const char *path = race_file();
	struct run_samples samples;
	struct setup setup;
	struct err err;
	int rc;

	if (getuid())
		cr_skip_test("needs root, to become a user without threads");
	cr_assert(!chown(path, 64123, 64123));
	cr_assert(!setgroups(0, NULL));
	/* A user that no one else is, so that only these threads count. */
	cr_assert(!setresuid(64123, 64123, 64123));
	cr_assert(!setrlimit(RLIMIT_NPROC, &limit));
	rc = race_run("-p 64 -s 1k", path, NULL, &setup, &samples, &err);
	cr_expect_eq(rc, -EAGAIN, "%d %s", rc, err.text);
	cr_expect(strstr(err.text, "thread "), "%s", err.text);
	cr_expect(strstr(err.text, " of 64 could not be made"), "%s", err.text);
	cr_expect(strstr(err.text, "ulimit -u 20"), "%s", err.text);
	cr_expect_null(samples.threads);
	setup_free(&setup);
	unlink(path);
}

Test(run, its_own_loop_costs_something_and_not_much)
{
	const char *path = race_file();
	struct run_samples samples;
	struct setup setup;
	struct err err;
	struct loop_cost cost;

	cr_assert(!race_run("-p 1 -s 1k", path, NULL, &setup, &samples, &err));
	cr_assert(!loop_cost_measure(&setup.plan,
				     &(struct loop_way){ .ops = &engine_read },
				     &cost, &err));
	cr_expect_gt(cost.loop_ns, 0);
	cr_expect_eq(cost.latency_ns, 0);
	/* A thousand turns in a millisecond would be a fault of another kind.
	 */
	cr_expect_lt(cost.loop_ns, 1000000, "%lu ns", cost.loop_ns);
	run_samples_free(&samples);
	setup_free(&setup);
	unlink(path);
}

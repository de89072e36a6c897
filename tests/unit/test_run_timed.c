// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs that end when their time is over, or something else comes before. */
#include "rawread/run.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdatomic.h>

#include "lib/base/clock.h"
#include "lib/base/histogram.h"
#include "tests/race/race.h"

static atomic_uint_fast64_t submitted;
static uint64_t fail_at; /* 0: never */

static int counting_open(const struct engine_job *job, void **state,
			 struct err *err)
{
	(void)job;
	(void)err;
	*state = NULL;
	return 0;
}

static int counting_submit(void *state, struct io_op *op)
{
	(void)state;
	op->retries++;
	op->result = (int64_t)op->size_bytes;
	if (atomic_fetch_add(&submitted, 1) + 1 == fail_at)
		op->result = -EIO;
	return 0;
}

static void counting_close(void *state)
{
	(void)state;
}

static const struct engine_ops engine_counting = {
	.name = "counting",
	.reads_nothing = true,
	.open = counting_open,
	.submit = counting_submit,
	.close = counting_close,
};

static struct run_samples samples;
static struct setup setup;
static struct err err;
static const char *path;

static int timed_run(const char *words)
{
	path = race_file();
	atomic_store(&submitted, 0);
	return race_run(words, path, &engine_counting, &setup, &samples, &err);
}

static void timed_end(void)
{
	run_samples_free(&samples);
	setup_free(&setup);
	if (path)
		unlink(path);
	path = NULL;
}

TestSuite(run_timed, .fini = timed_end, .timeout = 60);

/* Many threads, and no time for some of them to begin. */
Test(run_timed, threads_that_come_too_late_are_done_when_they_come)
{
	unsigned int i, round;

	for (round = 0; round < 5; round++) {
		uint64_t begun_ns = clock_now_ns();
		int rc = timed_run("--time 1ms -p 200 -s 1k --layout shared");

		cr_assert(!rc || rc == -ENODATA, "%s", err.text);
		for (i = 0; i < samples.thread_count; i++)
			cr_expect_leq(samples.threads[i].elapsed_ns,
				      clock_now_ns() - begun_ns, "thread %u",
				      i);
		timed_end();
	}
}

Test(run_timed, a_run_that_read_nothing_has_failed)
{
	/* It is over before a thread has begun. */
	while (!timed_run("--time 1ns -s 1k"))
		timed_end();
	cr_expect_str_eq(err.text,
			 "nothing was read in --time 1ns; give it longer");
	cr_expect_null(samples.threads);
}

/* Nobody ends before the time is over, and each read is in one phase. */
static void expect_timed(const char *words, uint64_t time_ns, bool has_ramp)
{
	uint64_t reads = 0, ramp_reads = 0;
	unsigned int i;
	int rc;

	/* Others may keep all CPUs for so long. */
	while ((rc = timed_run(words)) == -ENODATA)
		timed_end();
	cr_assert_eq(rc, 0, "%s: %s", words, err.text);
	cr_expect(samples.opened);
	cr_expect_geq(samples.span_ns, time_ns);
	cr_expect_eq(samples.thread_count, setup.plan.thread_count);
	for (i = 0; i < samples.thread_count; i++)
		cr_expect_geq(samples.threads[i].elapsed_ns, time_ns,
			      "%s: thread %u after %lu ns", words, i,
			      samples.threads[i].elapsed_ns);
	for (i = 0; i < samples.lane_count; i++) {
		const struct lane_sample *lane = &samples.lanes[i];

		reads += lane->reads;
		ramp_reads += lane->ramp_reads;
		cr_expect_eq(lane->retries, lane->reads, "%s", words);
		cr_expect_leq(lane->unique_bytes, lane->bytes);
		cr_expect(has_ramp || !lane->ramp_reads);
	}
	cr_expect_eq(reads + ramp_reads, submitted, "%s: %lu and %lu of %lu",
		     words, reads, ramp_reads, submitted);
	cr_expect_gt(reads, 0);
	if (samples.latency)
		cr_expect_eq(samples.latency->count, reads, "%s: %lu of %lu",
			     words, samples.latency->count, reads);
	timed_end();
}

Test(run_timed, all_go_on_until_the_time_is_over)
{
	const uint64_t time_ns = 20 * NS_PER_MS;

	expect_timed("-p 3 -s 1k --time 20ms", time_ns, false);
	expect_timed("-p 3 -s 1k --time 20ms --layout shared", time_ns, false);
	expect_timed("-p 3 -s 1k --time 20ms --layout stripe", time_ns, false);
	expect_timed("-p 3 -s 1k --time 20ms --layout each", time_ns, false);
	expect_timed("-p 3 -s 1k --time 20ms --latency", time_ns, false);
	expect_timed("-p 2 -t randread --pattern random-repeat --time 20ms",
		     time_ns, false);
}

Test(run_timed, a_ramp_comes_before_and_does_not_count)
{
	const uint64_t time_ns = 20 * NS_PER_MS;

	expect_timed("-p 3 -s 1k --ramp 20ms --time 20ms", time_ns, true);
	expect_timed("-p 3 -s 1k --ramp 20ms --time 20ms --layout shared",
		     time_ns, true);
	expect_timed("-p 3 -s 1k --ramp 20ms --time 20ms --latency", time_ns,
		     true);
	expect_timed("-p 2 -t randread --ramp 20ms --time 20ms", time_ns, true);
}

Test(run_timed, two_hundred_threads_end_together)
{
	expect_timed("-p 200 -s 1k --time 50ms", 50 * NS_PER_MS, false);
	expect_timed("-p 200 -s 1k --ramp 50ms --time 50ms --layout shared",
		     50 * NS_PER_MS, true);
}

/* Long before its time. */
static void expect_failure(const char *words, uint64_t at)
{
	fail_at = at;
	cr_expect_eq(timed_run(words), -EIO, "%s", words);
	cr_expect(strstr(err.text, "Input/output error"), "%s", err.text);
	cr_expect(strstr(err.text, path), "%s", err.text);
	cr_expect_null(samples.threads);
	cr_expect_null(samples.latency);
	timed_end();
}

Test(run_timed, a_thread_that_fails_ends_it_at_once)
{
	expect_failure("-p 4 -s 1k --time 1h", 1);
	expect_failure("-p 4 -s 1k --time 1h", 100000);
	expect_failure("-p 4 -s 1k --time 1h --latency --layout shared", 5000);
	expect_failure("-p 4 -s 1k --ramp 1h --time 1h", 1);
	expect_failure("-p 4 -s 1k --ramp 1h --time 1h", 5000);
}

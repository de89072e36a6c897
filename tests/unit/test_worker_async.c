// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "tests/unit/flying_engine.h"

#define FULL FLYING_FULL

static const uint64_t three_each[] = { 3, 3, 3, 3 };

/* That each lane read its whole range. */
static void expect_ranges(const struct worker *worker, const uint64_t *blocks)
{
	unsigned int i;

	for (i = 0; i < worker->lane_count; i++) {
		cr_expect_eq(worker->lanes[i].reads, blocks[i], "lane %u: %lu",
			     i, worker->lanes[i].reads);
		cr_expect_eq(worker->lanes[i].bytes, blocks[i] * 1000 - 1,
			     "lane %u: %lu", i, worker->lanes[i].bytes);
		cr_expect_eq(worker->lanes[i].first_bytes,
			     worker->lanes[i].bytes);
	}
	cr_expect_eq(worker->flying, 0);
}

Test(worker_async, a_whole_batch_waits_for_all_before_it_begins_again)
{
	const unsigned int reaps[] = { 2, 0, 1, FLYING_ALL };
	struct flying_engine engine = { .reaps = reaps, .reap_count = 4 };
	struct worker *w = flying_worker(&engine, 4, three_each);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events,
			 "0123[4:2][2:0][2:1][1:1]0123[4:4]0123[4:4]", "%s",
			 engine.events);
	expect_ranges(w, three_each);
}

Test(worker_async, a_minimum_batch_starts_anew_what_came)
{
	const unsigned int reaps[] = { 2, 0, 1, 3, 3 };
	struct flying_engine engine = { .reaps = reaps,
					.reap_count = 5,
					.backwards = true };
	struct worker *w = flying_worker(&engine, 4, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events,
			 "0123[1:2]23[1:0][1:1]3[1:3]12[1:3]01[1:1][1:1]0[1:1]",
			 "%s", engine.events);
	expect_ranges(w, three_each);
}

Test(worker_async, the_tail_of_a_batch_is_smaller_than_the_batch)
{
	const uint64_t blocks[] = { 3, 1, 2 };
	struct flying_engine engine = { .backwards = true };
	struct worker *w = flying_worker(&engine, 3, blocks);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "012[3:3]02[2:2]0[1:1]", "%s",
			 engine.events);
	expect_ranges(w, blocks);
}

Test(worker_async, a_partial_read_is_continued_within_its_batch)
{
	const struct flying_answer answers[] = { { 1, 1, 100 },
						 { 3, 1, 850 },
						 { 4, 1, FULL } };
	struct flying_engine engine = { .answers = answers, .answer_count = 3 };
	struct worker *w = flying_worker(&engine, 3, three_each);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "012[3:3]1[1:1]1[1:1]012[3:3]012[3:3]",
			 "%s", engine.events);
	cr_expect_eq(engine.ops[3].offset_bytes, 600);
	cr_expect_eq(engine.ops[3].skip_bytes, 100);
	cr_expect_eq(engine.ops[3].size_bytes, 900);
	cr_expect_eq(engine.ops[4].offset_bytes, 1450);
	cr_expect_eq(engine.ops[4].skip_bytes, 950);
	cr_expect_eq(engine.ops[4].size_bytes, 50);
	/* The next block of the lane. */
	cr_expect_eq(engine.ops[6].offset_bytes, 1500);
	cr_expect_eq(engine.ops[6].skip_bytes, 0);
	cr_expect_eq(w->lanes[1].short_reads, 1);
	expect_ranges(w, three_each);
}

Test(worker_async, partial_reads_of_several_lanes_are_kept_apart)
{
	const struct flying_answer answers[] = {
		{ 0, 1, 1 }, { 1, 1, 999 }, { 2, 1, 500 }, { 4, 1, -EINTR }
	};
	const unsigned int reaps[] = { 3, 1, 1 };
	struct flying_engine engine = { .answers = answers,
					.answer_count = 4,
					.reaps = reaps,
					.reap_count = 3,
					.backwards = true };
	struct worker *w = flying_worker(&engine, 3, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_eq(w->lanes[0].short_reads, 1);
	cr_expect_eq(w->lanes[1].short_reads, 1);
	cr_expect_eq(w->lanes[2].short_reads, 1);
	expect_ranges(w, three_each);
}

Test(worker_async, what_the_engine_finishes_at_once_is_not_waited_for)
{
	const struct flying_answer answers[] = { { 1, 0, FULL },
						 { 3, 0, 400 },
						 { 4, 0, 600 } };
	struct flying_engine engine = { .answers = answers, .answer_count = 3 };
	struct worker *w = flying_worker(&engine, 2, three_each);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "01[1:1]011[1:1]01[2:2]", "%s",
			 engine.events);
	expect_ranges(w, three_each);
}

Test(worker_async, one_lane_keeps_one_in_flight)
{
	struct flying_engine engine = { .backwards = false };
	struct worker *w = flying_worker(&engine, 1, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "0[1:1]0[1:1]0[1:1]", "%s",
			 engine.events);
	expect_ranges(w, three_each);
}

/* What still flies is close()'s to drop, and nothing of it counts. */
static void expect_failure(struct flying_engine *engine, int code,
			   const char *text, unsigned int flying)
{
	struct worker *w = flying_worker(engine, 3, three_each);

	cr_expect_eq(worker_run(w), code, "%d", w->rc);
	cr_expect_str_eq(w->err.text, text, "%s", w->err.text);
	cr_expect_eq(w->shared->phase, PHASE_OVER);
	cr_expect_eq(engine->flying_count, flying, "%s", engine->events);
	cr_expect_eq(w->flying, flying, "%s: %u", engine->events, w->flying);
}

Test(worker_async, a_failed_completion_ends_all_and_names_its_file)
{
	const struct flying_answer answers[] = { { 1, 1, -EIO } };
	const unsigned int reaps[] = { 2 };
	struct flying_engine engine = { .answers = answers,
					.answer_count = 1,
					.reaps = reaps,
					.reap_count = 1 };

	expect_failure(&engine, -EIO,
		       "read /t/1 at offset 500: Input/output error", 1);
	cr_expect_str_eq(engine.events, "012[1:2]", "%s", engine.events);
	cr_expect_eq(engine.worker->lanes[0].reads, 1);
	cr_expect_eq(engine.worker->lanes[1].reads, 0);
}

Test(worker_async, what_cannot_be_submitted_ends_all)
{
	const struct flying_answer answers[] = { { 2, -EAGAIN, 0 } };
	struct flying_engine engine = { .answers = answers, .answer_count = 1 };

	expect_failure(
		&engine, -EAGAIN,
		"read /t/2 at offset 500: Resource temporarily unavailable", 2);
	cr_expect_str_eq(engine.events, "012", "%s", engine.events);
}

Test(worker_async, the_rest_of_a_partial_read_may_fail_too)
{
	const struct flying_answer answers[] = { { 0, 1, 300 },
						 { 3, -EAGAIN, 0 } };
	const unsigned int reaps[] = { 1 };
	struct flying_engine engine = { .answers = answers,
					.answer_count = 2,
					.reaps = reaps,
					.reap_count = 1 };

	expect_failure(
		&engine, -EAGAIN,
		"read /t/0 at offset 800: Resource temporarily unavailable", 2);
}

Test(worker_async, a_file_that_became_shorter_is_told)
{
	const struct flying_answer answers[] = { { 0, 1, 300 }, { 3, 1, 0 } };
	struct flying_engine engine = { .answers = answers, .answer_count = 2 };
	struct worker *w = flying_worker(&engine, 3, three_each);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), -ENODATA);
	cr_expect(strstr(w->err.text, "read /t/0 at offset 800: the file ended "
				      "there, 2699 bytes before"),
		  "%s", w->err.text);
	cr_expect_eq(w->lanes[0].bytes, 0);
	cr_expect_eq(w->lanes[1].bytes, 1000);
}

Test(worker_async, a_wait_that_fails_ends_all)
{
	struct flying_engine engine = { .reap_rc = -EBADF };

	expect_failure(&engine, -EBADF,
		       "wait for what is in flight: Bad file descriptor", 3);
}

Test(worker_async, what_flies_when_the_run_ends_is_waited_for_and_counts)
{
	const unsigned int reaps[] = { 1, 0, 1 };
	struct flying_engine engine = { .reaps = reaps,
					.reap_count = 3,
					.end_after = 4 };
	struct worker *w = flying_worker(&engine, 3, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "012[1:1]0[1:0][1:1][1:1][1:1]", "%s",
			 engine.events);
	cr_expect_eq(w->lanes[0].reads, 2);
	cr_expect_eq(w->lanes[0].bytes, 2000);
	cr_expect_eq(w->lanes[1].reads, 1);
	cr_expect_eq(w->lanes[2].bytes, 1000);
	cr_expect_eq(w->flying, 0);
}

Test(worker_async, what_is_partial_when_the_run_ends_is_finished)
{
	const struct flying_answer answers[] = { { 1, 1, 10 } };
	struct flying_engine engine = { .answers = answers,
					.answer_count = 1,
					.end_after = 2 };
	struct worker *w = flying_worker(&engine, 2, three_each);

	w->waits_for_all = true;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "01[2:2]1[1:1]", "%s", engine.events);
	cr_expect_eq(w->lanes[1].bytes, 1000);
	cr_expect_eq(w->lanes[1].short_reads, 1);
}

Test(worker_async, one_interrupted_at_the_end_does_not_keep_the_others)
{
	const struct flying_answer answers[] = { { 1, 1, -EINTR } };
	const unsigned int reaps[] = { 1, 1 };
	struct flying_engine engine = { .answers = answers,
					.answer_count = 1,
					.reaps = reaps,
					.reap_count = 2,
					.backwards = true,
					.end_after = 2 };
	struct worker *w = flying_worker(&engine, 2, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "01[1:1][1:1]", "%s", engine.events);
	cr_expect_eq(w->lanes[0].reads, 1);
	cr_expect_eq(w->lanes[1].reads, 0);
	cr_expect_eq(w->flying, 0);
}

/* As often as a test wants, over its blocks again and again. */
static struct worker *endless_worker(struct flying_engine *engine,
				     const uint64_t *blocks)
{
	struct worker *w = flying_worker(engine, 2, blocks);

	w->lanes[0].sequence.left = SEQUENCE_ENDLESS;
	w->lanes[1].sequence.left = SEQUENCE_ENDLESS;
	return w;
}

Test(worker_async, a_lane_that_has_its_least_goes_on_until_all_have)
{
	const unsigned int reaps[] = { 1, 1, 1, 1, 2, 1, 2 };
	struct flying_engine engine = { .reaps = reaps,
					.reap_count = 7,
					.backwards = true };
	struct worker *w = endless_worker(&engine, three_each);

	w->least_reads = 2;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	/* The second lane is faster; and what still flies counts. */
	cr_expect_str_eq(engine.events,
			 "01[1:1]1[1:1]1[1:1]1[1:1]1[1:2]01[1:1]1[1:2]", "%s",
			 engine.events);
	cr_expect_eq(w->lanes[0].reads, 2);
	cr_expect_eq(w->lanes[1].reads, 7);
	cr_expect_eq(w->lanes[1].first_bytes, 2999);
	cr_expect_eq(w->shared->phase, PHASE_OVER);
	cr_expect_eq(w->shared->behind, 0);
	cr_expect_eq(w->flying, 0);
}

Test(worker_async, what_flies_when_all_have_their_least_flies_on)
{
	const unsigned int reaps[] = { 1, 1 };
	struct flying_engine engine = { .reaps = reaps,
					.reap_count = 2,
					.end_after = 5 };
	struct worker *w = endless_worker(&engine, three_each);

	w->least_reads = 1;
	/* Another thread does not have its own yet. */
	atomic_init(&w->shared->behind, 2);
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "01[1:1]0[1:1]1[1:1]0[1:1][1:1]", "%s",
			 engine.events);
	cr_expect_eq(w->shared->behind, 1);
	cr_expect_eq(w->lanes[0].reads + w->lanes[1].reads, 5);
	cr_expect_eq(w->flying, 0);
}

/* The first has read its blocks once and does not wait for the second. */
Test(worker_async, a_lane_that_begins_again_waits_for_no_other)
{
	const unsigned int reaps[] = { 1, 1, 1, 1, 1 };
	const uint64_t blocks[] = { 5, 2 };
	struct flying_engine engine = { .reaps = reaps,
					.reap_count = 5,
					.backwards = true,
					.end_after = 7 };
	struct worker *w = endless_worker(&engine, blocks);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events,
			 "01[1:1]1[1:1]1[1:1]1[1:1]1[1:1]1[1:1][1:1]", "%s",
			 engine.events);
	cr_expect_eq(w->lanes[1].reads, 6);
	cr_expect_eq(w->lanes[1].first_bytes, 1999);
	cr_expect_eq(w->lanes[0].reads, 1);
	cr_expect_eq(w->lanes[0].first_bytes, 1000);
}

Test(worker_async, lanes_that_begin_again_know_what_they_read_first)
{
	const uint64_t blocks[] = { 3, 1 };
	struct flying_engine engine = { .backwards = true };
	struct worker *w = flying_worker(&engine, 2, blocks);

	w->lanes[0].sequence.left = w->lanes[1].sequence.left = 5;
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_eq(w->lanes[0].reads, 5);
	cr_expect_eq(w->lanes[0].bytes, 4999);
	cr_expect_eq(w->lanes[0].first_bytes, 2999);
	cr_expect_eq(w->lanes[1].reads, 5);
	cr_expect_eq(w->lanes[1].bytes, 5 * 999);
	cr_expect_eq(w->lanes[1].first_bytes, 999);
}

Test(worker_async, what_flies_when_the_ramp_ends_is_the_ramps)
{
	struct flying_engine engine = { .end_after = 3, .ends_ramp = true };
	struct worker *w = flying_worker(&engine, 2, three_each);

	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_str_eq(engine.events, "01[1:1]0[1:1][1:1]", "%s",
			 engine.events);
	cr_expect_eq(w->flying, 0);
	worker_enter(w, 1);
	cr_expect_eq(w->lanes[0].ramp_reads, 2);
	cr_expect_eq(w->lanes[0].ramp_bytes, 2000);
	cr_expect_eq(w->lanes[1].ramp_reads, 1);
	cr_expect_eq(worker_run(w), 0, "%s", w->err.text);
	cr_expect_eq(engine.ops[3].offset_bytes, 2500);
	cr_expect_eq(engine.ops[4].offset_bytes, 1500);
	expect_ranges(w, three_each);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads that are timed, or compared with what was prepared. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/content.h"
#include "lib/base/histogram.h"
#include "rawread/worker.h"

#define SEED	     99
#define MOST_BYTES   8192
#define OFFSET_BYTES 1003 /* no multiple of a word */

/* A file of prepared content, of which one byte may be wrong. */
struct content_engine {
	uint64_t wrong_at; /* in the file; UINT64_MAX: none */
	uint64_t most;	   /* bytes a call, 0: all */
	unsigned int calls, in_flight;
	struct io_op *flying;
};

static uint64_t buffer[2 * MOST_BYTES];
static struct engine_job job;
static struct lane lane;
static struct worker_shared shared;
static struct worker w;

static char content_byte(const struct content_engine *engine, uint64_t at)
{
	uint64_t word;
	char bytes[sizeof(word)];

	content_fill(SEED, at / sizeof(word), &word, 1);
	memcpy(bytes, &word, sizeof(word));
	return (char)(bytes[at % sizeof(word)] ^ (at == engine->wrong_at));
}

/* As a vectored read fills iovecs that are two lengths apart. */
static int content_submit(void *state, struct io_op *op)
{
	struct content_engine *engine = state;
	uint64_t size = op->size_bytes, i;
	char *start = job.buffer + op->slot * job.slot_bytes;

	if (engine->most && size > engine->most)
		size = engine->most;
	for (i = 0; i < size; i++) {
		uint64_t at = op->skip_bytes + i;

		start[at / job.iovec_bytes * 2 * job.iovec_bytes +
		      at % job.iovec_bytes] =
			content_byte(engine, op->offset_bytes + i);
	}
	engine->calls++;
	op->result = (int64_t)size;
	return 0;
}

static int content_submit_later(void *state, struct io_op *op)
{
	struct content_engine *engine = state;

	content_submit(engine, op);
	engine->flying = op;
	return 1;
}

static int content_reap(void *state, struct io_op **done, unsigned int min_ops,
			unsigned int max_ops)
{
	struct content_engine *engine = state;

	cr_assert_eq(min_ops, 1);
	cr_assert_eq(max_ops, 1);
	done[0] = engine->flying;
	return 1;
}

static const struct engine_ops engine_content = { .submit = content_submit };
static const struct engine_ops engine_content_later = {
	.submit = content_submit_later, .reap = content_reap
};

/* On @range_bytes from OFFSET_BYTES on, in reads of 2 iovecs of 512. */
static void worker_make(const struct engine_ops *ops,
			struct content_engine *engine, uint64_t range_bytes)
{
	const uint64_t block = 1024;
	const uint64_t blocks = sequence_blocks(range_bytes, block);
	const struct sequence_part part = {
		.offset_bytes = OFFSET_BYTES,
		.range_bytes = range_bytes,
		.block_bytes = block,
		.step = 1,
		.count = blocks,
		.limit = blocks,
		.last_asked_bytes = range_bytes - (blocks - 1) * block,
	};
	static struct io_op *done[1];

	memset(&shared, 0, sizeof(shared));
	memset(buffer, 0, sizeof(buffer));
	job = (struct engine_job){ .buffer = (char *)buffer,
				   .slot_bytes = 4096,
				   .slots = 2,
				   .iovec_bytes = 512,
				   .iovecs = 2 };
	w = (struct worker){ .ops = ops,
			     .state = engine,
			     .shared = &shared,
			     .lanes = &lane,
			     .lane_count = 1,
			     .done = done,
			     .watch = { .verify = true },
			     .job = &job };
	/* Not the first slot. */
	lane = (struct lane){ .op = { .slot = 1 },
			      .path = "/t/f",
			      .end_offset_bytes = OFFSET_BYTES + range_bytes,
			      .seed = SEED };
	sequence_init(&lane.sequence, &part, NULL);
}

static void expect_right(const struct engine_ops *ops, uint64_t most)
{
	struct content_engine engine = { .wrong_at = UINT64_MAX, .most = most };

	worker_make(ops, &engine, 3 * 1024 + 77);
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	cr_expect_eq(lane.reads, 4);
	cr_expect_eq(lane.bytes, 3 * 1024 + 77);
}

Test(worker_watched, what_was_prepared_passes_at_any_offset)
{
	expect_right(&engine_content, 0);
	expect_right(&engine_content_later, 0);
	/* Short reads, which cross the iovecs. */
	expect_right(&engine_content, 301);
	expect_right(&engine_content_later, 301);
}

/* Byte @wrong of the range is told, and what came before it counts. */
static void expect_wrong(const struct engine_ops *ops, uint64_t wrong,
			 uint64_t most)
{
	struct content_engine engine = { .wrong_at = OFFSET_BYTES + wrong,
					 .most = most };
	char text[128];

	worker_make(ops, &engine, 3 * 1024 + 77);
	cr_expect_eq(worker_run(&w), -EILSEQ, "byte %lu", wrong);
	snprintf(text, sizeof(text),
		 "verify /t/f at offset %lu: byte %lu is not what 'rawread "
		 "prepare' wrote",
		 OFFSET_BYTES + wrong / 1024 * 1024, OFFSET_BYTES + wrong);
	cr_expect_str_eq(w.err.text, text, "%s", w.err.text);
	cr_expect_eq(lane.reads, wrong / 1024);
	cr_expect_eq(lane.bytes, wrong / 1024 * 1024);
	cr_expect_eq(shared.phase, PHASE_OVER);
}

Test(worker_watched, one_wrong_byte_anywhere_is_found_and_named)
{
	uint64_t wrong;

	for (wrong = 0; wrong < 3 * 1024 + 77; wrong++)
		expect_wrong(&engine_content, wrong, 0);
}

Test(worker_watched, a_wrong_byte_is_found_in_the_rest_of_a_short_read)
{
	const uint64_t wrongs[] = { 0,	  300,	301,	    511,	  512,
				    1023, 1024, 2048 + 602, 3 * 1024 + 76 };
	size_t i;

	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		expect_wrong(&engine_content, wrongs[i], 301);
		expect_wrong(&engine_content_later, wrongs[i], 301);
		expect_wrong(&engine_content_later, wrongs[i], 0);
	}
}

static void expect_latencies(const struct engine_ops *ops, uint64_t most)
{
	struct content_engine engine = { .wrong_at = UINT64_MAX, .most = most };
	static struct histogram latency;

	histogram_init(&latency);
	worker_make(ops, &engine, 5 * 1024 + 1);
	w.watch = (struct worker_watch){ .latency = &latency };
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	cr_expect_eq(lane.reads, 6);
	cr_expect_eq(latency.count, 6);
	cr_expect_leq(latency.min_ns, latency.max_ns);
	cr_expect_leq(latency.max_ns, latency.sum_ns);
	cr_expect_geq(engine.calls, most ? 20 : 6);
}

Test(worker_watched, each_read_has_one_latency_however_often_it_is_continued)
{
	expect_latencies(&engine_content, 0);
	expect_latencies(&engine_content, 300);
	expect_latencies(&engine_content_later, 0);
	expect_latencies(&engine_content_later, 300);
}

static int failing_submit(void *state, struct io_op *op)
{
	unsigned int *calls = state;

	op->result = ++*calls == 3 ? -EIO : (int64_t)op->size_bytes;
	return 0;
}

Test(worker_watched, a_read_that_failed_has_no_latency)
{
	const struct engine_ops failing = { .submit = failing_submit };
	static struct histogram latency;
	unsigned int calls = 0;

	histogram_init(&latency);
	worker_make(&failing, NULL, 5 * 1024);
	w.state = &calls;
	w.watch = (struct worker_watch){ .latency = &latency };
	cr_expect_eq(worker_run(&w), -EIO);
	cr_expect_eq(lane.reads, 2);
	cr_expect_eq(latency.count, 2);
}

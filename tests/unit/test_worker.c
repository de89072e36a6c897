// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/worker.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/engine_rig.h"

/* An engine that answers with the next of a list of results. */
struct script {
	const int64_t *results;
	unsigned int count;
	unsigned int calls;
	struct io_op ops[16]; /* as they came */
};

#define FULL INT64_MAX /* all that was asked for */

static int script_submit(void *state, struct io_op *op)
{
	struct script *script = state;

	cr_assert_lt(script->calls, 16, "it never ends");
	script->ops[script->calls] = *op;
	op->result = script->calls < script->count
			     ? script->results[script->calls]
			     : FULL;
	if (op->result == FULL)
		op->result = (int64_t)op->size_bytes;
	script->calls++;
	return 0;
}

static const struct engine_ops engine_script = {
	.name = "script",
	.submit = script_submit,
};

/* What a worker has beside itself, one at a time. */
static struct lane lane;
static const struct engine_job job;

/* A worker on a range of 100001 bytes at 1000, in blocks of 65536. */
static void worker_make(struct worker *worker, struct worker_shared *shared,
			struct script *script, uint64_t limit)
{
	const struct sequence_part part = {
		.offset_bytes = 1000,
		.range_bytes = 100001,
		.block_bytes = 65536,
		.step = 1,
		.count = 2,
		.limit = limit,
		.last_asked_bytes = 34465,
	};

	memset(shared, 0, sizeof(*shared));
	atomic_init(&shared->behind, 1);
	*worker = (struct worker){
		.ops = &engine_script,
		.state = script,
		.shared = shared,
		.lanes = &lane,
		.lane_count = 1,
		.job = &job,
	};
	lane = (struct lane){ .path = "/t/f", .end_offset_bytes = 101001 };
	sequence_init(&lane.sequence, &part, NULL);
}

Test(worker, counts_what_arrived_with_the_short_tail)
{
	struct script script = { .count = 0 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(lane.bytes, 100001);
	cr_expect_eq(lane.first_bytes, 100001);
	cr_expect_eq(lane.reads, 2);
	cr_expect_eq(lane.short_reads, 0);
	cr_expect_eq(script.ops[1].offset_bytes, 66536);
	cr_expect_eq(script.ops[1].size_bytes, 34465);
}

Test(worker, continues_a_short_read_from_where_it_stopped)
{
	const int64_t results[] = { 393, 65000, FULL };
	struct script script = { .results = results, .count = 3 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	cr_expect_eq(script.calls, 4);
	cr_expect_eq(script.ops[1].offset_bytes, 1393);
	cr_expect_eq(script.ops[1].skip_bytes, 393);
	cr_expect_eq(script.ops[1].size_bytes, 65143);
	cr_expect_eq(script.ops[2].offset_bytes, 66393);
	cr_expect_eq(script.ops[2].size_bytes, 143);
	/* And the next block begins at the buffer's start again. */
	cr_expect_eq(script.ops[3].offset_bytes, 66536);
	cr_expect_eq(script.ops[3].skip_bytes, 0);
	cr_expect_eq(lane.bytes, 100001);
	cr_expect_eq(lane.reads, 2);
	/* Short twice, it is one. */
	cr_expect_eq(lane.short_reads, 1);
}

Test(worker, an_error_names_file_and_offset_and_stops_all)
{
	const int64_t results[] = { FULL, 4096, -EIO };
	struct script script = { .results = results, .count = 3 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	cr_expect_eq(worker_run(&w), -EIO);
	cr_expect_str_eq(w.err.text,
			 "read /t/f at offset 70632: Input/output error");
	cr_expect_eq(shared.phase, PHASE_OVER);
	cr_expect_eq(script.calls, 3);
	cr_expect_eq(lane.bytes, 65536);
	cr_expect_eq(lane.reads, 1);
}

Test(worker, a_file_that_became_shorter_is_an_error_and_no_loop)
{
	const int64_t results[] = { 100, 0 };
	struct script script = { .results = results, .count = 2 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	cr_expect_eq(worker_run(&w), -ENODATA);
	cr_expect(strstr(w.err.text, "/t/f at offset 1100"), "%s", w.err.text);
	cr_expect(strstr(w.err.text, "became shorter"), "%s", w.err.text);
	cr_expect_eq(shared.phase, PHASE_OVER);
	cr_expect_eq(script.calls, 2);
	cr_expect_eq(lane.bytes, 0);
}

/* Others read elsewhere, so where it was met tells nothing. */
Test(worker, a_file_that_became_shorter_is_told_with_the_length_it_has)
{
	const int64_t results[] = { FULL, 0 };
	struct script script = { .results = results, .count = 2 };
	struct worker_shared shared;
	char *path = rig_path("shorter");
	struct worker w;

	rig_make_file(path, 1050);
	worker_make(&w, &shared, &script, 2);
	lane.path = path;
	cr_expect_eq(worker_run(&w), -ENODATA);
	cr_expect(strstr(w.err.text,
			 " at offset 66536: the file has 1050 bytes now, 99951 "
			 "less than the range needs; it became shorter"),
		  "%s", w.err.text);
	unlink(path);
	free(path);
}

Test(worker, an_interrupted_read_is_begun_again)
{
	const int64_t results[] = { -EINTR, -EINTR, FULL };
	struct script script = { .results = results, .count = 3 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	cr_expect_eq(lane.bytes, 100001);
	cr_expect_eq(script.calls, 4);
	cr_expect_eq(lane.short_reads, 0);
}

/* Direct I/O asks for whole sectors at the end of a file. */
Test(worker, what_was_asked_beyond_the_end_is_not_missed)
{
	const int64_t results[] = { FULL, 34465 };
	struct script script = { .results = results, .count = 2 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	lane.sequence.last_asked_bytes = 65536;
	cr_expect_eq(worker_run(&w), 0, "%s", w.err.text);
	cr_expect_eq(script.ops[1].size_bytes, 65536);
	cr_expect_eq(lane.bytes, 100001);
	cr_expect_eq(lane.reads, 2);
	cr_expect_eq(lane.short_reads, 0);
}

static int refuse_submit(void *state, struct io_op *op)
{
	(void)state;
	(void)op;
	return -EBADF;
}

Test(worker, a_read_that_could_not_be_started_is_an_error)
{
	const struct engine_ops refusing = { .submit = refuse_submit };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, NULL, 2);
	w.ops = &refusing;
	cr_expect_eq(worker_run(&w), -EBADF);
	cr_expect(strstr(w.err.text, "offset 1000: Bad file"), "%s",
		  w.err.text);
}

Test(worker, alone_it_stops_at_its_least_number_of_reads)
{
	struct script script = { .count = 0 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, SEQUENCE_ENDLESS);
	w.least_reads = 5;
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(lane.reads, 5);
	cr_expect_eq(lane.bytes, 2 * 100001 + 65536);
	cr_expect_eq(lane.first_bytes, 100001);
	cr_expect_eq(shared.phase, PHASE_OVER);
	cr_expect_eq(shared.behind, 0);
}

static int stop_submit(void *state, struct io_op *op)
{
	struct worker *worker = state;

	op->result = (int64_t)op->size_bytes;
	/* Another one has its minimum during the sixth read. */
	if (lane.reads == 5)
		worker_end_all(worker->shared);
	return 0;
}

Test(worker, goes_on_beyond_its_least_until_all_have_theirs)
{
	const struct engine_ops stopping = { .submit = stop_submit };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, NULL, SEQUENCE_ENDLESS);
	atomic_init(&shared.behind, 2);
	w.ops = &stopping;
	w.state = &w;
	w.least_reads = 1;
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(lane.reads, 6);
	cr_expect_eq(lane.bytes, 3 * 100001);
	cr_expect_eq(lane.first_bytes, 100001);
	cr_expect_eq(shared.behind, 1);
}

Test(worker, fewer_reads_than_its_part_are_all_different)
{
	struct script script = { .count = 0 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, SEQUENCE_ENDLESS);
	w.least_reads = 1;
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(lane.reads, 1);
	cr_expect_eq(lane.first_bytes, 65536);
}

Test(worker, reads_nothing_once_it_is_stopped)
{
	struct script script = { .count = 0 };
	struct worker_shared shared;
	struct worker w;

	worker_make(&w, &shared, &script, 2);
	worker_end_all(&shared);
	cr_expect_eq(worker_run(&w), 0);
	cr_expect_eq(lane.reads, 0);
	cr_expect_eq(script.calls, 0);
}

Test(worker, what_workers_write_lies_on_lines_of_their_own)
{
	cr_expect_eq(sizeof(struct worker) % CACHE_LINE_BYTES, 0);
	cr_expect_eq(_Alignof(struct worker) % CACHE_LINE_BYTES, 0);
	cr_expect_eq(sizeof(struct lane) % CACHE_LINE_BYTES, 0);
	cr_expect_eq(_Alignof(struct lane) % CACHE_LINE_BYTES, 0);
	cr_expect_geq(offsetof(struct worker_shared, behind), CACHE_LINE_BYTES);
	cr_expect_eq(sizeof(struct sequence_counter), CACHE_LINE_BYTES);
}

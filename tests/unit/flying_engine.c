// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/flying_engine.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define OFFSET_BYTES 500
#define BLOCK_BYTES  1000

static void __attribute__((format(printf, 2, 3)))
note(struct flying_engine *engine, const char *format, ...)
{
	size_t length = strlen(engine->events);
	va_list ap;

	va_start(ap, format);
	vsnprintf(engine->events + length, sizeof(engine->events) - length,
		  format, ap);
	va_end(ap);
}

static struct flying_answer answer_of(const struct flying_engine *engine)
{
	unsigned int i;

	for (i = 0; i < engine->answer_count; i++)
		if (engine->answers[i].submit == engine->submits)
			return engine->answers[i];
	return (struct flying_answer){ .rc = 1, .result = FLYING_FULL };
}

static int flying_submit(void *state, struct io_op *op)
{
	struct flying_engine *engine = state;
	struct flying_answer answer = answer_of(engine);
	unsigned int i;

	cr_assert_lt(engine->submits, 64, "it never ends: %s", engine->events);
	for (i = 0; i < engine->flying_count; i++)
		cr_assert_neq(engine->flying[i], op, "it flies already");
	note(engine, "%u", op->file);
	engine->ops[engine->submits++] = *op;
	if (engine->submits == engine->end_after) {
		if (engine->ends_ramp)
			worker_end_ramp(engine->worker->shared);
		else
			worker_end_all(engine->worker->shared);
	}
	op->result = answer.result == FLYING_FULL ? (int64_t)op->size_bytes
						  : answer.result;
	if (answer.rc > 0)
		engine->flying[engine->flying_count++] = op;
	return answer.rc;
}

static int flying_reap(void *state, struct io_op **done, unsigned int min_ops,
		       unsigned int max_ops)
{
	struct flying_engine *engine = state;
	unsigned int count = min_ops, i, from;

	cr_assert_gt(min_ops, 0);
	cr_assert_leq(min_ops, engine->flying_count, "it would wait for ever");
	cr_assert_eq(max_ops, engine->flying_count);
	if (engine->reap_rc)
		return engine->reap_rc;
	if (engine->waits < engine->reap_count &&
	    engine->reaps[engine->waits] != FLYING_ALL)
		count = engine->reaps[engine->waits];
	engine->waits++;
	cr_assert_leq(count, max_ops, "the test wants more than there are");
	for (i = 0; i < count; i++) {
		from = engine->backwards ? engine->flying_count - 1 : 0;
		done[i] = engine->flying[from];
		engine->flying_count--;
		memmove(&engine->flying[from], &engine->flying[from + 1],
			(engine->flying_count - from) * sizeof(*done));
	}
	note(engine, "[%u:%u]", min_ops, count);
	return (int)count;
}

const struct engine_ops engine_flying = {
	.name = "flying",
	.submit = flying_submit,
	.reap = flying_reap,
};

struct worker *flying_worker(struct flying_engine *engine, unsigned int lanes,
			     const uint64_t *blocks)
{
	static const char *const paths[FLYING_MOST] = { "/t/0", "/t/1", "/t/2",
							"/t/3" };
	static struct lane all[FLYING_MOST];
	static struct io_op *done[FLYING_MOST];
	static struct worker_shared shared;
	static const struct engine_job job;
	static struct worker worker;
	unsigned int i;

	memset(&shared, 0, sizeof(shared));
	atomic_init(&shared.behind, 1);
	worker = (struct worker){ .ops = &engine_flying,
				  .state = engine,
				  .shared = &shared,
				  .lanes = all,
				  .lane_count = lanes,
				  .done = done,
				  .job = &job };
	engine->worker = &worker;
	for (i = 0; i < lanes; i++) {
		const struct sequence_part part = {
			.offset_bytes = OFFSET_BYTES,
			.range_bytes = blocks[i] * BLOCK_BYTES - 1,
			.block_bytes = BLOCK_BYTES,
			.step = 1,
			.count = blocks[i],
			.limit = blocks[i],
			.last_asked_bytes = BLOCK_BYTES - 1,
		};

		all[i] = (struct lane){
			.op = { .file = i, .slot = i },
			.path = paths[i],
			.end_offset_bytes = OFFSET_BYTES + part.range_bytes,
		};
		sequence_init(&all[i].sequence, &part, NULL);
	}
	return &worker;
}

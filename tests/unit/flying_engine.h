/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An asynchronous engine without a kernel: what comes back, when and in what
 * order, is written down before, and all that a worker asks is written into a
 * text, "01[2:1]0[2:2]": submitted for files 0 and 1; of two that were waited
 * for one came; file 0 again; both came. It checks what an engine may rely on.
 */
#ifndef RAWREAD_TESTS_UNIT_FLYING_ENGINE_H
#define RAWREAD_TESTS_UNIT_FLYING_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "rawread/engine.h"
#include "rawread/worker.h"

#define FLYING_MOST 4	     /* lanes */
#define FLYING_ALL  UINT_MAX /* of a reap: as many as it waits for */
#define FLYING_FULL INT64_MAX

/* What becomes of the submit that is number @submit, counted from 0. */
struct flying_answer {
	unsigned int submit;
	int rc;		/* 1: in flight */
	int64_t result; /* FLYING_FULL: all that was asked for */
};

struct flying_engine {
	/* Set by the test; the rest goes by itself. */
	const struct flying_answer *answers;
	unsigned int answer_count;
	/* How many each reap brings; below what it waits for: a signal. */
	const unsigned int *reaps;
	unsigned int reap_count;
	bool backwards;		/* what was submitted last comes first */
	int reap_rc;		/* waiting fails with it */
	unsigned int end_after; /* the run is over during this submit … */
	bool ends_ramp;		/* … or only its ramp; 0: never */

	struct worker *worker;
	struct io_op *flying[FLYING_MOST];
	unsigned int flying_count, submits, waits;
	struct io_op ops[64]; /* as they were submitted */
	char events[512];
};

extern const struct engine_ops engine_flying;

/*
 * A worker with @lanes lanes of blocks of 1000 bytes from offset 500, lane i of
 * "/t/i", whose ranges are blocks[i] x 1000 - 1 bytes; and its engine. The rest
 * of it is as a test sets it up. Static memory, one at a time.
 */
struct worker *flying_worker(struct flying_engine *engine, unsigned int lanes,
			     const uint64_t *blocks);

#endif

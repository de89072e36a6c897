/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What our own loop costs, with the engine that reads nothing. Main thread. */
#ifndef RAWREAD_LOOP_COST_H
#define RAWREAD_LOOP_COST_H

#include <stdbool.h>
#include <stdint.h>

struct engine_ops;
struct err;
struct plan;

/* What decides, beside the plan, on how the run goes round. */
struct loop_way {
	const struct engine_ops *ops; /* of the run */
	bool waits_for_all;	      /* in flight, before it starts new ones */
	bool latency;		      /* times each read */
};

/* In ns for 1000 reads. */
struct loop_cost {
	uint64_t loop_ns;    /* as it goes in this run */
	uint64_t latency_ns; /* what --latency adds to it, or 0 */
};

/*
 * Goes through the first thread's part of @plan, on this thread, as the run
 * does, and without and with the timing. What --verify compares is no part of
 * it. Returns 0 or -ENOMEM.
 */
int loop_cost_measure(const struct plan *plan, const struct loop_way *way,
		      struct loop_cost *cost, struct err *err);

#endif

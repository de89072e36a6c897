/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What our own loop costs, with the engine that reads nothing. Main thread. */
#ifndef RAWREAD_LOOP_COST_H
#define RAWREAD_LOOP_COST_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct plan;

/* In ns for 1000 reads; 0: the first thread has nothing to read. */
struct loop_cost {
	uint64_t loop_ns;    /* as it goes in this run */
	uint64_t latency_ns; /* what --latency adds to it, or 0 */
};

/*
 * Goes through the first thread's part of @plan, on this thread, as the run
 * does, and without and with @latency. Returns 0 or -ENOMEM.
 */
int loop_cost_measure(const struct plan *plan, bool latency,
		      struct loop_cost *cost, struct err *err);

#endif

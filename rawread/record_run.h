/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was planned, sampled and observed to the run record. Pure. */
#ifndef RAWREAD_RECORD_RUN_H
#define RAWREAD_RECORD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "rawread/loop_cost.h"

struct cputime;
struct err;
struct observation;
struct placement;
struct plan;
struct run_cpu;
struct run_params;
struct run_record;
struct run_samples;

struct record_sources {
	const struct run_params *params;
	const struct plan *plan; /* NULL: the run never came so far */
	const struct placement *placement;
	const struct run_samples *samples; /* NULL: it failed */
	const struct observation *observation;
	const int64_t *read_ahead_kib; /* of each target */
	struct loop_cost cost;
	bool reads_nothing; /* the engine does */
	const char *begun;
	const char *error; /* NULL: none */
	bool not_available;
};

/*
 * Fills @run, which then owns copies of everything; of a failed run only what
 * was asked for and why there is no result. Returns 0, -EINVAL or -ENOMEM;
 * free with run_record_free() in any case.
 */
int record_run_make(const struct record_sources *sources,
		    struct run_record *run, struct err *err);

/* What all CPUs did between two readings. */
void record_run_cpu(const struct cputime *before, const struct cputime *after,
		    struct run_cpu *cpu);

#endif

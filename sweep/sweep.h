/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep: for each run of the matrix flush, prove, run, record. Main thread.
 */
#ifndef RAWREAD_SWEEP_SWEEP_H
#define RAWREAD_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/params.h"

struct err;
struct flush_method;

/* What is asked for; complete and checked before sweep_run(). */
struct sweep_plan {
	char *label;
	char *record_path;
	char *command;		  /* the line that asked */
	struct run_params params; /* of every run; targets are added */
	uint64_t *block_sizes;
	size_t size_count;
	uint64_t reps;
	const struct flush_method *method;
	bool may_drop_caches;
	char **dirs; /* words of argv */
	size_t dir_count;
};

void sweep_plan_free(struct sweep_plan *plan);

/* What came of it. Owns its strings. */
struct sweep_tally {
	size_t torn_bytes; /* of a last line that was cut off the file */
	uint64_t planned;
	uint64_t written; /* run lines */
	uint64_t errors;
	uint64_t not_available;
	uint64_t not_cold;  /* though they were to be: warm or unknown */
	uint64_t fallbacks; /* flushes that needed more than their method */
	char *first_error;  /* why, of the first of each kind, or NULL */
	char *first_warmth;
	char *first_fallback;
};

void sweep_tally_free(struct sweep_tally *tally);

/*
 * Does all of it. Mounts and settings are as found when it returns, whatever
 * it returns. A run that failed is a row in the record file and no error here.
 *
 * Returns 0; -EINTR when a signal asked for the end (see stop_signal()); a
 * negative errno when it could not begin or had to be stopped.
 */
int sweep_run(struct sweep_plan *plan, struct sweep_tally *tally,
	      struct err *err);

#endif

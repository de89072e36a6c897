/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row: all runs of one test, block size and setting, and what is kept of
 * them. Owned by its series; main thread.
 */
#ifndef RAWREAD_REPORTS_ROW_H
#define RAWREAD_REPORTS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/settings.h"
#include "reports/texts.h"

struct err;
struct run_record;
struct test;

/* One number for each run. */
struct figures {
	double *values;
	size_t count;
	char *text; /* of the first, as it was published; or NULL */
};

struct row {
	const struct test *test;
	uint64_t block_bytes;
	bool imported;
	/* Those that are no SETTING_CONTEXT; NULL: not known, and fits any. */
	const char *settings[SETTING_COUNT];

	size_t runs; /* all of these: */
	size_t cold_runs;
	size_t warm_runs;
	size_t filled_runs; /* warm, as --warm asked */
	size_t unknown_runs;
	size_t failed_runs;
	size_t na_runs;
	size_t imported_runs;
	size_t cpus_changed_runs; /* a CPU came or went */
	size_t moved_runs;	  /* threads or buffers were not kept */
	size_t verified_runs;	  /* every byte was compared */

	struct figures kbs;
	struct figures cpu_pct; /* imported only: measured %CPU is of ticks */

	/* Sums over the runs that have a result. */
	double bytes;
	double ticks;
	double busy_ticks;
	double steal_ticks;
	double busy_s;
	double requests;
	double request_bytes;

	/* Sentences, each once. */
	struct texts warm_causes;
	struct texts unknown_causes;
	struct texts fill_causes; /* how the cache was filled */
	struct texts errors;
	struct texts na_reasons;
	struct texts flush_causes; /* of what a flush needed besides */
	/* Of the run that moved the least of its bytes, cold ones aside. */
	bool device_bytes_known;
	uint64_t device_bytes;
	uint64_t device_bytes_wanted;
};

void row_free(struct row *row);

/*
 * Whether a run with these settings belongs into @row. What is not known on a
 * side (a run that failed before it saw its files) does not tell them apart.
 */
bool row_fits(const struct row *row, const struct test *test,
	      uint64_t block_bytes, bool imported,
	      const char *const set[SETTING_COUNT]);

/*
 * Takes in what is needed of @run. Returns 0, -EINVAL for an imported metric
 * or number that has no meaning, or -ENOMEM.
 */
int row_add_run(struct row *row, const struct run_record *run, struct err *err);

/* Runs that have a result; of published figures, how many of a metric. */
size_t row_results(const struct row *row);

/* Measured, but with too few ticks for %CPU. */
bool row_is_short(const struct row *row);

#endif

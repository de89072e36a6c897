/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two labels, compared: all that rawread diff prints. Main thread. */
#ifndef RAWREAD_REPORTS_DIFF_H
#define RAWREAD_REPORTS_DIFF_H

#include <stdio.h>

struct err;
struct judge_counts;
struct judge_rules;
struct matches;
struct series;

enum diff_format { DIFF_TEXT, DIFF_CLASSIC };

struct diff {
	const struct series *a, *b;
	enum diff_format format;
	const struct judge_rules *rules;
	struct judge_counts *counts; /* counted as rows are printed */
};

/* What differs, the tables, what stands behind marks, the sums. 0 or -ENOMEM.
 */
int diff_print(FILE *out, const struct diff *diff,
	       const struct matches *matches);

/*
 * That nothing could be judged is no "within". Returns 0; -ENODATA with what
 * was in the way; -ENOMEM.
 */
int diff_check_judged(const struct judge_counts *counts, struct err *err);

#endif

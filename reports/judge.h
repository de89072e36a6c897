/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pair of rows says by one metric: within, worse or better, or why it
 * has no say. Pure functions, any thread.
 */
#ifndef RAWREAD_REPORTS_JUDGE_H
#define RAWREAD_REPORTS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/metric.h"

struct match;
struct pair;

struct judge_rules {
	struct tolerance tolerances[METRIC_COUNT];
	bool warm; /* rows that are warm or unknown have a say too */
};

enum verdict {
	VERDICT_WITHIN,
	VERDICT_WORSE,
	VERDICT_BETTER,
	VERDICT_NONE, /* see enum judge_reason */
	VERDICT_COUNT
};

/* Why a row has no say. */
enum judge_reason {
	REASON_NONE,
	REASON_MISSING,	  /* on a side, the row or its value */
	REASON_FAILED,	  /* a run of A did, or could not be in A or B */
	REASON_VERIFIED,  /* comparing took longer than reading */
	REASON_NOT_COLD,  /* and --warm was not given */
	REASON_TOO_SHORT, /* for %CPU */
	REASON_COUNT
};

struct judgement {
	enum verdict verdict;
	enum judge_reason reason;
	bool has_a, has_b; /* values */
	bool missing_in_b; /* the row, which A has */
	double a, b;
	struct tolerance_result result; /* when both are there */
};

/* How often each came, in all tables of a diff. */
struct judge_counts {
	size_t verdicts[VERDICT_COUNT];
	size_t reasons[REASON_COUNT];
	size_t missing_in_b; /* of those without a say */
	size_t tables;
};

/* A run that failed in B, where A has a result, is worse by any metric. */
struct judgement judge(const struct judge_rules *rules,
		       const struct metric *metric, const struct pair *pair);

void judge_count(struct judge_counts *counts,
		 const struct judgement *judgement);

/*
 * Whether @pair is a row of the table of @metric: a side has a figure, or
 * failed where it should have had one.
 */
bool judge_has_row(const struct metric *metric, const struct pair *pair);
bool judge_has_rows(const struct metric *metric, const struct pair *pairs,
		    size_t count);

enum judge_table {
	TABLE_NONE, /* neither side has anything to say by the metric */
	TABLE_ROWS,
	TABLE_A_LACKS, /* no row of A has the metric: nothing to compare */
	TABLE_B_LACKS,
};

enum judge_table judge_table(const struct metric *metric,
			     const struct match *match);

#endif

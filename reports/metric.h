/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a row tells in numbers: one table. Constant data, any thread. */
#ifndef RAWREAD_REPORTS_METRIC_H
#define RAWREAD_REPORTS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/tolerance.h"

struct row;

enum metric_id {
	METRIC_KBS,
	METRIC_CPU,
	METRIC_KB_PER_CPU_S,
	METRIC_KB_PER_REQUEST,
	METRIC_COUNT
};

enum metric_good { GOOD_HIGHER, GOOD_LOWER };

struct metric {
	const char *name;	  /* in --tol and in imported records */
	const char *column;	  /* in tables */
	const char *classic_unit; /* in classic tables */
	enum metric_good good;
	bool compared; /* has a table in a diff */
	struct tolerance tolerance;
	int places; /* behind the point */
	/* False: the row does not have it. */
	bool (*value)(const struct row *row, double *value);
};

extern const struct metric metrics[METRIC_COUNT];

/* Of @length letters, among those that are compared; NULL: none is. */
const struct metric *metric_by_name(const char *name, size_t length);

/*
 * The value as tables show it: a published number as it was given, another
 * with the metric's places, "-" where there is none. The caller frees it;
 * NULL without memory.
 */
char *metric_text(const struct metric *metric, const struct row *row);

#endif

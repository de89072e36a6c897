/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tolerance tables in the layout that kernel lists know. Main thread. */
#ifndef RAWREAD_REPORTS_TABLE_CLASSIC_H
#define RAWREAD_REPORTS_TABLE_CLASSIC_H

#include <stdio.h>

struct diff;
struct match;
struct metric;

/* A table by @metric for each group of rows of the test. 0 or -ENOMEM. */
int table_classic_diff(FILE *out, const struct diff *diff,
		       const struct match *match, const struct metric *metric);

#endif

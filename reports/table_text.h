/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of report and diff, for people. Main thread. */
#ifndef RAWREAD_REPORTS_TABLE_TEXT_H
#define RAWREAD_REPORTS_TABLE_TEXT_H

#include <stdio.h>

struct diff;
struct match;
struct metric;

/* A table for each group of rows of the test. Returns 0 or -ENOMEM. */
int table_text_rows(FILE *out, const struct match *match);

/* A table by @metric for each group of rows of the test. 0 or -ENOMEM. */
int table_text_diff(FILE *out, const struct diff *diff,
		    const struct match *match, const struct metric *metric);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above tables: where the figures are from. Main thread. */
#ifndef RAWREAD_REPORTS_ABOUT_H
#define RAWREAD_REPORTS_ABOUT_H

#include <stdio.h>

struct match;
struct matches;
struct series;

/*
 * Label, kernel, machine, flush, file systems and devices of a series. Returns
 * 0 or -ENOMEM.
 */
int about_series(FILE *out, const struct series *series);

/*
 * The settings that all rows of @matches have alike, as one paragraph. Returns
 * 0 or -ENOMEM.
 */
int about_rows(FILE *out, const char *head, const struct matches *matches);

/* A line for each campaign that did not end as planned; @head before each. */
int about_partial(FILE *out, const char *head, const struct series *series);

#endif

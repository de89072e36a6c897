/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a sample. Pure functions, any thread. */
#ifndef RAWREAD_REPORTS_STATISTICS_H
#define RAWREAD_REPORTS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct statistics {
	size_t count;
	double mean; /* 0 of none */
	double sd;   /* of a sample (n - 1); 0 of fewer than two */
};

struct statistics statistics_of(const double *values, size_t count);

/*
 * The coefficient of variation, sd / mean, in percent. False when it has no
 * meaning: of fewer than two values, or around 0.
 */
bool statistics_cv_pct(const struct statistics *statistics, double *cv_pct);

#endif

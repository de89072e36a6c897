/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far B may be from A, and whether it is. Pure functions, any thread. */
#ifndef RAWREAD_REPORTS_TOLERANCE_H
#define RAWREAD_REPORTS_TOLERANCE_H

#include <stdbool.h>

struct err;

struct tolerance {
	double abs; /* in the metric's own unit */
	double pct_of_base;
};

struct tolerance_result {
	double diff;	 /* B - A */
	double pct_diff; /* of A; 0 unless pct_known */
	bool pct_known;	 /* A is not 0 */
	double allowed;
	bool beyond; /* |diff| > allowed, rounding aside */
};

/*
 * "ABS+PCT%", "PCT%" or "ABS", as in 0.5+3%. What is not said is 0. @what
 * names the option in the error. Returns 0 or -EINVAL.
 */
int tolerance_parse(const char *what, const char *text,
		    struct tolerance *tolerance, struct err *err);

struct tolerance_result tolerance_compare(const struct tolerance *tolerance,
					  double a, double b);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/statistics.h"

#include <math.h>

/*
 * Two passes: the sum of squares less the square of the sum would lose all
 * digits where values are large and close, as rates of equal runs are.
 */
struct statistics statistics_of(const double *values, size_t count)
{
	struct statistics s = { .count = count };
	double squares = 0, rest = 0;
	size_t i;

	if (!count)
		return s;
	for (i = 0; i < count; i++)
		s.mean += (values[i] - s.mean) / (double)(i + 1);
	for (i = 0; i < count; i++) {
		double off = values[i] - s.mean;

		squares += off * off;
		rest += off; /* 0, but for what rounding left in the mean */
	}
	if (count > 1)
		s.sd = sqrt(fmax(0, squares - rest * rest / (double)count) /
			    (double)(count - 1));
	return s;
}

bool statistics_cv_pct(const struct statistics *statistics, double *cv_pct)
{
	*cv_pct = 0;
	if (statistics->count < 2 || statistics->mean <= 0)
		return false;
	*cv_pct = 100 * statistics->sd / statistics->mean;
	return true;
}

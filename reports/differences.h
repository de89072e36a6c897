/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What A and B were measured under, where it is not the same. Main thread. */
#ifndef RAWREAD_REPORTS_DIFFERENCES_H
#define RAWREAD_REPORTS_DIFFERENCES_H

#include <stdio.h>

struct err;
struct matches;
struct series;

/*
 * Prints a line for each setting that is not the same in A and B, or that
 * none is known to differ. Returns 0 or -ENOMEM.
 */
int differences_print(FILE *out, const struct series *a, const struct series *b,
		      const struct matches *matches);

/*
 * Whether figures of A and B may be compared at all. Returns 0; -EINVAL when
 * a SETTING_WORKLOAD differs wholly, with all that do; -ENOMEM.
 */
int differences_check(const struct matches *matches, struct err *err);

/*
 * Whether A and B have rows in common. Returns 0, or -ENODATA with the reason
 * why they have none; -ENOMEM.
 */
int differences_check_common(const struct series *a, const struct series *b,
			     const struct matches *matches, struct err *err);

#endif

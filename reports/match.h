/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of one test, of two labels side by side or of one alone. Rows are
 * matched by block size and by the settings that tell rows of a label apart;
 * a setting that differs wholly between the labels is what is compared.
 * Borrows the rows of the series; main thread.
 */
#ifndef RAWREAD_REPORTS_MATCH_H
#define RAWREAD_REPORTS_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/settings.h"

struct err;
struct row;
struct series;
struct test;

struct pair {
	const struct row *a; /* NULL: B alone has it */
	const struct row *b;
};

struct match {
	const struct test *test;
	/* One value in A and one, another, in B. */
	const char *only_a[SETTING_COUNT];
	const char *only_b[SETTING_COUNT];
	/* Several values that rows are told apart by. */
	bool varies[SETTING_COUNT];
	/* Sorted by what varies, then by block size. */
	struct pair *pairs;
	size_t pair_count;
	size_t common; /* pairs that both have */
};

struct matches {
	struct match *list; /* in the order of test numbers */
	size_t count;
};

/* @b is NULL for a label alone. Returns 0 or -ENOMEM. */
int matches_make(const struct series *a, const struct series *b,
		 struct matches *matches, struct err *err);
void matches_free(struct matches *matches);

/* The row that @pair has, A's first. */
const struct row *pair_row(const struct pair *pair);

/* The pairs from @first on that share all that varies: one past the last. */
size_t match_group_end(const struct match *match, size_t first);

/* What those share, "threads 2, direct yes"; "" when nothing varies. The
 * caller frees it; NULL without memory.
 */
char *match_group_heading(const struct match *match, size_t first);

#endif

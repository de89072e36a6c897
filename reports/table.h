/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for people: columns as wide as what is in them, by libsmartcols, the
 * same on a terminal and in a file. Main thread.
 */
#ifndef RAWREAD_REPORTS_TABLE_H
#define RAWREAD_REPORTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table;

struct table_column {
	const char *heading;
	bool left; /* else numbers, to the right */
};

/*
 * @gap stands between columns. NULL without memory. Free with table_free().
 */
struct table *table_new(const struct table_column *columns, size_t count,
			const char *gap);
void table_free(struct table *table);

/* A line of texts, which are copied. 0 or -ENOMEM. */
int table_add(struct table *table, char *const *cells);

/* Prints without trailing blanks. 0 or -ENOMEM. */
int table_print(struct table *table, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Published figures: a table of two columns, block sizes and a metric. */
#ifndef RAWREAD_REPORTS_IMPORT_CSV_H
#define RAWREAD_REPORTS_IMPORT_CSV_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct metric;

struct import_figure {
	uint64_t block_bytes;
	char *text; /* the number as it was given */
	unsigned long line;
};

struct import_table {
	const struct metric *metric;
	struct import_figure *figures;
	size_t count; /* 1 at least */
};

/*
 * Reads the whole of @path. Quotes, blanks around a field, blank lines and
 * CRLF are tolerated. Returns 0; -EINVAL with file, line and what is wrong;
 * -errno. Free with import_table_free().
 */
int import_csv_read(const char *path, struct import_table *table,
		    struct err *err);
void import_table_free(struct import_table *table);

#endif

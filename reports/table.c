// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/table.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

struct table {
	struct libscols_table *scols;
	size_t column_count;
};

struct table *table_new(const struct table_column *columns, size_t count,
			const char *gap)
{
	struct table *table = calloc(1, sizeof(*table));
	size_t i;

	if (table)
		table->scols = scols_new_table();
	if (!table || !table->scols ||
	    scols_table_set_column_separator(table->scols, gap))
		goto failed;
	/* The width of the terminal must not decide what is shown. */
	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	for (i = 0; i < count; i++)
		if (!scols_table_new_column(table->scols, columns[i].heading, 0,
					    columns[i].left ? 0
							    : SCOLS_FL_RIGHT))
			goto failed;
	table->column_count = count;
	return table;
failed:
	table_free(table);
	return NULL;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}

int table_add(struct table *table, char *const *cells)
{
	struct libscols_line *line = scols_table_new_line(table->scols, NULL);
	size_t i;

	for (i = 0; line && i < table->column_count; i++)
		if (scols_line_set_data(line, i, cells[i]))
			return -ENOMEM;
	return line ? 0 : -ENOMEM;
}

/* libsmartcols fills the last column up. */
static void print_trimmed(const char *text, FILE *out)
{
	while (*text) {
		size_t length = strcspn(text, "\n"), used = length;

		while (used && text[used - 1] == ' ')
			used--;
		fprintf(out, "%.*s\n", (int)used, text);
		text += length;
		text += *text == '\n';
	}
}

int table_print(struct table *table, FILE *out)
{
	char *text = NULL;

	if (scols_print_table_to_string(table->scols, &text) || !text)
		return -ENOMEM;
	print_trimmed(text, out);
	free(text);
	return 0;
}

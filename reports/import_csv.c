// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/import_csv.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/record/params.h"
#include "reports/metric.h"
#include "reports/number.h"
#include "reports/print.h"

#define COLUMNS		 2
#define FIELD_SHOWN_MOST 40
#define FIGURE_MOST	 24

/* How published tables call what we have a metric for. */
static const struct {
	const char *heading;
	enum metric_id metric;
} headings[] = {
	{ "KBs/sec", METRIC_KBS },
	{ "KB/sec", METRIC_KBS },
	{ "KB/s", METRIC_KBS },
	{ "%CPU", METRIC_CPU },
};

static const char *const block_headings[] = { "Blocksize", "Block size",
					      "block_bytes" };

struct reader {
	const char *path;
	unsigned long line;
	bool has_heading;
	struct import_table *table;
};

/* A field may be as long as a file; its beginning tells which it is. */
static char *field_shown(const char *text)
{
	size_t length = 0, i, shown;
	char *cut, *printable;

	for (i = 0; i < FIELD_SHOWN_MOST && text[length]; i++) {
		shown = utf8_shown_bytes(text + length);
		length += shown ? shown : 1;
	}
	cut = text_format("%.*s%s", (int)length, text,
			  text[length] ? "..." : "");
	printable = cut ? text_printable(cut) : NULL;
	free(cut);
	return printable;
}

static int say(const struct reader *reader, struct err *err, const char *fault,
	       const char *text)
{
	char *shown = field_shown(text);
	int rc = shown ? err_say(err, -EINVAL, "%s:%lu: '%s' %s", reader->path,
				 reader->line, shown, fault)
		       : err_set(err, -ENOMEM, "%s", reader->path);

	free(shown);
	return rc;
}

static char *trim(char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

/*
 * Takes the next field off *@rest, which is NULL after the last. A quote in a
 * quoted field is written twice. NULL: a quote is not closed, or is followed
 * by more than a comma.
 */
static char *take_field(char **rest)
{
	char *from = *rest, *start, *to;

	from += strspn(from, " \t");
	if (*from != '"')
		return trim(strsep(rest, ","));
	start = to = ++from;
	while (*from && (*from != '"' || from[1] == '"')) {
		from += *from == '"';
		*to++ = *from++;
	}
	if (*from++ != '"')
		return NULL;
	from += strspn(from, " \t\r\n");
	if (*from && *from != ',')
		return NULL;
	*rest = *from ? from + 1 : NULL;
	*to = '\0';
	return trim(start);
}

/* Takes @line apart in place. */
static int split_line(const struct reader *reader, char *line,
		      char *fields[COLUMNS], struct err *err)
{
	char *rest = line;
	size_t i;

	for (i = 0; i < COLUMNS && rest; i++) {
		fields[i] = take_field(&rest);
		if (!fields[i])
			return err_say(err, -EINVAL,
				       "%s:%lu: a quote is not closed",
				       reader->path, reader->line);
	}
	if (i == COLUMNS && !rest)
		return 0;
	return err_say(err, -EINVAL,
		       "%s:%lu: not two columns; a line is a block size, a "
		       "comma, and a number",
		       reader->path, reader->line);
}

static int take_heading(struct reader *reader, char *const fields[COLUMNS],
			struct err *err)
{
	bool is_block = false;
	size_t i;

	for (i = 0; i < sizeof(block_headings) / sizeof(*block_headings); i++)
		if (!strcasecmp(fields[0], block_headings[i]))
			is_block = true;
	if (!is_block)
		return say(reader, err,
			   "is no column for the first place, which is "
			   "Blocksize",
			   fields[0]);
	for (i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		if (!strcasecmp(fields[1], headings[i].heading))
			reader->table->metric = &metrics[headings[i].metric];
	if (!reader->table->metric)
		return say(reader, err,
			   "is no column that is known; there are KBs/sec, "
			   "KB/s and %CPU",
			   fields[1]);
	reader->has_heading = true;
	return 0;
}

static int check_number(const struct reader *reader, const char *text,
			struct err *err)
{
	bool is_cpu = reader->table->metric == &metrics[METRIC_CPU];
	double number;
	int rc;

	if (strlen(text) > FIGURE_MOST)
		return say(reader, err, "is longer than a figure is", text);
	if (!is_cpu && strchr(text, '%'))
		return say(reader, err, "is in percent, and the column is not",
			   text);
	rc = figure_parse(text, &number);
	if (rc == -ERANGE)
		return say(reader, err, "is too large or too small a number",
			   text);
	if (rc < 0)
		return say(reader, err, "is not a number of 0 or more", text);
	return 0;
}

static int check_figure(const struct reader *reader,
			char *const fields[COLUMNS], uint64_t *block_bytes,
			struct err *err)
{
	size_t i;
	int rc;

	if (size_parse("block size", fields[0], 1, block_bytes, NULL) < 0 ||
	    !*block_bytes || *block_bytes > BLOCK_MAX_BYTES)
		return say(reader, err, "is not a block size in bytes",
			   fields[0]);
	rc = check_number(reader, fields[1], err);
	if (rc < 0)
		return rc;
	for (i = 0; i < reader->table->count; i++)
		if (reader->table->figures[i].block_bytes == *block_bytes)
			return err_say(err, -EINVAL,
				       "%s:%lu: block size %s stands in line "
				       "%lu already",
				       reader->path, reader->line, fields[0],
				       reader->table->figures[i].line);
	return 0;
}

static int take_figure(struct reader *reader, char *const fields[COLUMNS],
		       struct err *err)
{
	struct import_table *table = reader->table;
	struct import_figure *grown;
	uint64_t block_bytes;
	char *text;
	int rc;

	rc = check_figure(reader, fields, &block_bytes, err);
	if (rc < 0)
		return rc;
	grown = reallocarray(table->figures, table->count + 1, sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "%s", reader->path);
	table->figures = grown;
	text = strdup(fields[1]);
	if (!text)
		return err_set(err, -ENOMEM, "%s", reader->path);
	grown[table->count++] = (struct import_figure){
		.block_bytes = block_bytes, .text = text, .line = reader->line
	};
	return 0;
}

static int take_line(struct reader *reader, char *line, size_t length,
		     struct err *err)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of some editors */
	char *fields[COLUMNS];
	int rc;

	reader->line++;
	if (strlen(line) != length)
		return err_say(err, -EINVAL, "%s:%lu: not text", reader->path,
			       reader->line);
	if (reader->line == 1 && !strncmp(line, mark, strlen(mark)))
		line += strlen(mark);
	if (!*trim(line))
		return 0;
	rc = split_line(reader, line, fields, err);
	if (rc < 0)
		return rc;
	return reader->has_heading ? take_figure(reader, fields, err)
				   : take_heading(reader, fields, err);
}

int import_csv_read(const char *path, struct import_table *table,
		    struct err *err)
{
	struct reader reader = { .path = path, .table = table };
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	FILE *in;
	int rc = 0;

	*table = (struct import_table){ 0 };
	in = fopen(path, "re");
	if (!in)
		return err_set(err, -errno, "open %s", path);
	errno = 0;
	while (!rc && (length = getline(&line, &room, in)) > 0)
		rc = take_line(&reader, line, (size_t)length, err);
	if (!rc && ferror(in))
		rc = err_set(err, errno ? -errno : -EIO, "read %s", path);
	if (!rc && !table->count)
		rc = err_say(err, -EINVAL,
			     "%s holds no figures; it wants a heading as "
			     "Blocksize,KB/s and a line for each block size",
			     path);
	free(line);
	fclose(in);
	if (rc < 0)
		import_table_free(table);
	return rc;
}

void import_table_free(struct import_table *table)
{
	while (table->count)
		free(table->figures[--table->count].text);
	free(table->figures);
	*table = (struct import_table){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/marks.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "reports/match.h"
#include "reports/metric.h"
#include "reports/print.h"
#include "reports/row.h"

void marks_of(const struct row *row, char marks[static MARKS_BYTES])
{
	char *next = marks;

	if (row->warm_runs)
		*next++ = 'w';
	if (row->unknown_runs)
		*next++ = 'u';
	if (row->failed_runs)
		*next++ = 'e';
	if (row->na_runs)
		*next++ = 'n';
	if (row->verified_runs)
		*next++ = 'v';
	if (row_is_short(row))
		*next++ = 't';
	*next = '\0';
}

char *marks_of_pair(const struct metric *metric, const struct pair *pair)
{
	char a[MARKS_BYTES], b[MARKS_BYTES];

	if (!pair->a || !pair->b)
		return text_format("only in %c", pair->a ? 'A' : 'B');
	marks_of(pair->a, a);
	marks_of(pair->b, b);
	/* The last letter, and about %CPU alone. */
	if (metric != &metrics[METRIC_CPU]) {
		a[strcspn(a, "t")] = '\0';
		b[strcspn(b, "t")] = '\0';
	}
	return text_format("%s%s%s%s%s", *a ? "A" : "", a, *a && *b ? " " : "",
			   *b ? "B" : "", b);
}

/* A cause, and the rows that have it. */
struct cause {
	char letter;
	char *text; /* as the first row says it */
	const struct row **rows;
	size_t row_count;
	bool others; /* some say it with other numbers */
};

struct causes {
	struct cause *list;
	size_t count;
	size_t rows_most; /* of a cause */
	bool several_tests;
};

/* The same sentence, whatever its numbers. */
static bool is_alike(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			while (isdigit((unsigned char)*a))
				a++;
			while (isdigit((unsigned char)*b))
				b++;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static struct cause *cause_for(struct causes *causes, char letter,
			       const char *text)
{
	struct cause *grown;
	size_t i;

	for (i = 0; i < causes->count; i++)
		if (causes->list[i].letter == letter &&
		    is_alike(causes->list[i].text, text))
			return &causes->list[i];
	grown = reallocarray(causes->list, causes->count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	causes->list = grown;
	grown += causes->count;
	*grown = (struct cause){
		.letter = letter,
		.text = strdup(text),
		.rows = calloc(causes->rows_most, sizeof(*grown->rows)),
	};
	causes->count++;
	return grown->text && grown->rows ? grown : NULL;
}

static int add(struct causes *causes, char letter, const char *text,
	       const struct row *row)
{
	struct cause *cause = text ? cause_for(causes, letter, text) : NULL;

	if (!cause)
		return -ENOMEM;
	if (strcmp(cause->text, text))
		cause->others = true;
	if (!cause->row_count || cause->rows[cause->row_count - 1] != row)
		cause->rows[cause->row_count++] = row;
	return 0;
}

static int add_all(struct causes *causes, char letter,
		   const struct texts *texts, const struct row *row)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < texts->count; i++)
		rc = add(causes, letter, texts->list[i], row);
	return rc;
}

static int add_owned(struct causes *causes, char letter, char *text,
		     const struct row *row)
{
	int rc = add(causes, letter, text, row);

	free(text);
	return rc;
}

static bool tells_device_bytes(const struct texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strstr(texts->list[i], "device bytes"))
			return true;
	return false;
}

/* Beyond this part the devices moved all there was, and it is no reason. */
static bool moved_too_little(const struct row *row)
{
	return row->device_bytes_known &&
	       100 * (double)row->device_bytes <
		       PROOF_PCT * (double)row->device_bytes_wanted;
}

/* The one number that proves a row warm stands there, whoever found it. */
static int add_device_bytes(struct causes *causes, const struct row *row)
{
	bool warm = row->warm_runs != 0;

	if (!moved_too_little(row) ||
	    tells_device_bytes(warm ? &row->warm_causes : &row->unknown_causes))
		return 0;
	return add_owned(causes, warm ? 'w' : 'u',
			 text_format("device bytes %" PRIu64 " of %" PRIu64,
				     row->device_bytes,
				     row->device_bytes_wanted),
			 row);
}

static int add_short(struct causes *causes, const struct row *row)
{
	if (!row_is_short(row))
		return 0;
	return add_owned(causes, 't',
			 text_format("%.0f ticks of all CPUs in total, less "
				     "than %d: too short for %%CPU",
				     row->ticks, TICKS_LEAST),
			 row);
}

/* Which is why rates of such rows are shown and not judged. */
static int add_verified(struct causes *causes, const struct row *row)
{
	if (!row->verified_runs)
		return 0;
	return add(causes, 'v',
		   "every byte was compared, so that rates mean nothing", row);
}

/* What --warm asked for is no doubt, and moves rates all the same. */
static int add_fills(struct causes *causes, const struct row *row)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < row->fill_causes.count; i++)
		rc = add_owned(
			causes, '-',
			text_format("page cache: %s", row->fill_causes.list[i]),
			row);
	return rc;
}

static int add_notes(struct causes *causes, const struct row *row)
{
	int rc = add_fills(causes, row);

	if (!rc)
		rc = add_all(causes, '-', &row->flush_causes, row);

	if (!rc && row->cpus_changed_runs)
		rc = add(causes, '-', "a CPU came or went during a run", row);
	if (!rc && row->moved_runs)
		rc = add(causes, '-',
			 "threads or buffers were not where they were put",
			 row);
	return rc;
}

static int add_row(struct causes *causes, const struct row *row)
{
	int rc = add_device_bytes(causes, row);

	if (!rc)
		rc = add_all(causes, 'w', &row->warm_causes, row);
	if (!rc)
		rc = add_all(causes, 'u', &row->unknown_causes, row);
	if (!rc && row->warm_runs && !row->warm_causes.count &&
	    !moved_too_little(row))
		rc = add(causes, 'w', "warm, and the record has no cause", row);
	if (!rc && row->unknown_runs && !row->unknown_causes.count)
		rc = add(causes, 'u', "unknown, and the record has no cause",
			 row);
	if (!rc)
		rc = add_all(causes, 'e', &row->errors, row);
	if (!rc)
		rc = add_all(causes, 'n', &row->na_reasons, row);
	if (!rc)
		rc = add_verified(causes, row);
	if (!rc)
		rc = add_short(causes, row);
	if (!rc)
		rc = add_notes(causes, row);
	return rc;
}

/* One number for all rows: it varies from run to run and says little alone. */
static int print_steal(FILE *out, const char *head,
		       const struct row *const *rows, size_t row_count)
{
	double most_pct = 0;
	char *line;
	size_t i;

	for (i = 0; i < row_count; i++)
		if (rows[i]->steal_ticks > 0)
			most_pct = fmax(most_pct, 100 * rows[i]->steal_ticks /
							  rows[i]->ticks);
	if (most_pct <= 0)
		return 0;
	line = text_format("steal, which %%CPU counts as busy, was up to %.2f "
			   "%% of CPU time",
			   most_pct);
	if (!line)
		return -ENOMEM;
	fprintf(out, "%s-  %s\n", head, line);
	free(line);
	return 0;
}

/* "1024, 4096", or with several tests "seqread 1024, 4096, randread 1024". */
static void print_sizes(FILE *line, const struct causes *causes,
			const struct cause *cause)
{
	const struct row *before = NULL;
	size_t i;

	for (i = 0; i < cause->row_count; i++) {
		const struct row *row = cause->rows[i];
		bool same_test = before && before->test == row->test;

		if (same_test && before->block_bytes == row->block_bytes)
			continue;
		fprintf(line, "%s%s%s%" PRIu64, before ? ", " : "",
			causes->several_tests && !same_test ? row->test->name
							    : "",
			causes->several_tests && !same_test ? " " : "",
			row->block_bytes);
		before = row;
	}
}

static int print_cause(FILE *out, const char *head, const struct causes *causes,
		       const struct cause *cause)
{
	char *text = NULL, *start;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return -ENOMEM;
	if (cause->row_count == causes->rows_most && cause->row_count > 1)
		fprintf(line, "all rows");
	else
		print_sizes(line, causes, cause);
	fprintf(line, ": %s%s", cause->text,
		cause->others ? " (or alike)" : "");
	if (fclose(line)) {
		free(text);
		return -ENOMEM;
	}
	start = text_format("%s%c  ", head, cause->letter);
	if (start)
		print_wrapped(out, start, text);
	free(text);
	if (!start)
		return -ENOMEM;
	free(start);
	return 0;
}

int marks_explain(FILE *out, const char *head, const struct row *const *rows,
		  size_t row_count)
{
	static const char order[] = "wuenvt-";
	struct causes causes = { .rows_most = row_count };
	const char *letter;
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < row_count; i++) {
		if (rows[i]->test != rows[0]->test)
			causes.several_tests = true;
		rc = add_row(&causes, rows[i]);
	}
	for (letter = order; *letter; letter++)
		for (i = 0; !rc && i < causes.count; i++)
			if (causes.list[i].letter == *letter)
				rc = print_cause(out, head, &causes,
						 &causes.list[i]);
	if (!rc)
		rc = print_steal(out, head, rows, row_count);
	while (causes.count) {
		free(causes.list[--causes.count].text);
		free(causes.list[causes.count].rows);
	}
	free(causes.list);
	return rc;
}

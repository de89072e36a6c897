// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/table_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/record/tests.h"
#include "reports/diff.h"
#include "reports/judge.h"
#include "reports/marks.h"
#include "reports/match.h"
#include "reports/metric.h"
#include "reports/print.h"
#include "reports/row.h"
#include "reports/series.h"
#include "reports/statistics.h"
#include "reports/table.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A longer label would make the columns wider than a mail. */
#define LABEL_WIDTH 12

/* Frees the @cells after they were added; a NULL among them is no memory. */
static int add_cells(struct table *table, char **cells, size_t count)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < count; i++)
		if (!cells[i])
			rc = -ENOMEM;
	if (!rc)
		rc = table_add(table, cells);
	for (i = 0; i < count; i++)
		free(cells[i]);
	return rc;
}

static char *runs_text(const struct row *row)
{
	if (!row->failed_runs && !row->na_runs)
		return text_format("%zu", row_results(row));
	return text_format("%zu/%zu", row_results(row), row->runs);
}

/* Runs that are equal to the last digit say 0, and no rounded "0.00". */
static char *spread_text(const struct row *row)
{
	const struct statistics kbs =
		statistics_of(row->kbs.values, row->kbs.count);
	double cv_pct;

	if (!statistics_cv_pct(&kbs, &cv_pct))
		return strdup("-");
	return kbs.sd > 0 ? text_format("%.2f", cv_pct) : strdup("0");
}

static char *cold_text(const struct row *row)
{
	char marks[MARKS_BYTES];

	marks_of(row, marks);
	if (row->imported)
		return strdup("-");
	if (!row_results(row))
		return strdup(row->failed_runs ? "error" : "n/a");
	if (row->warm_runs || row->unknown_runs)
		return strdup(marks);
	return text_format("%s%s%s", row->filled_runs ? "filled" : "cold",
			   *marks ? " " : "", marks);
}

static char *block_text(const struct row *row)
{
	return text_format("%" PRIu64, row->block_bytes);
}

static char *kbs_text(const struct row *row)
{
	return metric_text(&metrics[METRIC_KBS], row);
}

static char *cpu_text(const struct row *row)
{
	return metric_text(&metrics[METRIC_CPU], row);
}

static char *kb_per_cpu_s_text(const struct row *row)
{
	return metric_text(&metrics[METRIC_KB_PER_CPU_S], row);
}

static char *kb_per_request_text(const struct row *row)
{
	return metric_text(&metrics[METRIC_KB_PER_REQUEST], row);
}

static const struct {
	struct table_column column;
	char *(*text)(const struct row *row);
} row_columns[] = {
	{ { "block size", false }, block_text },
	{ { "KB/s", false }, kbs_text },
	{ { "%CPU", false }, cpu_text },
	{ { "KB/CPU s", false }, kb_per_cpu_s_text },
	{ { "KB/req", false }, kb_per_request_text },
	{ { "runs", false }, runs_text },
	{ { "spread%", false }, spread_text },
	{ { "cold", true }, cold_text },
};

static struct table *rows_table(void)
{
	struct table_column columns[COUNT(row_columns)];
	size_t i;

	for (i = 0; i < COUNT(row_columns); i++)
		columns[i] = row_columns[i].column;
	return table_new(columns, COUNT(row_columns), "  ");
}

static int print_group_rows(FILE *out, const struct match *match, size_t first,
			    size_t end)
{
	struct table *table = rows_table();
	int rc = table ? 0 : -ENOMEM;
	size_t i;

	for (; !rc && first < end; first++) {
		char *cells[COUNT(row_columns)];

		for (i = 0; i < COUNT(row_columns); i++)
			cells[i] = row_columns[i].text(
				pair_row(&match->pairs[first]));
		rc = add_cells(table, cells, COUNT(row_columns));
	}
	if (!rc)
		rc = table_print(table, out);
	table_free(table);
	return rc;
}

/* What the rows of the group share, where there is more than one group. */
static int print_group_heading(FILE *out, const struct match *match,
			       size_t first)
{
	char *heading = match_group_heading(match, first);

	if (!heading)
		return -ENOMEM;
	if (*heading)
		print_wrapped(out, "", heading);
	free(heading);
	return 0;
}

int table_text_rows(FILE *out, const struct match *match)
{
	size_t first, end;
	int rc = 0;

	for (first = 0; !rc && first < match->pair_count; first = end) {
		end = match_group_end(match, first);
		fprintf(out, "%s, %s\n", match->test->name, match->test->title);
		rc = print_group_heading(out, match, first);
		if (!rc)
			rc = print_group_rows(out, match, first, end);
		fputc('\n', out);
	}
	return rc;
}

static char *value_text(const struct metric *metric, const struct row *row)
{
	if (row && !row->imported && !row_results(row))
		return strdup(row->failed_runs ? "error" : "n/a");
	return row ? metric_text(metric, row) : strdup("-");
}

static char *verdict_text(const struct metric *metric, const struct pair *pair,
			  enum verdict verdict)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_WITHIN] = "",
		[VERDICT_WORSE] = "* worse",
		[VERDICT_BETTER] = "* better",
		[VERDICT_NONE] = "",
	};
	char *marks = marks_of_pair(metric, pair), *text = NULL;

	if (marks)
		text = text_format("%s%s%s", words[verdict],
				   *words[verdict] && *marks ? " " : "", marks);
	free(marks);
	return text;
}

static int add_pair(struct table *table, const struct diff *diff,
		    const struct metric *metric, const struct pair *pair)
{
	struct judgement j = judge(diff->rules, metric, pair);
	bool both = j.has_a && j.has_b;
	char *cells[] = {
		text_format("%" PRIu64, pair_row(pair)->block_bytes),
		value_text(metric, pair->a),
		value_text(metric, pair->b),
		both && j.result.pct_known
			? text_format("%.2f", j.result.pct_diff)
			: strdup("n/a"),
		both ? text_format("%.2f", j.result.diff) : strdup("n/a"),
		both ? text_format("%.2f", j.result.allowed) : strdup("n/a"),
		verdict_text(metric, pair, j.verdict),
	};

	judge_count(diff->counts, &j);
	return add_cells(table, cells, COUNT(cells));
}

static struct table *diff_table(const struct diff *diff)
{
	const char *a = diff->a->shown, *b = diff->b->shown;
	/* libsmartcols shows other letters as the locale has them. */
	bool fit = strlen(a) <= LABEL_WIDTH && strlen(b) <= LABEL_WIDTH &&
		   text_width(a) == strlen(a) && text_width(b) == strlen(b) &&
		   strcmp(a, b);
	const struct table_column columns[] = {
		{ "block size", false },
		{ fit ? a : "A", false },
		{ fit ? b : "B", false },
		{ "%diff", false },
		{ "diff", false },
		{ "tolerance", false },
		{ "", true },
	};

	return table_new(columns, COUNT(columns), " ");
}

int table_text_diff(FILE *out, const struct diff *diff,
		    const struct match *match, const struct metric *metric)
{
	const struct tolerance *tolerance =
		&diff->rules->tolerances[metric - metrics];
	size_t first, end;
	int rc = 0;

	for (first = 0; !rc && first < match->pair_count; first = end) {
		struct table *table;
		size_t i;

		end = match_group_end(match, first);
		if (!judge_has_rows(metric, &match->pairs[first], end - first))
			continue;
		table = diff_table(diff);
		diff->counts->tables++;
		fprintf(out, "%s, %s: tolerance = %.2f + %.2f%% of A\n",
			match->test->name, metric->column, tolerance->abs,
			tolerance->pct_of_base);
		rc = table ? print_group_heading(out, match, first) : -ENOMEM;
		for (i = first; !rc && i < end; i++)
			if (judge_has_row(metric, &match->pairs[i]))
				rc = add_pair(table, diff, metric,
					      &match->pairs[i]);
		if (!rc)
			rc = table_print(table, out);
		fputc('\n', out);
		table_free(table);
	}
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/units.h"
#include "reports/about.h"
#include "reports/marks.h"
#include "reports/match.h"
#include "reports/print.h"
#include "reports/row.h"
#include "reports/select.h"
#include "reports/series.h"
#include "reports/table_text.h"

static int take(int key, char *arg, void *input, struct err *err)
{
	const char **word = input;

	if (key != ARGP_KEY_ARG)
		return err_say(err, -EINVAL, "report: option %d is not known",
			       key);
	if (*word)
		return err_say(err, -EINVAL,
			       "report: one FILE[:LABEL] at a time, and '%s' "
			       "is one more",
			       arg);
	*word = arg;
	return 0;
}

static void print_sums(const struct matches *matches,
		       const struct series *series)
{
	size_t rows = 0, cold = 0, filled = 0, doubted = 0, failed = 0, i, j;

	for (i = 0; i < matches->count; i++)
		for (j = 0; j < matches->list[i].pair_count; j++) {
			const struct row *row =
				pair_row(&matches->list[i].pairs[j]);

			rows++;
			cold += row->cold_runs == row->runs;
			filled += row->filled_runs == row->runs;
			doubted += row->warm_runs || row->unknown_runs;
			failed += row->failed_runs || row->na_runs;
		}
	if (series->imported_runs == series->run_count)
		printf("%zu row%s, %zu published figure%s: nothing was "
		       "measured here\n",
		       rows, plural(rows), series->run_count,
		       plural(series->run_count));
	else
		printf("%zu row%s, %zu run%s: %zu cold, ", rows, plural(rows),
		       series->run_count, plural(series->run_count), cold);
	if (filled)
		printf("%zu filled, ", filled);
	if (series->imported_runs != series->run_count)
		printf("%zu not, %zu with errors or n/a\n", doubted, failed);
}

static int print_marks(const struct matches *matches,
		       const struct series *series)
{
	const struct row **rows = calloc(series->row_count, sizeof(*rows));
	size_t count = 0, i, j;
	int rc;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < matches->count; i++)
		for (j = 0; j < matches->list[i].pair_count; j++)
			rows[count++] = pair_row(&matches->list[i].pairs[j]);
	rc = marks_explain(stdout, "", rows, count);
	free(rows);
	return rc;
}

static int print_report(const struct series *series, struct err *err)
{
	struct matches matches;
	size_t i;
	int rc;

	rc = matches_make(series, NULL, &matches, err);
	if (rc < 0)
		return rc;
	rc = about_series(stdout, series);
	if (!rc)
		rc = about_rows(stdout, "all rows   ", &matches);
	fputc('\n', stdout);
	for (i = 0; !rc && i < matches.count; i++)
		rc = table_text_rows(stdout, &matches.list[i]);
	if (!rc)
		rc = print_marks(&matches, series);
	if (!rc)
		rc = about_partial(stdout, "", series);
	if (!rc)
		print_sums(&matches, series);
	else
		err_set(err, rc, "print the report");
	matches_free(&matches);
	return rc;
}

static int run_report(int argc, char **argv)
{
	const char *word = NULL;
	struct series series = { 0 };
	struct err err;
	int rc;

	print_begin();
	rc = command_parse(&command_report, argc, argv, take, &word, &err);
	if (rc > 0)
		return EXIT_GOOD;
	if (!rc && !word)
		rc = err_say(&err, -EINVAL,
			     "report: name a record file, as FILE or "
			     "FILE:LABEL");
	if (!rc)
		rc = select_series(word, &series, &err);
	if (!rc && series.torn)
		fprintf(stderr, "rawread: %s: last line is torn, dropped\n",
			series.path);
	if (!rc)
		rc = print_report(&series, &err);
	if (!rc)
		rc = command_close_stdout(&err);
	series_free(&series);
	if (!rc)
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

const struct command command_report = {
	.name = "report",
	.summary = "One label of a record file as a table",
	.args_doc = "FILE[:LABEL]",
	.run = run_report,
};

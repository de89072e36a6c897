// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/diff.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/tests.h"
#include "reports/about.h"
#include "reports/differences.h"
#include "reports/judge.h"
#include "reports/marks.h"
#include "reports/match.h"
#include "reports/metric.h"
#include "reports/print.h"
#include "reports/row.h"
#include "reports/series.h"
#include "reports/table_classic.h"
#include "reports/table_text.h"

static int print_side(FILE *out, const char *letter,
		      const struct series *series)
{
	char *text = text_format("%s, of %s", series->shown, series->path);

	if (!text)
		return -ENOMEM;
	print_wrapped(out, letter, text);
	free(text);
	return 0;
}

static int print_above(FILE *out, const struct diff *diff,
		       const struct matches *matches)
{
	int rc = print_side(out, "A  ", diff->a);

	if (!rc)
		rc = print_side(out, "B  ", diff->b);
	if (!rc)
		rc = about_partial(out, "A  ", diff->a);
	if (!rc)
		rc = about_partial(out, "B  ", diff->b);
	fputc('\n', out);
	if (!rc)
		rc = differences_print(out, diff->a, diff->b, matches);
	if (!rc)
		rc = about_rows(out, "  alike: ", matches);
	fputc('\n', out);
	return rc;
}

/* The rows of one side, in the order of the tables. */
static int print_marks(FILE *out, const char *head,
		       const struct matches *matches, bool of_a)
{
	const struct row **rows;
	size_t room = 0, count = 0, i, j;
	int rc;

	for (i = 0; i < matches->count; i++)
		room += matches->list[i].pair_count;
	rows = calloc(room, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	for (i = 0; i < matches->count; i++)
		for (j = 0; j < matches->list[i].pair_count; j++) {
			const struct pair *pair = &matches->list[i].pairs[j];

			rows[count] = of_a ? pair->a : pair->b;
			count += rows[count] != NULL;
		}
	rc = marks_explain(out, head, rows, count);
	free(rows);
	return rc;
}

/* One line for each table that would have figures on one side alone. */
static int print_left_out(FILE *out, const struct matches *matches)
{
	bool any = false;
	size_t i, j;

	for (i = 0; i < matches->count; i++)
		for (j = 0; j < METRIC_COUNT; j++) {
			const struct match *match = &matches->list[i];
			enum judge_table table =
				judge_table(&metrics[j], match);
			char *text;

			if (table == TABLE_NONE || table == TABLE_ROWS)
				continue;
			text = text_format("%s, %s: no table, since %c has no "
					   "figure of it",
					   match->test->name, metrics[j].column,
					   table == TABLE_A_LACKS ? 'A' : 'B');
			if (!text)
				return -ENOMEM;
			print_wrapped(out, "", text);
			free(text);
			any = true;
		}
	if (any)
		fputc('\n', out);
	return 0;
}

static int print_tables(FILE *out, const struct diff *diff,
			const struct matches *matches)
{
	size_t i, j;
	int rc = print_left_out(out, matches);

	for (i = 0; i < matches->count; i++)
		for (j = 0; !rc && j < METRIC_COUNT; j++) {
			const struct match *match = &matches->list[i];

			if (judge_table(&metrics[j], match) != TABLE_ROWS)
				continue;
			rc = diff->format == DIFF_CLASSIC
				     ? table_classic_diff(out, diff, match,
							  &metrics[j])
				     : table_text_diff(out, diff, match,
						       &metrics[j]);
		}
	return rc;
}

/* Whether a row that both have was run but once on a side. */
static bool any_single(const struct matches *matches)
{
	size_t i, j;

	for (i = 0; i < matches->count; i++)
		for (j = 0; j < matches->list[i].pair_count; j++) {
			const struct pair *pair = &matches->list[i].pairs[j];

			if (pair->a && pair->b &&
			    (row_results(pair->a) < 2 ||
			     row_results(pair->b) < 2))
				return true;
		}
	return false;
}

static void print_worth(FILE *out, const struct matches *matches)
{
	if (any_single(matches))
		print_wrapped(out, "",
			      "A star is worth one run a side: it is beyond "
			      "the tolerance, and may be noise between runs "
			      "(no statistics in this version).");
	else
		print_wrapped(out, "",
			      "A star is by the tolerance of means alone: no "
			      "statistics of the runs in this version.");
}

static size_t judged(const struct judge_counts *counts)
{
	return counts->verdicts[VERDICT_WITHIN] +
	       counts->verdicts[VERDICT_WORSE] +
	       counts->verdicts[VERDICT_BETTER];
}

static const char *const reason_words[REASON_COUNT] = {
	[REASON_MISSING] = "in A or B only",
	[REASON_FAILED] = "failed or n/a",
	[REASON_VERIFIED] = "verified (their rates mean nothing)",
	[REASON_NOT_COLD] = "not cold (--warm judges them)",
	[REASON_TOO_SHORT] = "too short for %CPU",
};

/* "3 not cold, 2 too short"; the caller frees it. */
static char *reasons_text(const struct judge_counts *counts)
{
	char *text = NULL;
	size_t size, i;
	bool any = false;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = REASON_NONE + 1; i < REASON_COUNT; i++) {
		if (!counts->reasons[i])
			continue;
		fprintf(out, "%s%zu %s", any ? ", " : "", counts->reasons[i],
			reason_words[i]);
		any = true;
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* What had no say stands before the sums, which are the last line. */
static int print_sums(FILE *out, const struct judge_counts *counts)
{
	char *reasons = reasons_text(counts);

	if (!reasons)
		return -ENOMEM;
	if (*reasons)
		print_wrapped(out, "not judged: ", reasons);
	free(reasons);
	fprintf(out,
		"%zu row%s judged in %zu table%s: %zu worse, %zu better, %zu "
		"within; %zu not judged",
		judged(counts), plural(judged(counts)), counts->tables,
		plural(counts->tables), counts->verdicts[VERDICT_WORSE],
		counts->verdicts[VERDICT_BETTER],
		counts->verdicts[VERDICT_WITHIN],
		counts->verdicts[VERDICT_NONE]);
	if (counts->missing_in_b)
		fprintf(out, ", %zu of them missing in B",
			counts->missing_in_b);
	fputc('\n', out);
	return 0;
}

int diff_print(FILE *out, const struct diff *diff,
	       const struct matches *matches)
{
	int rc = print_above(out, diff, matches);

	/* Below a classic table stands nothing. */
	if (!rc && diff->format == DIFF_CLASSIC) {
		rc = print_marks(out, "A ", matches, true);
		if (!rc)
			rc = print_marks(out, "B ", matches, false);
		return rc ? rc : print_tables(out, diff, matches);
	}
	if (!rc)
		rc = print_tables(out, diff, matches);
	if (!rc)
		rc = print_marks(out, "A ", matches, true);
	if (!rc)
		rc = print_marks(out, "B ", matches, false);
	print_worth(out, matches);
	return rc ? rc : print_sums(out, diff->counts);
}

int diff_check_judged(const struct judge_counts *counts, struct err *err)
{
	char *reasons;
	int rc;

	if (judged(counts))
		return 0;
	if (!counts->tables)
		return err_say(err, -ENODATA,
			       "nothing could be judged; no metric is in both "
			       "A and B");
	reasons = reasons_text(counts);
	rc = reasons ? err_say(err, -ENODATA,
			       "nothing could be judged; the rows are %s",
			       reasons)
		     : err_set(err, -ENOMEM, "reasons");
	free(reasons);
	return rc;
}

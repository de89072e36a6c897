// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/table_classic.h"

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

#define CAPTION_END 71

static const char rule[] = "---------- ------------ ------------ -------- "
			   "------------ ------------";

/* printf() counts bytes, and a character may have more. */
static void print_label(FILE *out, const char *shown)
{
	int width = (int)text_width(shown);

	fprintf(out, "%*s%s", width < 12 ? 12 - width : 0, "", shown);
}

static int print_top(FILE *out, const struct diff *diff,
		     const struct match *match, size_t first,
		     const struct metric *metric)
{
	const struct tolerance *tolerance =
		&diff->rules->tolerances[metric - metrics];
	char *heading = match_group_heading(match, first);
	char *caption = text_format("tolerance = %.2f + %.2f%% of A",
				    tolerance->abs, tolerance->pct_of_base);
	int rc = heading && caption ? 0 : -ENOMEM;

	if (!rc) {
		fprintf(out, "Results:%s-_vs_.%s-\n", match->test->name,
			match->test->name);
		print_wrapped(out, "", heading);
		fprintf(out, "%*s\n", CAPTION_END, caption);
		fprintf(out, "%10s ", "");
		print_label(out, diff->a->shown);
		fputc(' ', out);
		print_label(out, diff->b->shown);
		fputc('\n', out);
		fprintf(out, "%10s %12s %12s %8s %12s %12s\n%s\n", "Blocksize",
			metric->classic_unit, metric->classic_unit, "%diff",
			"diff", "tolerance", rule);
	}
	free(heading);
	free(caption);
	return rc;
}

/* No trailing blanks, which mailers take away anyway. */
static void print_flag(FILE *out, const char *flag)
{
	if (*flag)
		fprintf(out, "  %s", flag);
	fputc('\n', out);
}

static int print_pair(FILE *out, const struct diff *diff,
		      const struct metric *metric, const struct pair *pair)
{
	struct judgement j = judge(diff->rules, metric, pair);
	char *a = pair->a ? metric_text(metric, pair->a) : strdup("n/a");
	char *b = pair->b ? metric_text(metric, pair->b) : strdup("n/a");
	char *marks = marks_of_pair(metric, pair);
	bool star = j.verdict == VERDICT_WORSE || j.verdict == VERDICT_BETTER;
	char *flag = marks ? text_format("%s%s%s", star ? "*" : "",
					 star && *marks ? " " : "", marks)
			   : NULL;
	int rc = a && b && flag ? 0 : -ENOMEM;

	judge_count(diff->counts, &j);
	if (!rc) {
		fprintf(out, "%10" PRIu64 " %12s %12s",
			pair_row(pair)->block_bytes, a, b);
		if (!j.has_a || !j.has_b)
			fprintf(out, " %8s %12s %12s", "n/a", "n/a", "n/a");
		else if (j.result.pct_known)
			fprintf(out, " %8.2f %12.2f %12.2f", j.result.pct_diff,
				j.result.diff, j.result.allowed);
		else
			fprintf(out, " %8s %12.2f %12.2f", "n/a", j.result.diff,
				j.result.allowed);
		print_flag(out, flag);
	}
	free(a);
	free(b);
	free(marks);
	free(flag);
	return rc;
}

int table_classic_diff(FILE *out, const struct diff *diff,
		       const struct match *match, const struct metric *metric)
{
	size_t first, end, i;
	int rc = 0;

	for (first = 0; !rc && first < match->pair_count; first = end) {
		end = match_group_end(match, first);
		if (!judge_has_rows(metric, &match->pairs[first], end - first))
			continue;
		if (diff->counts->tables++)
			fputc('\n', out);
		rc = print_top(out, diff, match, first, metric);
		for (i = first; !rc && i < end; i++)
			if (judge_has_row(metric, &match->pairs[i]))
				rc = print_pair(out, diff, metric,
						&match->pairs[i]);
	}
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "reports/diff.h"
#include "reports/differences.h"
#include "reports/judge.h"
#include "reports/match.h"
#include "reports/print.h"
#include "reports/select.h"
#include "reports/series.h"

enum {
	KEY_TOL = 0x100,
	KEY_FORMAT,
	KEY_WARM,
	KEY_FORCE,
};

struct request {
	const char *words[2];
	size_t word_count;
	enum diff_format format;
	bool force;
	struct judge_rules rules;
};

static const struct argp_option options[] = {
	{ "tol", KEY_TOL, "[METRIC=]ABS+PCT%", 0,
	  "What a difference may be, of kbs or cpu or (no METRIC) both: a part "
	  "in the metric's unit and a part in percent of A (default: "
	  "kbs=0+3%, cpu=0.5+3%)",
	  0 },
	{ "format", KEY_FORMAT, "NAME", 0,
	  "text (default), or classic, the tables that kernel lists know", 0 },
	{ "warm", KEY_WARM, NULL, 0,
	  "Judge rows too that are warm or not proved cold", 0 },
	{ "force", KEY_FORCE, NULL, 0, "Compare unlike workloads all the same",
	  0 },
	{ 0 },
};

static int take_tolerance(struct request *request, const char *arg,
			  struct err *err)
{
	size_t length = strcspn(arg, "="), i;
	const struct metric *metric = NULL;
	struct tolerance tolerance;
	int rc;

	if (arg[length]) {
		metric = metric_by_name(arg, length);
		if (!metric)
			return err_say(err, -EINVAL,
				       "--tol: metric '%.*s' is not known; "
				       "there are kbs and cpu",
				       (int)length, arg);
		arg += length + 1;
	}
	rc = tolerance_parse("--tol", arg, &tolerance, err);
	for (i = 0; !rc && i < METRIC_COUNT; i++)
		if (!metric || metric == &metrics[i])
			request->rules.tolerances[i] = tolerance;
	return rc;
}

static int take_format(struct request *request, const char *arg,
		       struct err *err)
{
	if (!strcmp(arg, "text"))
		request->format = DIFF_TEXT;
	else if (!strcmp(arg, "classic"))
		request->format = DIFF_CLASSIC;
	else
		return err_say(err, -EINVAL,
			       "--format: '%s' is not known; there are text "
			       "and classic",
			       arg);
	return 0;
}

static int take(int key, char *arg, void *input, struct err *err)
{
	struct request *request = input;

	switch (key) {
	case KEY_TOL:
		return take_tolerance(request, arg, err);
	case KEY_FORMAT:
		return take_format(request, arg, err);
	case KEY_WARM:
		request->rules.warm = true;
		return 0;
	case KEY_FORCE:
		request->force = true;
		return 0;
	case ARGP_KEY_ARG:
		if (request->word_count == 2)
			return err_say(err, -EINVAL,
				       "diff: this version compares two, and "
				       "'%s' is one more",
				       arg);
		request->words[request->word_count++] = arg;
		return 0;
	default:
		return err_say(err, -EINVAL, "diff: option %d is not known",
			       key);
	}
}

static int compare(const struct request *request, const struct series *a,
		   const struct series *b, struct judge_counts *counts,
		   struct err *err)
{
	const struct diff diff = { .a = a,
				   .b = b,
				   .format = request->format,
				   .rules = &request->rules,
				   .counts = counts };
	struct matches matches;
	int rc;

	rc = matches_make(a, b, &matches, err);
	if (rc < 0)
		return rc;
	if (!request->force)
		rc = differences_check(&matches, err);
	if (!rc)
		rc = differences_check_common(a, b, &matches, err);
	if (rc < 0)
		goto out;
	rc = diff_print(stdout, &diff, &matches);
	if (rc < 0)
		rc = err_set(err, rc, "print the comparison");
	else
		rc = command_close_stdout(err);
	if (!rc)
		rc = diff_check_judged(counts, err);
out:
	matches_free(&matches);
	return rc;
}

static int select_side(const char *word, struct series *series, struct err *err)
{
	int rc = select_series(word, series, err);

	if (!rc && series->torn)
		fprintf(stderr, "rawread: %s: last line is torn, dropped\n",
			series->path);
	return rc;
}

static bool is_stdin(const char *word)
{
	return word[0] == '-' && (!word[1] || word[1] == ':');
}

static int check_words(const struct request *request, struct err *err)
{
	if (request->word_count < 2)
		return err_say(err, -EINVAL,
			       "diff: name A and B, each as FILE or "
			       "FILE:LABEL");
	if (is_stdin(request->words[0]) && is_stdin(request->words[1]))
		return err_say(err, -EINVAL,
			       "diff: standard input can be read once only; "
			       "name a file for A or B");
	return 0;
}

static int run_diff(int argc, char **argv)
{
	struct request request = { 0 };
	struct series a = { 0 }, b = { 0 };
	struct judge_counts counts = { 0 };
	struct err err;
	size_t i;
	int rc;

	for (i = 0; i < METRIC_COUNT; i++)
		request.rules.tolerances[i] = metrics[i].tolerance;
	print_begin();
	rc = command_parse(&command_diff, argc, argv, take, &request, &err);
	if (rc > 0)
		return EXIT_GOOD;
	if (!rc)
		rc = check_words(&request, &err);
	if (!rc)
		rc = select_side(request.words[0], &a, &err);
	if (!rc)
		rc = select_side(request.words[1], &b, &err);
	if (!rc)
		rc = compare(&request, &a, &b, &counts, &err);
	series_free(&a);
	series_free(&b);
	if (rc < 0) {
		err_print(&err);
		return EXIT_TROUBLE;
	}
	return counts.verdicts[VERDICT_WORSE] ? EXIT_WORSE : EXIT_GOOD;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "Compare two labels with a tolerance, row by row",
	.args_doc = "FILE[:LABEL] FILE[:LABEL]",
	.options = options,
	.run = run_diff,
};

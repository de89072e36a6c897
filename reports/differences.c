// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/differences.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/tests.h"
#include "reports/match.h"
#include "reports/print.h"
#include "reports/row.h"
#include "reports/series.h"

/* Longer values stand below each other. */
#define NAME_WIDTH  24
#define VALUE_WIDTH 23

static int print_stacked(FILE *out, const char *name, const char *a,
			 const char *b)
{
	fprintf(out, "  %s\n", name);
	print_wrapped(out, "    A  ", a);
	print_wrapped(out, "    B  ", b);
	return 0;
}

static int print_difference(FILE *out, const char *name, const char *a,
			    const char *b)
{
	char *a_shown = text_printable(a), *b_shown = text_printable(b);
	int rc = a_shown && b_shown ? 0 : -ENOMEM;

	if (!rc && (strlen(name) > NAME_WIDTH || text_width(a) > VALUE_WIDTH ||
		    text_width(b) > VALUE_WIDTH))
		rc = print_stacked(out, name, a, b);
	else if (!rc)
		fprintf(out, "  %-*s %s%*s   %s\n", NAME_WIDTH, name, a_shown,
			VALUE_WIDTH - (int)text_width(a), "", b_shown);
	free(a_shown);
	free(b_shown);
	return rc;
}

/* The first test where @setting differs as it does in @match. */
static bool is_first(const struct matches *matches, const struct match *match,
		     size_t setting)
{
	const struct match *before = matches->list;

	for (; before < match; before++)
		if (before->only_a[setting] &&
		    !strcmp(before->only_a[setting], match->only_a[setting]) &&
		    !strcmp(before->only_b[setting], match->only_b[setting]))
			return false;
	return true;
}

/* Whether all tests differ in @setting as @match does. */
static bool is_everywhere(const struct matches *matches,
			  const struct match *match, size_t setting)
{
	size_t i;

	for (i = 0; i < matches->count; i++)
		if (!matches->list[i].only_a[setting] ||
		    strcmp(matches->list[i].only_a[setting],
			   match->only_a[setting]) ||
		    strcmp(matches->list[i].only_b[setting],
			   match->only_b[setting]))
			return false;
	return true;
}

static int print_row_setting(FILE *out, const struct matches *matches,
			     size_t setting, size_t *printed)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < matches->count; i++) {
		const struct match *match = &matches->list[i];
		const char *of_test = match->test->name;
		char *name;

		if (!match->only_a[setting] ||
		    !is_first(matches, match, setting))
			continue;
		name = is_everywhere(matches, match, setting)
			       ? strdup(settings[setting].name)
			       : text_format("%s, %s", settings[setting].name,
					     of_test);
		rc = name ? print_difference(out, name, match->only_a[setting],
					     match->only_b[setting])
			  : -ENOMEM;
		++*printed;
		free(name);
	}
	return rc;
}

static char *values_text(const struct texts *values)
{
	return values->count ? texts_join(values, ", ") : strdup("not known");
}

static int print_context(FILE *out, const struct series *a,
			 const struct series *b, size_t setting,
			 size_t *printed)
{
	char *of_a, *of_b;
	int rc;

	if (texts_equal(&a->values[setting], &b->values[setting]))
		return 0;
	of_a = values_text(&a->values[setting]);
	of_b = values_text(&b->values[setting]);
	rc = of_a && of_b
		     ? print_difference(out, settings[setting].name, of_a, of_b)
		     : -ENOMEM;
	++*printed;
	free(of_a);
	free(of_b);
	return rc;
}

static bool is_published(const struct series *series)
{
	return series->imported_runs == series->run_count;
}

int differences_print(FILE *out, const struct series *a, const struct series *b,
		      const struct matches *matches)
{
	bool published = is_published(a) || is_published(b);
	size_t printed = 0, i;
	char *lines = NULL;
	size_t size;
	FILE *list = open_memstream(&lines, &size);
	int rc = list ? 0 : -ENOMEM;

	for (i = 0; !rc && i < SETTING_COUNT; i++)
		if (settings[i].kind != SETTING_CONTEXT)
			rc = print_row_setting(list, matches, i, &printed);
		else if (!published)
			rc = print_context(list, a, b, i, &printed);
	if (list && fclose(list))
		rc = -ENOMEM;
	if (!rc && printed)
		fprintf(out, "  %-*s %-*s   %s\n%s", NAME_WIDTH, "differs",
			VALUE_WIDTH, "A", "B", lines);
	else if (!rc && !published)
		fputs("Nothing on record differs between A and B.\n", out);
	if (!rc && published)
		fprintf(out, "%s: the conditions are not known.\n",
			!is_published(a)  ? "B is published figures"
			: is_published(b) ? "A and B are published figures"
					  : "A is published figures");
	free(lines);
	return rc;
}

static int say_shown(struct err *err, int code, const char *what,
		     const char *text)
{
	char *shown = text_printable(text);
	int rc = shown ? err_say(err, code, "%s: %s", what, shown)
		       : err_set(err, -ENOMEM, "%s", what);

	free(shown);
	return rc;
}

int differences_check(const struct matches *matches, struct err *err)
{
	char *text = NULL;
	size_t size, i, j, found = 0;
	FILE *list = open_memstream(&text, &size);
	int rc = 0;

	if (!list)
		return err_set(err, -ENOMEM, "settings");
	for (i = 0; i < SETTING_COUNT; i++) {
		if (settings[i].kind != SETTING_WORKLOAD)
			continue;
		for (j = 0; j < matches->count; j++) {
			const struct match *match = &matches->list[j];

			if (!match->only_a[i] || !is_first(matches, match, i))
				continue;
			fprintf(list, "%s%s %s in A and %s in B",
				found++ ? ", " : "", settings[i].name,
				match->only_a[i], match->only_b[i]);
		}
	}
	if (fclose(list))
		rc = err_set(err, -ENOMEM, "settings");
	else if (found)
		rc = say_shown(err, -EINVAL,
			       "unlike workloads, which --force compares all "
			       "the same",
			       text);
	free(text);
	return rc;
}

/* Names of the tests of a series, "seqread, randread". */
static char *tests_text(const struct series *series)
{
	struct texts names = { 0 };
	char *text = NULL;
	size_t i;

	for (i = 0; i < series->row_count; i++)
		if (!texts_add(&names, series->rows[i].test->name))
			goto out;
	text = texts_join(&names, ", ");
out:
	texts_free(&names);
	return text;
}

static bool is_shared(const struct match *match, size_t setting)
{
	size_t i, j;

	for (i = 0; i < match->pair_count; i++) {
		const struct row *a = match->pairs[i].a;

		for (j = 0; a && j < match->pair_count; j++) {
			const struct row *b = match->pairs[j].b;

			if (b &&
			    (!a->settings[setting] || !b->settings[setting] ||
			     !strcmp(a->settings[setting],
				     b->settings[setting])))
				return true;
		}
	}
	return false;
}

static bool has_both(const struct match *match)
{
	bool a = false, b = false;
	size_t i;

	for (i = 0; i < match->pair_count; i++) {
		a = a || match->pairs[i].a;
		b = b || match->pairs[i].b;
	}
	return a && b;
}

/* Why a test that both have gives no pair. */
static char *reason_of_match(const struct match *match)
{
	size_t i;

	for (i = 0; i < SETTING_COUNT; i++)
		if (match->varies[i] && !is_shared(match, i))
			return text_format("of %s, '%s' is never the same",
					   match->test->name, settings[i].name);
	return text_format("of %s, no block size with the same settings is in "
			   "both",
			   match->test->name);
}

int differences_check_common(const struct series *a, const struct series *b,
			     const struct matches *matches, struct err *err)
{
	char *of_a, *of_b, *reason = NULL;
	size_t i;
	int rc;

	for (i = 0; i < matches->count; i++)
		if (matches->list[i].common)
			return 0;
	of_a = tests_text(a);
	of_b = tests_text(b);
	for (i = 0; i < matches->count && !reason; i++)
		if (has_both(&matches->list[i]))
			reason = reason_of_match(&matches->list[i]);
	if (!reason && of_a && of_b)
		reason = text_format("A has the tests %s, and B has %s", of_a,
				     of_b);
	rc = reason ? err_say(err, -ENODATA, "no rows in common: %s", reason)
		    : err_set(err, -ENOMEM, "rows in common");
	free(of_a);
	free(of_b);
	free(reason);
	return rc;
}

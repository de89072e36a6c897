// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/match.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "reports/row.h"
#include "reports/series.h"

/* The values that a setting has in the rows of a test. */
struct spread {
	const char *value; /* the first one known */
	bool several;
};

static struct spread spread_of(const struct series *series,
			       const struct test *test, size_t setting)
{
	struct spread spread = { 0 };
	size_t i;

	for (i = 0; series && i < series->row_count; i++) {
		const char *value = series->rows[i].settings[setting];

		if (series->rows[i].test != test || !value)
			continue;
		if (!spread.value)
			spread.value = value;
		else if (strcmp(spread.value, value))
			spread.several = true;
	}
	return spread;
}

static void compare_settings(struct match *match, const struct series *a,
			     const struct series *b)
{
	size_t i;

	for (i = 0; i < SETTING_COUNT; i++) {
		struct spread of_a = spread_of(a, match->test, i);
		struct spread of_b = spread_of(b, match->test, i);
		bool unlike = of_a.value && of_b.value &&
			      strcmp(of_a.value, of_b.value);

		match->varies[i] = of_a.several || of_b.several;
		if (match->varies[i] || !unlike)
			continue;
		match->only_a[i] = of_a.value;
		match->only_b[i] = of_b.value;
	}
}

static bool rows_match(const struct match *match, const struct row *a,
		       const struct row *b)
{
	size_t i;

	if (a->block_bytes != b->block_bytes)
		return false;
	for (i = 0; i < SETTING_COUNT; i++)
		if (match->varies[i] && a->settings[i] && b->settings[i] &&
		    strcmp(a->settings[i], b->settings[i]))
			return false;
	return true;
}

static struct pair *pair_for(struct match *match, const struct row *b)
{
	size_t i;

	for (i = 0; i < match->pair_count; i++)
		if (match->pairs[i].a && !match->pairs[i].b &&
		    rows_match(match, match->pairs[i].a, b))
			return &match->pairs[i];
	return &match->pairs[match->pair_count++];
}

const struct row *pair_row(const struct pair *pair)
{
	return pair->a ? pair->a : pair->b;
}

/* Numbers in texts count as numbers: 16 before 128. */
static int setting_order(const char *a, const char *b)
{
	return strverscmp(a ? a : "", b ? b : "");
}

static int group_order(const struct match *match, const struct pair *x,
		       const struct pair *y)
{
	size_t i;
	int order = 0;

	for (i = 0; !order && i < SETTING_COUNT; i++)
		if (match->varies[i])
			order = setting_order(pair_row(x)->settings[i],
					      pair_row(y)->settings[i]);
	return order;
}

static int pair_order(const void *x, const void *y, void *match)
{
	const struct row *a = pair_row(x), *b = pair_row(y);
	int order = group_order(match, x, y);

	if (order)
		return order;
	return (a->block_bytes > b->block_bytes) -
	       (a->block_bytes < b->block_bytes);
}

static int match_make(struct match *match, const struct series *a,
		      const struct series *b, struct err *err)
{
	size_t i, room = a->row_count + (b ? b->row_count : 0);

	match->pairs = calloc(room, sizeof(*match->pairs));
	if (!match->pairs)
		return err_set(err, -ENOMEM, "rows");
	compare_settings(match, a, b);
	for (i = 0; i < a->row_count; i++)
		if (a->rows[i].test == match->test)
			match->pairs[match->pair_count++].a = &a->rows[i];
	for (i = 0; b && i < b->row_count; i++)
		if (b->rows[i].test == match->test)
			pair_for(match, &b->rows[i])->b = &b->rows[i];
	for (i = 0; i < match->pair_count; i++)
		match->common += match->pairs[i].a && match->pairs[i].b;
	qsort_r(match->pairs, match->pair_count, sizeof(*match->pairs),
		pair_order, match);
	return 0;
}

static bool has_test(const struct series *series, const struct test *test)
{
	size_t i;

	for (i = 0; series && i < series->row_count; i++)
		if (series->rows[i].test == test)
			return true;
	return false;
}

int matches_make(const struct series *a, const struct series *b,
		 struct matches *matches, struct err *err)
{
	size_t i;
	int rc = 0;

	*matches = (struct matches){ 0 };
	matches->list = calloc(TEST_COUNT, sizeof(*matches->list));
	if (!matches->list)
		return err_set(err, -ENOMEM, "rows");
	for (i = 0; !rc && i < TEST_COUNT; i++) {
		struct match *match = &matches->list[matches->count];

		if (!has_test(a, &tests[i]) && !has_test(b, &tests[i]))
			continue;
		match->test = &tests[i];
		matches->count++;
		rc = match_make(match, a, b, err);
	}
	if (rc < 0)
		matches_free(matches);
	return rc;
}

void matches_free(struct matches *matches)
{
	while (matches->count)
		free(matches->list[--matches->count].pairs);
	free(matches->list);
	*matches = (struct matches){ 0 };
}

size_t match_group_end(const struct match *match, size_t first)
{
	size_t end = first + 1;

	while (end < match->pair_count &&
	       !group_order(match, &match->pairs[first], &match->pairs[end]))
		end++;
	return end;
}

char *match_group_heading(const struct match *match, size_t first)
{
	const struct row *row = pair_row(&match->pairs[first]);
	char *heading = NULL;
	size_t size, i;
	bool any = false;
	FILE *out = open_memstream(&heading, &size);

	if (!out)
		return NULL;
	for (i = 0; i < SETTING_COUNT; i++) {
		if (!match->varies[i])
			continue;
		fprintf(out, "%s%s %s", any ? ", " : "", settings[i].name,
			row->settings[i] ? row->settings[i] : "not known");
		any = true;
	}
	if (!fclose(out))
		return heading;
	free(heading);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/judge.h"

#include "reports/match.h"
#include "reports/row.h"

static bool is_not_cold(const struct row *row)
{
	return row->warm_runs || row->unknown_runs;
}

static enum judge_reason reason_of(const struct judge_rules *rules,
				   const struct metric *metric,
				   const struct row *row)
{
	if (row->failed_runs || row->na_runs)
		return REASON_FAILED;
	if (row->verified_runs)
		return REASON_VERIFIED;
	if (!rules->warm && is_not_cold(row))
		return REASON_NOT_COLD;
	if (metric == &metrics[METRIC_CPU] && row_is_short(row))
		return REASON_TOO_SHORT;
	return REASON_NONE;
}

static enum verdict verdict_of(const struct metric *metric,
			       const struct tolerance_result *result)
{
	if (!result->beyond)
		return VERDICT_WITHIN;
	return (result->diff > 0) == (metric->good == GOOD_HIGHER)
		       ? VERDICT_BETTER
		       : VERDICT_WORSE;
}

/* A row is an error where A had a result: whatever the rate, that is worse. */
static bool broke(const struct pair *pair, bool has_a)
{
	return has_a && pair->b && pair->b->failed_runs &&
	       !pair->a->failed_runs && !pair->a->na_runs;
}

struct judgement judge(const struct judge_rules *rules,
		       const struct metric *metric, const struct pair *pair)
{
	struct judgement j = { .verdict = VERDICT_NONE };

	j.has_a = pair->a && metric->value(pair->a, &j.a);
	j.has_b = pair->b && metric->value(pair->b, &j.b);
	j.missing_in_b = !pair->b;
	if (broke(pair, j.has_a)) {
		j.verdict = VERDICT_WORSE;
		if (j.has_b)
			j.result = tolerance_compare(
				&rules->tolerances[metric - metrics], j.a, j.b);
		return j;
	}
	if (pair->a)
		j.reason = reason_of(rules, metric, pair->a);
	if (!j.reason && pair->b)
		j.reason = reason_of(rules, metric, pair->b);
	if (!j.has_a || !j.has_b) {
		if (!j.reason)
			j.reason = REASON_MISSING;
		return j;
	}
	j.result = tolerance_compare(&rules->tolerances[metric - metrics], j.a,
				     j.b);
	if (!j.reason)
		j.verdict = verdict_of(metric, &j.result);
	return j;
}

void judge_count(struct judge_counts *counts, const struct judgement *judgement)
{
	counts->verdicts[judgement->verdict]++;
	counts->reasons[judgement->reason]++;
	counts->missing_in_b += judgement->missing_in_b;
}

/* That it failed is a say too, of a row that was measured. */
static bool has_say(const struct metric *metric, const struct row *row)
{
	double value;

	return row &&
	       (row->failed_runs || row->na_runs || metric->value(row, &value));
}

bool judge_has_row(const struct metric *metric, const struct pair *pair)
{
	return has_say(metric, pair->a) || has_say(metric, pair->b);
}

bool judge_has_rows(const struct metric *metric, const struct pair *pairs,
		    size_t count)
{
	size_t i;

	for (i = 0; metric->compared && i < count; i++)
		if (judge_has_row(metric, &pairs[i]))
			return true;
	return false;
}

/* Of a side without any row that is told by its rows, "only in A". */
static bool is_lacking(const struct metric *metric, const struct match *match,
		       bool of_a)
{
	bool any = false;
	size_t i;

	for (i = 0; i < match->pair_count; i++) {
		const struct pair *pair = &match->pairs[i];
		const struct row *row = of_a ? pair->a : pair->b;

		if (has_say(metric, row))
			return false;
		any |= row != NULL;
	}
	return any;
}

enum judge_table judge_table(const struct metric *metric,
			     const struct match *match)
{
	if (!judge_has_rows(metric, match->pairs, match->pair_count))
		return TABLE_NONE;
	if (is_lacking(metric, match, true))
		return TABLE_A_LACKS;
	return is_lacking(metric, match, false) ? TABLE_B_LACKS : TABLE_ROWS;
}

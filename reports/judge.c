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

static bool has_say(const struct metric *metric, const struct row *row)
{
	double value;

	return row && (!row->imported || metric->value(row, &value));
}

bool judge_has_table(const struct metric *metric, const struct match *match)
{
	size_t i;

	for (i = 0; metric->compared && i < match->pair_count; i++)
		if (has_say(metric, match->pairs[i].a) ||
		    has_say(metric, match->pairs[i].b))
			return true;
	return false;
}

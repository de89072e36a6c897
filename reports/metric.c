// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/metric.h"

#include <string.h>

#include "lib/base/file.h"
#include "reports/row.h"
#include "reports/statistics.h"

static bool mean_of(const struct figures *figures, double *value)
{
	*value = statistics_of(figures->values, figures->count).mean;
	return figures->count != 0;
}

static bool quotient(double above, double below, double *value)
{
	*value = below > 0 ? above / below : 0;
	return below > 0;
}

static bool kbs(const struct row *row, double *value)
{
	return mean_of(&row->kbs, value);
}

/* Over the summed ticks, so that a long run counts more than a short one. */
static bool cpu(const struct row *row, double *value)
{
	if (row->imported)
		return mean_of(&row->cpu_pct, value);
	return quotient(100 * row->busy_ticks, row->ticks, value);
}

static bool kb_per_cpu_s(const struct row *row, double *value)
{
	return quotient(row->bytes / 1024, row->busy_s, value);
}

static bool kb_per_request(const struct row *row, double *value)
{
	return quotient(row->request_bytes / 1024, row->requests, value);
}

const struct metric metrics[METRIC_COUNT] = {
	[METRIC_KBS] = { .name = "kbs",
			 .column = "KB/s",
			 .classic_unit = "KBs/sec",
			 .good = GOOD_HIGHER,
			 .compared = true,
			 .tolerance = { .abs = 0, .pct_of_base = 3 },
			 .places = 0,
			 .value = kbs },
	[METRIC_CPU] = { .name = "cpu",
			 .column = "%CPU",
			 .classic_unit = "%CPU",
			 .good = GOOD_LOWER,
			 .compared = true,
			 .tolerance = { .abs = 0.5, .pct_of_base = 3 },
			 .places = 2,
			 .value = cpu },
	[METRIC_KB_PER_CPU_S] = { .name = "kb_per_cpu_s",
				  .column = "KB/CPU s",
				  .good = GOOD_HIGHER,
				  .places = 0,
				  .value = kb_per_cpu_s },
	[METRIC_KB_PER_REQUEST] = { .name = "kb_per_request",
				    .column = "KB/req",
				    .good = GOOD_HIGHER,
				    .places = 1,
				    .value = kb_per_request },
};

const struct metric *metric_by_name(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < METRIC_COUNT; i++)
		if (metrics[i].compared && strlen(metrics[i].name) == length &&
		    !strncmp(metrics[i].name, name, length))
			return &metrics[i];
	return NULL;
}

/* Where one published number is all there is, it is echoed. */
static const char *published(const struct metric *metric, const struct row *row)
{
	const struct figures *figures =
		metric == &metrics[METRIC_KBS] ? &row->kbs : &row->cpu_pct;

	return row->imported && metric->compared && figures->count == 1
		       ? figures->text
		       : NULL;
}

char *metric_text(const struct metric *metric, const struct row *row)
{
	double value;

	if (!metric->value(row, &value))
		return strdup("-");
	if (published(metric, row))
		return strdup(published(metric, row));
	return text_format("%.*f", metric->places, value);
}

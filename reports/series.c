// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/record.h"

void series_free(struct series *series)
{
	size_t i;

	for (i = 0; i < series->campaign_count; i++) {
		campaign_free(&series->campaigns[i].campaign);
		campaign_end_free(&series->campaigns[i].end);
	}
	free(series->campaigns);
	for (i = 0; i < series->row_count; i++)
		row_free(&series->rows[i]);
	free(series->rows);
	for (i = 0; i < SETTING_COUNT; i++)
		texts_free(&series->values[i]);
	free(series->path);
	free(series->label);
	free(series->shown);
	*series = (struct series){ 0 };
}

int series_add_campaign(struct series *series, struct campaign *campaign,
			struct err *err)
{
	struct series_campaign *grown;

	grown = reallocarray(series->campaigns, series->campaign_count + 1,
			     sizeof(*grown));
	if (!grown) {
		campaign_free(campaign);
		return err_set(err, -ENOMEM, "campaign");
	}
	series->campaigns = grown;
	grown[series->campaign_count++] =
		(struct series_campaign){ .campaign = *campaign };
	*campaign = (struct campaign){ 0 };
	return 0;
}

void series_add_end(struct series *series, size_t campaign,
		    struct campaign_end *end)
{
	campaign_end_free(&series->campaigns[campaign].end);
	series->campaigns[campaign].end = *end;
	series->campaigns[campaign].ended = true;
	*end = (struct campaign_end){ 0 };
}

/* The settings of @run, in copies that the series owns. */
static int settings_of(struct series *series, const struct run_record *run,
		       const struct campaign *campaign,
		       const char *set[SETTING_COUNT], struct err *err)
{
	size_t i;

	for (i = 0; i < SETTING_COUNT; i++) {
		char *text = NULL;
		int rc = setting_text((enum setting_id)i, run, campaign, &text);

		set[i] = text ? texts_add(&series->values[i], text) : NULL;
		if (!rc && text && !set[i])
			rc = -ENOMEM;
		free(text);
		if (rc < 0)
			return err_set(err, rc, "%s of a run",
				       settings[i].name);
	}
	return 0;
}

static struct row *row_new(struct series *series, const struct run_record *run)
{
	struct row *grown = series->rows;

	/* Room doubles: at each power of two it is used up. */
	if (!(series->row_count & (series->row_count - 1)))
		grown = reallocarray(series->rows,
				     series->row_count ? 2 * series->row_count
						       : 1,
				     sizeof(*grown));
	if (!grown)
		return NULL;
	series->rows = grown;
	grown += series->row_count++;
	*grown = (struct row){ .test = run->params.test,
			       .block_bytes = run->params.block_bytes,
			       .imported = run->imported_metric != NULL };
	return grown;
}

static struct row *row_for(struct series *series, const struct run_record *run,
			   const char *const set[SETTING_COUNT])
{
	size_t i;

	for (i = 0; i < series->row_count; i++)
		if (row_fits(&series->rows[i], run->params.test,
			     run->params.block_bytes, run->imported_metric,
			     set))
			return &series->rows[i];
	return row_new(series, run);
}

int series_add_run(struct series *series, size_t campaign,
		   const struct run_record *run, struct err *err)
{
	struct series_campaign *of = campaign == SERIES_NO_CAMPAIGN
					     ? NULL
					     : &series->campaigns[campaign];
	const char *set[SETTING_COUNT];
	struct row *row;
	size_t i;
	int rc;

	rc = settings_of(series, run, of ? &of->campaign : NULL, set, err);
	if (rc < 0)
		return rc;
	row = row_for(series, run, set);
	if (!row)
		return err_set(err, -ENOMEM, "row");
	for (i = 0; i < SETTING_COUNT; i++)
		if (settings[i].kind != SETTING_CONTEXT && !row->settings[i])
			row->settings[i] = set[i];
	rc = row_add_run(row, run, err);
	if (rc < 0)
		return rc;
	if (of)
		of->runs++;
	series->run_count++;
	series->imported_runs += run->imported_metric != NULL;
	return 0;
}

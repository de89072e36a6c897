// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/select.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/err.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/store.h"
#include "reports/print.h"
#include "reports/series.h"
#include "reports/texts.h"

/* A campaign of the file: its label, and where it stands in the series. */
struct seen {
	char *id;
	const char *label; /* of the labels below */
	size_t index;	   /* SERIES_NO_CAMPAIGN: of another label */
};

struct reader {
	struct series *series;
	bool label_named;
	struct texts labels;
	struct seen *seen;
	size_t seen_count;
};

/* Splits at the colon that leaves the longest name of a file. */
static int split_word(const char *word, struct series *series, bool *named,
		      struct err *err)
{
	struct stat st;
	char *colon;

	*named = false;
	series->path = strdup(word);
	if (!series->path)
		return err_set(err, -ENOMEM, "%s", word);
	if (!strcmp(word, "-") || !stat(word, &st))
		return 0;
	while ((colon = strrchr(series->path, ':'))) {
		*colon = '\0';
		if (!strcmp(series->path, "-") || !stat(series->path, &st))
			break;
	}
	if (!colon)
		return err_set(err, -ENOENT, "open record file %s", word);
	*named = true;
	series->label = strdup(word + strlen(series->path) + 1);
	return series->label ? 0 : err_set(err, -ENOMEM, "%s", word);
}

/* The first label is taken where none is named; a second is told at the end. */
static int see_label(struct reader *reader, const char *label,
		     const char **kept, struct err *err)
{
	*kept = texts_add(&reader->labels, label);
	if (*kept && !reader->series->label)
		reader->series->label = strdup(label);
	if (!*kept || !reader->series->label)
		return err_set(err, -ENOMEM, "label %s", label);
	return 0;
}

static bool is_wanted(const struct reader *reader, const char *label)
{
	return !strcmp(reader->series->label, label);
}

static struct seen *seen_find(const struct reader *reader, const char *id)
{
	size_t i;

	for (i = 0; i < reader->seen_count; i++)
		if (!strcmp(reader->seen[i].id, id))
			return &reader->seen[i];
	return NULL;
}

static int see_campaign(struct reader *reader, struct campaign *campaign,
			struct err *err)
{
	struct seen *grown, *now;
	int rc;

	if (seen_find(reader, campaign->id))
		return err_say(err, -EINVAL,
			       "campaign %s stands in the file twice, which "
			       "would count its runs twice",
			       campaign->id);
	grown = reallocarray(reader->seen, reader->seen_count + 1,
			     sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "campaign %s", campaign->id);
	reader->seen = grown;
	now = &grown[reader->seen_count];
	*now = (struct seen){ .id = strdup(campaign->id),
			      .index = SERIES_NO_CAMPAIGN };
	if (!now->id)
		return err_set(err, -ENOMEM, "campaign %s", campaign->id);
	reader->seen_count++;
	rc = see_label(reader, campaign->label, &now->label, err);
	if (rc < 0 || !is_wanted(reader, campaign->label))
		return rc;
	now->index = reader->series->campaign_count;
	return series_add_campaign(reader->series, campaign, err);
}

static int take_campaign(struct reader *reader, const json_t *json,
			 struct err *err)
{
	struct campaign campaign;
	int rc = campaign_decode(json, &campaign, err);

	if (rc < 0)
		return rc;
	rc = see_campaign(reader, &campaign, err);
	campaign_free(&campaign);
	return rc;
}

static int campaign_of(const struct reader *reader, const char *id,
		       const struct seen **seen, struct err *err)
{
	*seen = seen_find(reader, id);
	return *seen ? 0
		     : err_say(err, -EINVAL,
			       "campaign %s has no campaign line before this "
			       "one",
			       id);
}

static int take_run(struct reader *reader, const json_t *json, struct err *err)
{
	const struct seen *seen = NULL;
	const char *label = "";
	struct run_record run;
	int rc;

	rc = run_record_decode(json, &run, err);
	if (rc < 0)
		return rc;
	if (run.campaign_id) {
		rc = campaign_of(reader, run.campaign_id, &seen, err);
		if (!rc)
			label = seen->label;
	} else {
		rc = see_label(reader, label, &label, err);
	}
	if (!rc && is_wanted(reader, label))
		rc = series_add_run(reader->series,
				    seen ? seen->index : SERIES_NO_CAMPAIGN,
				    &run, err);
	run_record_free(&run);
	return rc;
}

static int take_end(struct reader *reader, const json_t *json, struct err *err)
{
	const struct seen *seen;
	struct campaign_end end;
	int rc;

	rc = campaign_end_decode(json, &end, err);
	if (rc < 0)
		return rc;
	rc = campaign_of(reader, end.campaign_id, &seen, err);
	if (!rc && seen->index != SERIES_NO_CAMPAIGN)
		series_add_end(reader->series, seen->index, &end);
	campaign_end_free(&end);
	return rc;
}

static int take_line(const char *type, const json_t *json, void *input,
		     struct err *err)
{
	struct reader *reader = input;

	if (!strcmp(type, "campaign"))
		return take_campaign(reader, json, err);
	if (!strcmp(type, "run"))
		return take_run(reader, json, err);
	return take_end(reader, json, err);
}

/* "a, b and (no label)", in the words that may follow FILE:. */
static int say_labels(const struct reader *reader, const char *fault,
		      const char *cure, struct err *err)
{
	struct texts shown = { 0 };
	char *all = NULL;
	size_t i;
	int rc = -EINVAL;

	for (i = 0; i < reader->labels.count; i++) {
		char *label = label_shown(reader->labels.list[i]);

		if (!label || !texts_add(&shown, label))
			rc = -ENOMEM;
		free(label);
	}
	if (rc != -ENOMEM)
		all = texts_join(&shown, ", ");
	if (all)
		err_say(err, rc, "%s %s %s%s", reader->series->path, fault, all,
			cure);
	else
		rc = err_set(err, -ENOMEM, "%s", reader->series->path);
	texts_free(&shown);
	free(all);
	return rc;
}

static int check_label(const struct reader *reader, struct err *err)
{
	struct series *series = reader->series;
	char *fault;
	int rc;

	if (!reader->labels.count)
		return err_say(err, -ENODATA, "%s holds no runs", series->path);
	if (!reader->label_named && reader->labels.count > 1)
		return say_labels(reader, "has several labels,",
				  "; name one behind the file and a ':'", err);
	series->shown = label_shown(series->label);
	if (!series->shown)
		return err_set(err, -ENOMEM, "%s", series->path);
	if (texts_have(&reader->labels, series->label)) {
		if (series->run_count)
			return 0;
		return err_say(err, -ENODATA, "label %s of %s has no runs yet",
			       series->shown, series->path);
	}
	if (asprintf(&fault, "does not have the label %s, but", series->shown) <
	    0)
		return err_set(err, -ENOMEM, "%s", series->path);
	rc = say_labels(reader, fault, "", err);
	free(fault);
	return rc;
}

int select_series(const char *word, struct series *series, struct err *err)
{
	struct reader reader = { .series = series };
	struct store_visit visit = { .line = take_line, .input = &reader };
	int rc;

	*series = (struct series){ 0 };
	rc = split_word(word, series, &reader.label_named, err);
	if (!rc)
		rc = store_read(series->path, &visit, err);
	series->torn = visit.torn;
	if (!rc)
		rc = check_label(&reader, err);
	while (reader.seen_count)
		free(reader.seen[--reader.seen_count].id);
	free(reader.seen);
	texts_free(&reader.labels);
	if (rc < 0)
		series_free(series);
	return rc;
}

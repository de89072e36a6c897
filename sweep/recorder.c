// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/recorder.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/store.h"

int recorder_open(const char *path, const struct campaign *campaign,
		  struct recorder *recorder, size_t *torn_bytes,
		  struct err *err)
{
	*recorder = (struct recorder){ .path = path,
				       .campaign = campaign,
				       .is_new = access(path, F_OK) < 0 };
	return store_prepare(path, torn_bytes, err);
}

/* Takes @line over; NULL is no memory. */
static int append(const char *path, json_t *line, struct err *err)
{
	int rc;

	if (!line)
		return err_set(err, -ENOMEM, "encode a line for %s", path);
	rc = store_append(path, line, err);
	json_decref(line);
	return rc;
}

static int begin(struct recorder *recorder, struct err *err)
{
	int rc;

	if (recorder->begun)
		return 0;
	rc = append(recorder->path, campaign_encode(recorder->campaign), err);
	recorder->begun = !rc;
	return rc;
}

int recorder_append(struct recorder *recorder, struct run_record *run,
		    struct err *err)
{
	int rc;

	free(run->campaign_id);
	run->campaign_id = strdup(recorder->campaign->id);
	if (!run->campaign_id)
		return err_set(err, -ENOMEM, "encode a run");
	rc = begin(recorder, err);
	if (!rc)
		rc = append(recorder->path, run_record_encode(run), err);
	if (!rc)
		recorder->runs++;
	return rc;
}

int recorder_end(struct recorder *recorder, const char *cause, struct err *err)
{
	/* Borrowed, and only encoded. */
	const struct campaign_end end = { .campaign_id = recorder->campaign->id,
					  .runs = recorder->runs,
					  .complete = !cause,
					  .cause = (char *)cause };
	int rc;

	rc = begin(recorder, err);
	if (!rc)
		rc = append(recorder->path, campaign_end_encode(&end), err);
	return rc;
}

void recorder_forget(struct recorder *recorder)
{
	struct stat st;

	if (recorder->is_new && !recorder->begun &&
	    !stat(recorder->path, &st) && !st.st_size)
		unlink(recorder->path);
}

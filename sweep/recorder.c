// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/store.h"

static int pin_file(struct recorder *recorder, size_t *torn_bytes,
		    struct err *err)
{
	int rc = store_prepare(recorder->path, torn_bytes, err);

	if (rc < 0)
		return rc;
	if (recorder->fd >= 0)
		close(recorder->fd);
	recorder->fd = open(recorder->path, O_PATH | O_CLOEXEC);
	if (recorder->fd < 0)
		return err_set(err, -errno, "open record file %s",
			       recorder->path);
	return 0;
}

int recorder_open(const char *path, const struct campaign *campaign,
		  struct recorder *recorder, size_t *torn_bytes,
		  struct err *err)
{
	*recorder = (struct recorder){ .path = path,
				       .fd = -1,
				       .campaign = campaign,
				       .is_new = access(path, F_OK) < 0 };
	return pin_file(recorder, torn_bytes, err);
}

void recorder_close(struct recorder *recorder)
{
	if (recorder->path && recorder->fd >= 0)
		close(recorder->fd);
	*recorder = (struct recorder){ 0 };
}

/* Lines of a campaign whose first is elsewhere would be of no campaign. */
static int check_file(const struct recorder *recorder, struct err *err)
{
	struct stat first, now;

	if (stat(recorder->path, &now) < 0)
		return err_set(err, -errno,
			       "record file %s, to be appended to during the "
			       "sweep",
			       recorder->path);
	if (fstat(recorder->fd, &first) < 0)
		return err_set(err, -errno, "stat record file %s",
			       recorder->path);
	if (now.st_dev == first.st_dev && now.st_ino == first.st_ino)
		return 0;
	return err_say(err, -ESTALE,
		       "record file %s was replaced during the sweep; leave it "
		       "in place until a sweep has ended",
		       recorder->path);
}

/* Takes @line over; NULL is no memory. */
static int append(const struct recorder *recorder, json_t *line,
		  struct err *err)
{
	int rc = check_file(recorder, err);

	if (!rc)
		return store_append_new(recorder->path, line, err);
	json_decref(line);
	return rc;
}

static int begin(struct recorder *recorder, struct err *err)
{
	size_t torn_bytes;
	int rc = 0;

	if (recorder->begun)
		return 0;
	/* A sweep that was refused took its empty file away, and ours. */
	if (recorder->is_new && access(recorder->path, F_OK) < 0)
		rc = pin_file(recorder, &torn_bytes, err);
	if (!rc)
		rc = append(recorder, campaign_encode(recorder->campaign), err);
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
		rc = append(recorder, run_record_encode(run), err);
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
		rc = append(recorder, campaign_end_encode(&end), err);
	return rc;
}

void recorder_forget(struct recorder *recorder)
{
	struct stat st;

	if (recorder->is_new && !recorder->begun &&
	    !stat(recorder->path, &st) && !st.st_size)
		unlink(recorder->path);
}

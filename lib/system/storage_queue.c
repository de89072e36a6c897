// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters and queue settings of a block device, as /sys tells them. */
#include "lib/system/storage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage_stack.h"

/* Of a sector in /sys, whatever the device's own is. */
#define SECTOR_BYTES 512

int storage_read_counters(const char *root, const char *name,
			  struct storage_counters *counters, struct err *err)
{
	char *path, *text = NULL;
	uint64_t sectors, write_sectors;
	int rc;

	*counters = (struct storage_counters){ 0 };
	path = text_format("/sys/class/block/%s/stat", name);
	if (!path)
		return err_set(err, -ENOMEM, "counters of %s", name);
	rc = file_read_text(root, path, &text, err);
	if (rc < 0)
		goto out;
	if (sscanf(text,
		   "%" SCNu64 " %*u %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %*u %" SCNu64 " %*u %*u %" SCNu64,
		   &counters->reads, &sectors, &counters->read_ms,
		   &counters->writes, &write_sectors,
		   &counters->busy_ms) == 6) {
		counters->read_bytes = sectors * SECTOR_BYTES;
		counters->write_bytes = write_sectors * SECTOR_BYTES;
	} else {
		*counters = (struct storage_counters){ 0 };
		rc = err_say(err, -EINVAL, "%s%s: '%s' is not understood", root,
			     path, text);
	}
out:
	free(text);
	free(path);
	return rc;
}

/* Returns 0, also when @disk has no such number, or -ENOMEM. */
static int setting_read(const char *root, const char *disk, const char *name,
			int64_t *setting)
{
	char *path = text_format("/sys/class/block/%s/%s", disk, name);
	uint64_t number;
	int rc;

	*setting = -1;
	if (!path)
		return -ENOMEM;
	rc = file_read_u64(root, path, &number, NULL);
	free(path);
	if (!rc && number <= INT64_MAX)
		*setting = (int64_t)number;
	return rc == -ENOMEM ? rc : 0;
}

/* "mq-deadline" of "none [mq-deadline] kyber"; "none" of "none". */
static int scheduler_read(const char *root, const char *disk, char **scheduler)
{
	char *path, *text = NULL;
	const char *name;
	int rc;

	path = text_format("/sys/class/block/%s/queue/scheduler", disk);
	if (!path)
		return -ENOMEM;
	rc = file_read_text(root, path, &text, NULL);
	free(path);
	if (rc < 0)
		return rc == -ENOMEM ? rc : 0;
	name = strchr(text, '[');
	name = name ? name + 1 : text;
	*scheduler = strndup(name, strcspn(name, "] \n"));
	free(text);
	return *scheduler ? 0 : -ENOMEM;
}

int storage_read_queue(const char *root, const char *name,
		       struct storage_queue *queue, struct err *err)
{
	char *disk = NULL;
	int rc;

	*queue = (struct storage_queue){ -1, -1, -1, -1, -1, NULL };
	rc = storage_disk_of_name(root, name, &disk, err);
	if (rc < 0)
		return rc == -ENOMEM ? rc : 0;
	rc = setting_read(root, disk, "queue/read_ahead_kb",
			  &queue->read_ahead_kib);
	if (!rc)
		rc = setting_read(root, disk, "queue/max_sectors_kb",
				  &queue->max_sectors_kib);
	if (!rc)
		rc = setting_read(root, disk, "queue/nr_requests",
				  &queue->nr_requests);
	if (!rc)
		rc = setting_read(root, disk, "queue/rotational",
				  &queue->rotational);
	if (!rc)
		rc = setting_read(root, disk, "loop/dio", &queue->loop_direct);
	if (!rc)
		rc = scheduler_read(root, disk, &queue->scheduler);
	free(disk);
	if (rc < 0) {
		storage_queue_free(queue);
		return err_set(err, rc, "queue of %s", name);
	}
	return 0;
}

void storage_queue_free(struct storage_queue *queue)
{
	free(queue->scheduler);
	*queue = (struct storage_queue){ -1, -1, -1, -1, -1, NULL };
}

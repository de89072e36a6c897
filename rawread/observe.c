// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/observe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "rawread/plan.h"
#include "rawread/targets.h"

static int read_residency(const struct plan *plan, const struct target *targets,
			  bool is_end, struct observation *observation,
			  struct err *err)
{
	struct residency *sum = is_end ? &observation->after
				       : &observation->before;
	unsigned int i;

	*sum = (struct residency){ .known = true };
	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];
		struct target_observation *observed = &observation->targets[i];
		struct residency *one = is_end ? &observed->after
					       : &observed->before;
		int rc = residency_read(targets[i].fd, target->offset_bytes,
					target->range_bytes, one, err);

		if (rc < 0)
			return rc;
		sum->known &= one->known;
		sum->resident_bytes += one->resident_bytes;
		sum->dirty_bytes += one->dirty_bytes;
		if (!sum->reason[0])
			memcpy(sum->reason, one->reason, sizeof(sum->reason));
	}
	return 0;
}

/* A file may be read, in part at least, whose extents cannot be told. */
static int add_extents(const struct plan *plan, const struct target *targets,
		       struct observation *observation, struct err *err)
{
	struct extent_shares *sum = &observation->extents;
	unsigned int i;

	*sum = (struct extent_shares){ .known = true };
	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *target = &plan->targets[i];
		struct extent_shares one;
		int rc = extents_read(targets[i].fd, target->offset_bytes,
				      target->range_bytes, &one, err);

		sum->known &= one.known;
		if (rc < 0 && !observation->extents_reason) {
			observation->extents_reason = strdup(err->text);
			if (!observation->extents_reason)
				return err_set(err, -ENOMEM,
					       "layout of the targets");
		}
		if (rc < 0)
			continue;
		sum->hole_bytes += one.hole_bytes;
		sum->unwritten_bytes += one.unwritten_bytes;
		sum->encoded_bytes += one.encoded_bytes;
		sum->inline_bytes += one.inline_bytes;
		sum->shared_bytes += one.shared_bytes;
		sum->delayed_bytes += one.delayed_bytes;
	}
	return 0;
}

static int add_storage(const struct plan *plan, const struct target *targets,
		       struct observation *observation, struct err *err)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < plan->target_count; i++) {
		struct target_observation *observed = &observation->targets[i];
		struct storage one = { 0 };

		rc = storage_of_fd(targets[i].fd, &one, err);
		if (!rc)
			rc = storage_merge(&observation->storage, &one, err);
		observed->has_devices = one.lowest_count != 0;
		observed->hidden = one.hidden;
		observed->layer = one.layer;
		one.layer = NULL;
		storage_free(&one);
	}
	return rc;
}

int observe_targets(const struct plan *plan, const struct target *targets,
		    struct observation *observation, struct err *err)
{
	int rc;

	*observation = (struct observation){
		.targets = calloc(plan->target_count,
				  sizeof(*observation->targets)),
		.target_count = plan->target_count,
	};
	if (!observation->targets)
		return err_set(err, -ENOMEM, "page cache of the targets");
	/* FIEMAP writes dirty pages out first, so it goes before residency. */
	rc = add_extents(plan, targets, observation, err);
	if (!rc)
		rc = read_residency(plan, targets, false, observation, err);
	if (!rc)
		rc = add_storage(plan, targets, observation, err);
	if (rc < 0)
		return rc;
	observation->lowest = calloc(observation->storage.lowest_count + 1,
				     sizeof(*observation->lowest));
	observation->shape = calloc(observation->storage.mount_count + 1,
				    sizeof(*observation->shape));
	if (!observation->lowest || !observation->shape)
		return err_set(err, -ENOMEM, "counters of the devices");
	return 0;
}

static void read_devices(const struct storage_device *devices, size_t count,
			 struct device_observation *observed, bool is_end)
{
	size_t i;

	/* A device that has gone is not a failed run, but proves nothing. */
	for (i = 0; i < count; i++)
		if (is_end)
			observed[i].known &= !storage_read_counters(
				"", devices[i].name, &observed[i].after, NULL);
		else
			observed[i].known = !storage_read_counters(
				"", devices[i].name, &observed[i].before, NULL);
}

/* read_bytes of /proc/self/io: what the kernel fetched for this process. */
static bool read_task_bytes(uint64_t *bytes)
{
	char *text = NULL, *line;
	bool found = false;

	if (file_read_text("", "/proc/self/io", &text, NULL) < 0)
		return false;
	line = strstr(text, "\nread_bytes: ");
	if (line)
		found = sscanf(line, " read_bytes: %" SCNu64, bytes) == 1;
	free(text);
	return found;
}

int observe_begin(struct observation *observation, struct err *err)
{
	read_devices(observation->storage.lowest,
		     observation->storage.lowest_count, observation->lowest,
		     false);
	read_devices(observation->storage.mount,
		     observation->storage.mount_count, observation->shape,
		     false);
	observation->task_known =
		read_task_bytes(&observation->task_before_bytes);
	return cputime_read("", &observation->cpu_before, err);
}

int observe_end(struct observation *observation, struct err *err)
{
	int rc = cputime_read("", &observation->cpu_after, err);

	observation->task_known &=
		read_task_bytes(&observation->task_after_bytes);
	read_devices(observation->storage.lowest,
		     observation->storage.lowest_count, observation->lowest,
		     true);
	read_devices(observation->storage.mount,
		     observation->storage.mount_count, observation->shape,
		     true);
	return rc;
}

int observe_targets_after(const struct plan *plan, const struct target *targets,
			  struct observation *observation, struct err *err)
{
	return read_residency(plan, targets, true, observation, err);
}

static int64_t bytes_of(const struct device_observation *observed, size_t count,
			bool written)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct storage_counters *before = &observed[i].before;
		const struct storage_counters *after = &observed[i].after;

		if (!observed[i].known)
			return -1;
		bytes += written ? after->write_bytes - before->write_bytes
				 : after->read_bytes - before->read_bytes;
	}
	return count ? (int64_t)bytes : -1;
}

int64_t observe_lowest_bytes(const struct observation *observation,
			     bool written)
{
	return bytes_of(observation->lowest, observation->storage.lowest_count,
			written);
}

int64_t observe_mount_bytes(const struct observation *observation, bool written)
{
	return bytes_of(observation->shape, observation->storage.mount_count,
			written);
}

void observe_free(struct observation *observation)
{
	unsigned int i;

	for (i = 0; i < observation->target_count; i++)
		free(observation->targets[i].layer);
	free(observation->targets);
	free(observation->extents_reason);
	storage_free(&observation->storage);
	cputime_free(&observation->cpu_before);
	cputime_free(&observation->cpu_after);
	free(observation->lowest);
	free(observation->shape);
	*observation = (struct observation){ 0 };
}

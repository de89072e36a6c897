// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/near.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/system/storage.h"
#include "rawread/targets.h"
#include "rawread/topology.h"

/* A note has so many targets by name. */
#define NAMED 3

enum outcome {
	OUTCOME_NEAR,
	OUTCOME_NO_DEVICE,
	OUTCOME_NO_PLACE,
	OUTCOME_NO_CPU,
	OUTCOME_COUNT
};

static const char *const reasons[OUTCOME_COUNT] = {
	[OUTCOME_NO_DEVICE] = "no device can be seen below",
	[OUTCOME_NO_PLACE] = "no CPU is nearer than others to the device of",
	[OUTCOME_NO_CPU] = "cpuset and affinity leave no CPU that is near to "
			   "the device of",
};

/* The targets that came out alike. */
struct group {
	FILE *names;
	char *text;
	size_t size;
	unsigned int count;
};

/* "a (nvme0n1, nvme1n1)" */
static void print_target(FILE *out, const char *path,
			 const struct storage *storage)
{
	size_t i;

	fprintf(out, "%s", path);
	for (i = 0; i < storage->lowest_count; i++)
		fprintf(out, "%s%s", i ? ", " : " (", storage->lowest[i].name);
	if (storage->lowest_count)
		fputc(')', out);
}

static int group_add(struct group *group, const char *path,
		     const struct storage *storage)
{
	if (!group->names)
		group->names = open_memstream(&group->text, &group->size);
	if (!group->names)
		return -ENOMEM;
	if (group->count && group->count < NAMED)
		fputs(", ", group->names);
	if (group->count < NAMED)
		print_target(group->names, path, storage);
	group->count++;
	return 0;
}

/* Ends the group. */
static int group_note(struct group *group, const char *reason,
		      struct plan *plan)
{
	FILE *names = group->names;

	if (!names)
		return 0;
	group->names = NULL;
	if (group->count > NAMED)
		fprintf(names, " and %u more", group->count - NAMED);
	if (fclose(names))
		return -ENOMEM;
	return plan_add_note(plan,
			     "--pin near: %s %s; %s threads are scattered over "
			     "all CPUs",
			     reason, group->text,
			     group->count > 1 ? "their" : "its");
}

static enum outcome near_target(const struct topology *topology,
				const struct storage *storage, bool *row)
{
	enum outcome outcome = OUTCOME_NO_DEVICE;
	size_t count, i;

	topology_pus(topology, &count);
	for (i = 0; i < storage->lowest_count; i++) {
		const struct storage_device *device = &storage->lowest[i];

		if (!topology_near_device(topology, device->dev, device->name,
					  row, NULL))
			outcome = OUTCOME_NO_CPU;
		else if (outcome == OUTCOME_NO_DEVICE)
			outcome = OUTCOME_NO_PLACE;
	}
	for (i = 0; i < count; i++)
		if (row[i])
			return OUTCOME_NEAR;
	return outcome;
}

/* Frees the groups as well. Returns @rc, or what went wrong with a note. */
static int note_groups(struct group *groups, int rc, struct plan *plan)
{
	enum outcome i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		if (!rc)
			rc = group_note(&groups[i], reasons[i], plan);
		if (groups[i].names)
			fclose(groups[i].names);
		free(groups[i].text);
	}
	return rc;
}

int near_find(const struct topology *topology, const struct targets *targets,
	      bool **near, struct plan *plan, struct err *err)
{
	struct group groups[OUTCOME_COUNT] = { 0 };
	struct storage storage;
	unsigned int i;
	size_t count;
	int rc = 0;

	topology_pus(topology, &count);
	*near = calloc((size_t)targets->count * count, sizeof(**near));
	if (!*near)
		return err_set(err, -ENOMEM, "placement");
	for (i = 0; !rc && i < targets->count; i++) {
		const struct target *target = &targets->list[i];
		enum outcome outcome;

		/* After a failure it has none: unseen is as not there. */
		storage_of_fd(target->fd, &storage, NULL);
		outcome = near_target(topology, &storage, *near + i * count);
		if (outcome != OUTCOME_NEAR)
			rc = group_add(&groups[outcome], target->path,
				       &storage);
		storage_free(&storage);
	}
	rc = note_groups(groups, rc, plan);
	if (!rc)
		return 0;
	free(*near);
	*near = NULL;
	return err_set(err, rc, "placement");
}

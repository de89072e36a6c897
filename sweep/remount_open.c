// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/system/mounts.h"
#include "lib/system/storage.h"
#include "sweep/remount.h"
#include "sweep/sweep_targets.h"

#define PATIENCE_NS	 (5 * NS_PER_S)
#define LOCK_PATIENCE_NS (1 * NS_PER_S)

static bool is_placed(size_t index, const size_t *order, size_t placed)
{
	while (placed)
		if (order[--placed] == index)
			return true;
	return false;
}

/* What @index lies on, if that is one of them; else @count. */
static size_t below(size_t index, const int *ids, const int *parents,
		    size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (ids[i] == parents[index])
			return i;
	return count;
}

void remount_order(const int *ids, const int *parents, const size_t *ranks,
		   size_t count, size_t *order)
{
	size_t placed, i;

	for (placed = 0; placed < count; placed++) {
		size_t next = count;

		for (i = 0; i < count; i++) {
			size_t lower = below(i, ids, parents, count);

			if (is_placed(i, order, placed) ||
			    (lower < count && !is_placed(lower, order, placed)))
				continue;
			if (next == count || ranks[i] < ranks[next])
				next = i;
		}
		assert(next < count); /* mounts lie on each other in a tree */
		order[placed] = next;
	}
}

static int find_order(struct remount *remount, struct err *err)
{
	const struct sweep_targets *targets = remount->targets;
	size_t count = targets->count, i, j;
	int *ids = calloc(count, 2 * sizeof(*ids));
	size_t *ranks = calloc(count, sizeof(*ranks));
	struct mount_list all;
	int rc;

	rc = mount_list_read("", &all, err);
	if (rc < 0)
		goto out;
	remount->order = calloc(count, sizeof(*remount->order));
	if (!ids || !ranks || !remount->order) {
		rc = err_set(err, -ENOMEM, "order of the mounts");
		goto out;
	}
	for (i = 0; i < count; i++) {
		ids[i] = targets->list[i].mount.id;
		ids[count + i] = targets->list[i].mount.parent_id;
		for (j = 0; j < all.count; j++)
			if (all.mounts[j].id == ids[i])
				ranks[i] = j;
	}
	remount_order(ids, ids + count, ranks, count, remount->order);
out:
	mount_list_free(&all);
	free(ranks);
	free(ids);
	return rc;
}

static int find_uuids(struct remount *remount, struct err *err)
{
	const struct sweep_targets *targets = remount->targets;
	size_t i;

	remount->uuids = calloc(targets->count, sizeof(*remount->uuids));
	if (!remount->uuids)
		return err_set(err, -ENOMEM, "UUIDs of the file systems");
	for (i = 0; i < targets->count; i++) {
		int rc = mount_uuid(targets->list[i].mount.source,
				    &remount->uuids[i], err);

		if (rc < 0 && rc != -ENOENT)
			return rc;
	}
	return 0;
}

static bool is_held(const struct remount *remount, dev_t dev)
{
	struct stat st;
	size_t i;

	for (i = 0; i < remount->device_count; i++)
		if (!fstat(remount->devices[i], &st) && st.st_rdev == dev)
			return true;
	return false;
}

/*
 * Two sweeps of one device would unmount what the other reads. The lock is
 * the one that udev and mkfs respect too, and udev may hold it for a moment.
 */
static int lock_device(int fd, const char *path, struct err *err)
{
	const struct timespec pause = { .tv_nsec = 50 * NS_PER_MS };
	uint64_t until_ns = clock_now_ns() + LOCK_PATIENCE_NS;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_set(err, -errno, "lock %s", path);
		if (stop_asked())
			return err_say(err, -EINTR,
				       "stopped while %s was locked", path);
		if (clock_now_ns() > until_ns)
			return err_say(err, -EBUSY,
				       "%s is locked, most likely by another "
				       "sweep; wait for it and start again",
				       path);
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int hold_device(struct remount *remount, const char *path, dev_t dev,
		       struct err *err)
{
	struct stat st;
	int *grown, fd;

	if (is_held(remount, dev))
		return 0;
	grown = reallocarray(remount->devices, remount->device_count + 1,
			     sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "hold %s", path);
	remount->devices = grown;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", path);
	remount->devices[remount->device_count++] = fd;
	if (fstat(fd, &st) < 0)
		return err_set(err, -errno, "stat %s", path);
	if (!S_ISBLK(st.st_mode) || st.st_rdev != dev)
		return err_say(err, -ENODEV,
			       "%s is not the device that is mounted", path);
	return lock_device(fd, path, err);
}

/* The node of a name of /sys/class/block, where "!" stands for "/". */
static char *node_of(const char *name)
{
	char *path = text_format("/dev/%s", name), *at;

	for (at = path; at && *at; at++)
		if (*at == '!')
			*at = '/';
	return path;
}

static int hold_member(struct remount *remount,
		       const struct storage_device *member, struct err *err)
{
	char *path = node_of(member->name);
	int rc;

	if (!path)
		return err_set(err, -ENOMEM, "hold %s", member->name);
	rc = hold_device(remount, path, member->dev, err);
	free(path);
	return rc;
}

/* The source, and the other members of a file system that has more. */
static int hold_devices(struct remount *remount,
			const struct sweep_target *target, struct err *err)
{
	const char *source = target->mount.source;
	struct storage storage = { 0 };
	struct stat st;
	size_t i;
	int fd, rc;

	if (stat(source, &st) < 0)
		return err_set(err, -errno, "stat %s", source);
	rc = hold_device(remount, source, st.st_rdev, err);
	if (rc < 0)
		return rc;
	fd = open(target->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", target->path);
	rc = storage_of_fd(fd, &storage, err);
	close(fd);
	for (i = 0; !rc && i < storage.mount_count; i++)
		if (storage.mount[i].dev != st.st_rdev)
			rc = hold_member(remount, &storage.mount[i], err);
	storage_free(&storage);
	return rc;
}

int remount_open(struct sweep_targets *targets, struct remount *remount,
		 struct err *err)
{
	size_t i;
	int rc;

	*remount = (struct remount){ .targets = targets,
				     .patience_ns = PATIENCE_NS };
	rc = find_order(remount, err);
	if (!rc)
		rc = find_uuids(remount, err);
	for (i = 0; !rc && i < targets->count; i++)
		rc = hold_devices(remount, &targets->list[i], err);
	if (rc < 0)
		remount_close(remount);
	return rc;
}

void remount_close(struct remount *remount)
{
	size_t i;

	while (remount->device_count)
		close(remount->devices[--remount->device_count]);
	for (i = 0; remount->uuids && i < remount->targets->count; i++)
		free(remount->uuids[i]);
	free(remount->devices);
	free(remount->uuids);
	free(remount->order);
	*remount = (struct remount){ 0 };
}

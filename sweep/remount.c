// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/remount.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/system/holders.h"
#include "lib/system/mounts.h"
#include "sweep/sweep_targets.h"

#define PAUSE_FIRST_NS (50 * NS_PER_MS)
#define PAUSE_MAX_NS   (500 * NS_PER_MS)

static const struct mount_entry *mount_at(const struct remount *remount,
					  size_t place)
{
	return &remount->targets->list[remount->order[place]].mount;
}

/* Waits before the next try. False when that would be after @until_ns. */
static bool pause_before(uint64_t *pause_ns, uint64_t until_ns)
{
	struct timespec ts = { .tv_nsec = (long)*pause_ns };

	if (clock_now_ns() + *pause_ns > until_ns)
		return false;
	nanosleep(&ts, NULL);
	*pause_ns *= 2;
	if (*pause_ns > PAUSE_MAX_NS)
		*pause_ns = PAUSE_MAX_NS;
	return true;
}

/* An indexer or udev holds a fresh mount for a moment: that passes. */
static int detach_patiently(const struct mount_entry *mount, uint64_t until_ns,
			    struct err *err)
{
	uint64_t pause_ns = PAUSE_FIRST_NS;
	char *holders;
	int rc;

	while ((rc = mount_detach(mount, err)) == -EBUSY) {
		if (stop_asked())
			return err_say(err, -EINTR,
				       "stopped while %s was in use",
				       mount->target);
		if (!pause_before(&pause_ns, until_ns))
			break;
	}
	if (rc != -EBUSY)
		return rc;
	holders = holders_describe(mount);
	err_say(err, rc, "%s is still in use by %s; stop that and start again",
		mount->target, holders ? holders : "someone");
	free(holders);
	return rc;
}

/* A prober may have the device to itself for a moment, so this waits too. */
static int attach_patiently(const struct mount_entry *mount, uint64_t until_ns,
			    struct err *err)
{
	uint64_t pause_ns = PAUSE_FIRST_NS;
	int rc;

	while ((rc = mount_attach(mount, err)) == -EBUSY)
		if (!pause_before(&pause_ns, until_ns))
			break;
	return rc;
}

/*
 * Mounts those from place @first on. Whatever fails, the others are still
 * brought back; the first failure is told.
 */
static int attach_from(const struct remount *remount, size_t first,
		       struct err *err)
{
	uint64_t until_ns = clock_now_ns() + remount->patience_ns;
	struct err other;
	size_t place;
	int rc = 0;

	for (place = first; place < remount->targets->count; place++) {
		int failed = attach_patiently(mount_at(remount, place),
					      until_ns, rc ? &other : err);

		if (failed && !rc)
			rc = failed;
	}
	return rc;
}

/*
 * Nothing that came meanwhile may be unmounted in the place of ours. The ids
 * are new after each cycle, ours or another's.
 */
static int check_unchanged(struct mount_entry *mount, struct err *err)
{
	struct mount_entry now;
	int rc;

	rc = mount_find(mount->target, &now, err);
	if (rc < 0)
		return rc;
	rc = mount_compare(mount, &now, err);
	mount->id = now.id;
	mount->parent_id = now.parent_id;
	mount_free(&now);
	return rc;
}

static int sync_target(const struct sweep_target *target, struct err *err)
{
	int fd = open(target->real_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return err_set(err, -errno, "open %s", target->real_dir);
	if (syncfs(fd) < 0)
		rc = err_set(err, -errno, "sync %s", target->real_dir);
	close(fd);
	return rc;
}

/*
 * What the devices' own caches hold, inode tables and extent trees, outlives
 * the mount since the devices are held open. The last close would drop it.
 */
static void drop_device_caches(const struct remount *remount)
{
	size_t i;

	for (i = 0; i < remount->device_count; i++)
		ioctl(remount->devices[i], BLKFLSBUF, 0);
}

/* A device that nobody else has claimed has no superblock any more. */
static char *find_alive(const struct remount *remount)
{
	size_t place;

	for (place = 0; place < remount->targets->count; place++) {
		const struct mount_entry *mount = mount_at(remount, place);
		char *holders, *alive;
		int fd = open(mount->source, O_RDONLY | O_EXCL | O_CLOEXEC);

		if (fd >= 0) {
			close(fd);
			continue;
		}
		if (errno != EBUSY)
			continue;
		holders = holders_describe(mount);
		alive = text_format("the file system of %s outlived its "
				    "unmounting: %s",
				    mount->target,
				    holders ? holders
					    : "something holds it still");
		free(holders);
		return alive;
	}
	return NULL;
}

static int check_uuids(const struct remount *remount, struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < remount->targets->count; i++) {
		const struct mount_entry *mount =
			&remount->targets->list[i].mount;
		char *uuid = NULL;

		if (!remount->uuids[i])
			continue;
		rc = mount_uuid(mount->source, &uuid, err);
		if (!rc && strcmp(uuid, remount->uuids[i]))
			rc = err_say(err, -ESTALE,
				     "%s holds another file system now: UUID "
				     "%s, and it was %s",
				     mount->target, uuid, remount->uuids[i]);
		free(uuid);
	}
	return rc;
}

/* What was taken away comes back, also when not all could be. */
static int detach_and_attach(const struct remount *remount, char **alive,
			     struct err *err)
{
	uint64_t until_ns = clock_now_ns() + remount->patience_ns;
	size_t place = remount->targets->count;
	struct err attach_err;
	int rc = 0, failed;

	while (place && !rc) {
		rc = detach_patiently(mount_at(remount, place - 1), until_ns,
				      err);
		if (!rc)
			place--;
	}
	if (!rc) {
		drop_device_caches(remount);
		*alive = find_alive(remount);
	}
	failed = attach_from(remount, place, &attach_err);
	if (failed < 0)
		rc = err_say(err, failed, "%s", attach_err.text);
	return rc;
}

/* Those that stop.h takes over only set a flag; any other would end us here. */
static void hold_signals(sigset_t *before)
{
	sigset_t all, ends;
	int number;

	sigfillset(&all);
	stop_signals(&ends);
	for (number = 1; number < NSIG; number++)
		if (sigismember(&ends, number) == 1)
			sigdelset(&all, number);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

int remount_cycle(struct remount *remount, char **alive, struct err *err)
{
	struct sweep_targets *targets = remount->targets;
	sigset_t before;
	size_t i;
	int rc = 0;

	*alive = NULL;
	for (i = 0; !rc && i < targets->count; i++)
		rc = sync_target(&targets->list[i], err);
	for (i = 0; !rc && i < targets->count; i++)
		rc = check_unchanged(&targets->list[i].mount, err);
	if (rc < 0)
		return rc;
	hold_signals(&before);
	rc = detach_and_attach(remount, alive, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!rc)
		rc = check_uuids(remount, err);
	if (!rc)
		rc = sweep_targets_check_files(targets, err);
	if (!rc)
		rc = sweep_targets_mend(targets, err);
	if (rc < 0) {
		free(*alive);
		*alive = NULL;
	}
	return rc;
}

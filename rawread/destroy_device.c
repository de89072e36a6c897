// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/destroy_device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/system/claims.h"
#include "lib/system/storage.h"
#include "rawread/destroy.h"
#include "rawread/targets.h"

/* After an unmount, what looks at new disks may hold one for a moment. */
#define BUSY_TRIES    50
#define BUSY_PAUSE_MS 20

int destroy_refuse_claimed(const char *path, const struct claim *claim,
			   struct err *err)
{
	return err_say(err, -EBUSY, "%s is %s; %s first", path, claim->holder,
		       claim->cure);
}

int destroy_look_writable(const struct target *target, struct err *err)
{
	if (faccessat(target->fd, "", W_OK, AT_EACCESS | AT_EMPTY_PATH) < 0)
		return err_set(err, -errno, "open %s for writing",
			       target->path);
	return 0;
}

int destroy_check_writable(int fd, const struct target *target, struct err *err)
{
	const struct file_id id = target_id(target);
	int read_only = 0;
	int rc = file_id_check(fd, target->path, &id, err);

	if (rc < 0)
		return rc;
	if (!target->inode && !ioctl(fd, BLKROGET, &read_only) && read_only)
		return err_set(err, -EROFS, "write to %s", target->path);
	return 0;
}

static int keep(struct destroy *destroy, int fd, struct err *err)
{
	int *grown =
		reallocarray(destroy->fds, destroy->count + 1, sizeof(*grown));

	if (!grown) {
		close(fd);
		return err_set(err, -ENOMEM, "hold the targets");
	}
	destroy->fds = grown;
	grown[destroy->count++] = fd;
	return 0;
}

/* What one target is held by. */
struct holding {
	const struct target *target;
	const struct claim_ways *ways;
	struct destroy *destroy;
	unsigned int others; /* descriptors that are held for other targets */
	bool looks_only;
};

/* Whether it is ourselves who hold a device that the ways lead to. */
static bool is_held_by_us(const struct holding *holding)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < holding->others; i++)
		if (!fstat(holding->destroy->fds[i], &st) &&
		    claim_ways_overlap("", holding->ways, st.st_rdev))
			return true;
	return false;
}

/* O_EXCL says busy: by whom is for people. */
static int refuse_busy(const struct holding *holding, struct err *err)
{
	const char *path = holding->target->path;
	struct claim claim;
	int rc;

	if (is_held_by_us(holding))
		return err_say(err, -EBUSY,
			       "%s has bytes in common with another target; "
			       "test them one after the other",
			       path);
	rc = claim_elsewhere("", holding->ways, &claim, err);
	if (!rc)
		rc = destroy_refuse_claimed(path, &claim, err);
	claim_free(&claim);
	return rc;
}

static int open_held(const struct holding *holding, const char *path, int flags)
{
	const struct timespec pause = { .tv_nsec = BUSY_PAUSE_MS * 1000000 };
	unsigned int tries = BUSY_TRIES;
	int fd, rc;

	do {
		fd = open(path, flags | O_EXCL | O_NONBLOCK | O_CLOEXEC);
		rc = fd < 0 ? -errno : fd;
	} while (rc == -EBUSY && tries-- && !stop_asked() &&
		 !is_held_by_us(holding) && !nanosleep(&pause, NULL));
	return rc;
}

static int hold_itself(const struct holding *holding, struct err *err)
{
	const struct target *target = holding->target;
	int fd, rc;

	fd = open_held(holding, target->path,
		       holding->looks_only ? O_RDONLY : O_RDWR);
	if (fd == -EBUSY)
		return refuse_busy(holding, err);
	if (fd < 0)
		return err_set(err, fd, "open %s for writing", target->path);
	rc = keep(holding->destroy, fd, err);
	if (!rc)
		rc = destroy_check_writable(fd, target, err);
	if (!rc && holding->looks_only)
		rc = destroy_look_writable(target, err);
	return rc;
}

/* The node of a device that is not the target itself. */
static char *node_of(const char *name)
{
	char *path = text_format("/dev/%s", name), *at = path;

	/* As the kernel writes a slash in /sys. */
	while (at && (at = strchr(at, '!')))
		*at = '/';
	return path;
}

/* A /dev that somebody filled by hand has whatever they put there. */
static bool is_node_of(int fd, dev_t dev)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISBLK(st.st_mode) && st.st_rdev == dev;
}

static int hold_way(const struct holding *holding,
		    const struct storage_device *way, struct err *err)
{
	const char *why = "that is another file";
	char *path = node_of(way->name);
	int fd, rc = 0;

	if (!path)
		return err_set(err, -ENOMEM, "hold %s", holding->target->path);
	fd = open_held(holding, path, O_RDONLY);
	if (fd == -EBUSY) {
		rc = refuse_busy(holding, err);
		goto out;
	}
	if (fd >= 0 && is_node_of(fd, way->dev)) {
		rc = keep(holding->destroy, fd, err);
		goto out;
	}
	if (fd >= 0)
		close(fd);
	else
		why = strerror(-fd);
	rc = err_say(err, fd < 0 ? fd : -ENODEV,
		     "whether %s, which has the same bytes as %s, is in use "
		     "cannot be told: %s",
		     path, holding->target->path, why);
out:
	free(path);
	return rc;
}

/*
 * Holds all that leads to the bytes of the target; the kernel refuses when one
 * of them, its disk or a partition of it is mounted, wherever that is.
 */
static int hold_ways(const struct holding *holding, struct err *err)
{
	size_t i;
	int rc = hold_itself(holding, err);

	for (i = 1; !rc && i < holding->ways->count; i++)
		rc = hold_way(holding, &holding->ways->list[i], err);
	return rc;
}

int destroy_claim_device(const struct target *target, bool looks_only,
			 struct destroy *destroy, struct err *err)
{
	struct claim_ways ways;
	const struct holding holding = {
		.target = target,
		.ways = &ways,
		.destroy = destroy,
		.others = destroy->count,
		.looks_only = looks_only,
	};
	struct claim claim = { 0 };
	int rc;

	rc = claim_ways_find("", target->dev, &ways, err);
	if (!rc)
		rc = claim_of_ways("", &ways, &claim, err);
	if (!rc && claim.holder)
		rc = destroy_refuse_claimed(target->path, &claim, err);
	if (!rc)
		rc = hold_ways(&holding, err);
	claim_free(&claim);
	claim_ways_free(&ways);
	return rc;
}

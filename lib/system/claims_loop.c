// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

void claim_loops_free(struct claim_loops *loops)
{
	while (loops->count)
		free(loops->list[--loops->count].name);
	free(loops->list);
	*loops = (struct claim_loops){ 0 };
}

bool claim_object_same(const struct claim_object *one,
		       const struct claim_object *other)
{
	return one->is_device == other->is_device && one->dev == other->dev &&
	       (one->is_device || one->inode == other->inode);
}

bool claim_object_at(const char *root, const char *path,
		     struct claim_object *object)
{
	struct statx stx = { 0 };
	char *full;
	int failed;

	*object = (struct claim_object){ 0 };
	if (path[0] != '/')
		return false;
	full = text_format("%s%s", root, path);
	/* No sync: a dead server must not hang us. */
	failed = !full || statx(AT_FDCWD, full, AT_STATX_DONT_SYNC,
				STATX_TYPE | STATX_INO, &stx) < 0;
	free(full);
	if (!failed && S_ISREG(stx.stx_mode)) {
		object->dev = makedev(stx.stx_dev_major, stx.stx_dev_minor);
		object->inode = stx.stx_ino;
		return true;
	}
	object->is_device = true;
	if (!failed) {
		object->dev = makedev(stx.stx_rdev_major, stx.stx_rdev_minor);
		return S_ISBLK(stx.stx_mode);
	}
	return !strncmp(path, "/dev/", 5) && !strchr(path + 5, '/') &&
	       !storage_dev_of_name(root, path + 5, &object->dev, NULL);
}

/*
 * Only the device itself knows: its path may lead to another file by now, or
 * in this mount namespace.
 */
static bool ask_loop(const char *root, struct claim_loop *loop)
{
	char *path = *root ? NULL : text_format("/dev/%s", loop->name);
	struct loop_info64 info = { 0 };
	struct stat st;
	int fd;

	if (!path)
		return false;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return false;
	loop->known = !fstat(fd, &st) && S_ISBLK(st.st_mode) &&
		      st.st_rdev == loop->dev &&
		      !ioctl(fd, LOOP_GET_STATUS64, &info);
	close(fd);
	/* Of a file, the kernel repeats the number of its file system. */
	loop->below.is_device = info.lo_rdevice &&
				info.lo_rdevice != info.lo_device;
	loop->below.dev = (dev_t)(loop->below.is_device ? info.lo_rdevice
							: info.lo_device);
	loop->below.inode = info.lo_inode;
	return loop->known;
}

struct reading {
	const char *root;
	struct claim_loops *loops;
};

/* storage_each_link() calls it with every block device. */
static int take_loop(const char *name, void *input, struct err *err)
{
	const struct reading *reading = input;
	struct claim_loops *loops = reading->loops;
	struct claim_loop *grown, *loop;
	char *path, *backing = NULL;
	int rc;

	path = text_format("/sys/class/block/%s/loop/backing_file", name);
	if (!path)
		return err_set(err, -ENOMEM, "loop device %s", name);
	rc = file_read_text(reading->root, path, &backing, NULL);
	free(path);
	/* No loop device, or nothing is attached to it. */
	if (rc < 0)
		return rc == -ENOMEM ? err_set(err, rc, "device %s", name) : 0;
	grown = reallocarray(loops->list, loops->count + 1, sizeof(*grown));
	if (grown) {
		loops->list = grown;
		loop = &grown[loops->count];
		*loop = (struct claim_loop){ .name = strdup(name) };
	}
	if (!grown || !loop->name) {
		free(backing);
		return err_set(err, -ENOMEM, "loop device %s", name);
	}
	loops->count++;
	rc = storage_dev_of_name(reading->root, name, &loop->dev, err);
	if (!rc && !ask_loop(reading->root, loop))
		loop->known =
			claim_object_at(reading->root, backing, &loop->below);
	free(backing);
	return rc;
}

int claim_loops_read(const char *root, struct claim_loops *loops,
		     struct err *err)
{
	struct reading reading = { root, loops };
	int rc;

	*loops = (struct claim_loops){ 0 };
	rc = storage_each_link(root, "/sys/class/block", take_loop, &reading,
			       err);
	if (rc < 0)
		claim_loops_free(loops);
	return rc < 0 ? rc : 0;
}

/* Whether the partition @one is on the disk @other, or is it. */
static bool is_on_disk(const char *root, dev_t one, dev_t other)
{
	char *name = NULL, *disk = NULL;
	dev_t dev = 0;
	bool is = !storage_name_of_dev(root, one, &name, NULL) &&
		  !storage_disk_of_name(root, name, &disk, NULL) &&
		  !storage_dev_of_name(root, disk, &dev, NULL) && dev == other;

	free(name);
	free(disk);
	return is;
}

bool claim_devices_overlap(const char *root, dev_t one, dev_t other)
{
	return one == other || is_on_disk(root, one, other) ||
	       is_on_disk(root, other, one);
}

const struct claim_loop *
claim_loop_of(const char *root, const struct claim_loops *loops, dev_t dev)
{
	size_t i;

	for (i = 0; i < loops->count; i++)
		if (is_on_disk(root, dev, loops->list[i].dev))
			return &loops->list[i];
	return NULL;
}

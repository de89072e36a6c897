// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims_plain.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

static void drop_last(struct claim_loops *loops)
{
	struct claim_loop *last = &loops->list[--loops->count];

	free(last->backing);
	free(last->name);
}

void claim_loops_free(struct claim_loops *loops)
{
	while (loops->count)
		drop_last(loops);
	free(loops->list);
	*loops = (struct claim_loops){ 0 };
}

bool claim_object_same(const struct claim_object *one,
		       const struct claim_object *other)
{
	return one->is_device == other->is_device && one->dev == other->dev &&
	       (one->is_device || one->inode == other->inode);
}

bool claim_lengths_meet(const struct claim_object *one,
			const struct claim_object *other)
{
	if (!one->most_bytes || !other->most_bytes)
		return true;
	return one->least_bytes <= other->most_bytes &&
	       other->least_bytes <= one->most_bytes;
}

/* Those without a block device whose files are theirs alone. */
static bool is_veil(const struct statfs *fs)
{
	switch ((unsigned long)fs->f_type) {
	case TMPFS_MAGIC:
	case RAMFS_MAGIC:
	case HUGETLBFS_MAGIC:
	case BTRFS_SUPER_MAGIC:
	case 0xca451a4e: /* bcachefs */
	case 0x2fc12fc1: /* zfs */
		return false;
	}
	return true;
}

/* A server that is dead is waited for here. */
static bool is_veiled_where_it_is(const struct claim_object *object)
{
	char *full = text_format("%s%s", object->root, object->path);
	struct statfs fs;
	bool is = !full || statfs(full, &fs) < 0 || is_veil(&fs);

	free(full);
	return is;
}

/* Its number may still be one that some process has mounted. */
static bool is_veiled_out_of_sight(const struct claim_object *object)
{
	return !object->path &&
	       !claim_dev_is_plain(object->root ? object->root : "",
				   object->dev);
}

static bool either_is_veiled(const struct claim_object *one,
			     const struct claim_object *other)
{
	return (one->is_veiled && is_veiled_out_of_sight(one)) ||
	       (other->is_veiled && is_veiled_out_of_sight(other)) ||
	       (one->is_veiled && one->path && is_veiled_where_it_is(one)) ||
	       (other->is_veiled && other->path &&
		is_veiled_where_it_is(other));
}

bool claim_object_may_be(const struct claim_object *one,
			 const struct claim_object *other)
{
	if (claim_object_same(one, other))
		return true;
	/* On one file system, its numbers tell. */
	return !one->is_device && !other->is_device && one->dev != other->dev &&
	       claim_lengths_meet(one, other) && either_is_veiled(one, other);
}

static void file_of(struct claim_object *object, dev_t dev, ino_t inode,
		    uint64_t size_bytes)
{
	object->dev = dev;
	object->inode = inode;
	object->least_bytes = object->most_bytes = size_bytes;
}

static uint64_t read_number(const char *root, const char *name,
			    const char *what, uint64_t otherwise)
{
	char *path = text_format("/sys/class/block/%s/%s", name, what);
	uint64_t number;

	if (!path || file_read_u64(root, path, &number, NULL) < 0)
		number = otherwise;
	free(path);
	return number;
}

struct claim_object claim_object_of_device(const char *root, const char *name,
					   dev_t dev)
{
	uint64_t size_bytes = 512 * read_number(root, name, "size", 0);

	return (struct claim_object){
		.is_device = true,
		.dev = dev,
		.least_bytes = size_bytes,
		.most_bytes = size_bytes,
	};
}

int claim_object_of_fd(int fd, struct claim_object *object, struct err *err)
{
	struct statfs fs;
	struct stat st;

	*object = (struct claim_object){ 0 };
	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "stat");
	if (S_ISBLK(st.st_mode)) {
		object->is_device = true;
		object->dev = st.st_rdev;
		return 0;
	}
	file_of(object, st.st_dev, st.st_ino, (uint64_t)st.st_size);
	object->is_veiled = !major(st.st_dev) &&
			    (fstatfs(fd, &fs) < 0 || is_veil(&fs));
	return 0;
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
	/* What is known of a file on a server is enough, which may be dead; so
	 * its file system is asked only when the two could be the same.
	 */
	failed = !full || statx(AT_FDCWD, full, AT_STATX_DONT_SYNC,
				STATX_TYPE | STATX_INO | STATX_SIZE, &stx) < 0;
	if (!failed && S_ISREG(stx.stx_mode)) {
		file_of(object, makedev(stx.stx_dev_major, stx.stx_dev_minor),
			stx.stx_ino, stx.stx_size);
		object->is_veiled = !stx.stx_dev_major;
		object->root = root;
		object->path = path;
		free(full);
		return true;
	}
	free(full);
	object->is_device = true;
	if (!failed) {
		object->dev = makedev(stx.stx_rdev_major, stx.stx_rdev_minor);
		return S_ISBLK(stx.stx_mode);
	}
	return !strncmp(path, "/dev/", 5) && !strchr(path + 5, '/') &&
	       !storage_dev_of_name(root, path + 5, &object->dev, NULL);
}

/* A loop device is as long as its file was, in whole sectors. */
static void guess_length(const char *root, struct claim_loop *loop)
{
	uint64_t sectors = read_number(root, loop->name, "size", 0);
	uint64_t begin = read_number(root, loop->name, "loop/offset", 0);
	uint64_t limit = read_number(root, loop->name, "loop/sizelimit", 1);

	loop->below.least_bytes = begin + sectors * 512;
	loop->below.most_bytes =
		limit || !sectors ? UINT64_MAX : loop->below.least_bytes + 511;
}

/* A node that somebody made by hand may be of another device. */
static int open_node(const char *root, const struct claim_loop *loop)
{
	char *path = *root ? NULL : text_format("/dev/%s", loop->name);
	int fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	struct stat st;

	free(path);
	if (fd < 0 ||
	    (!fstat(fd, &st) && S_ISBLK(st.st_mode) && st.st_rdev == loop->dev))
		return fd;
	close(fd);
	return -1;
}

/*
 * Only the device itself knows: its path may lead to another file by now, or
 * in this mount namespace. Returns -ENXIO when it was detached meanwhile.
 */
static int ask_loop(const char *root, struct claim_loop *loop)
{
	int fd = open_node(root, loop), rc;
	struct claim_object at, *below = &loop->below;
	struct loop_info64 info = { 0 };

	if (fd < 0)
		return -EACCES;
	rc = ioctl(fd, LOOP_GET_STATUS64, &info) < 0 ? -errno : 0;
	close(fd);
	if (rc < 0)
		return rc;
	/* Of a file, the kernel repeats the number of its file system. */
	below->is_device = info.lo_rdevice && info.lo_rdevice != info.lo_device;
	below->dev =
		(dev_t)(below->is_device ? info.lo_rdevice : info.lo_device);
	below->inode = info.lo_inode;
	guess_length(root, loop);
	if (claim_object_at(root, loop->backing, &at) &&
	    claim_object_same(&at, below))
		*below = at;
	else
		below->is_veiled = !below->is_device && !major(below->dev);
	return 0;
}

/* Only where it begins and ends with its file. */
static int open_loop(const char *root, const struct claim_loop *loop)
{
	if (read_number(root, loop->name, "loop/offset", 1) ||
	    read_number(root, loop->name, "loop/sizelimit", 1))
		return -1;
	return open_node(root, loop);
}

int claim_loop_open_below(const char *root, const struct claim_loop *loop)
{
	int fd = open_loop(root, loop);
	struct claim_object object;
	char *path;

	if (fd >= 0)
		return fd;
	path = text_format("%s%s", root, loop->backing);
	fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	free(path);
	if (fd >= 0 && (claim_object_of_fd(fd, &object, NULL) < 0 ||
			!claim_object_same(&object, &loop->below))) {
		close(fd);
		fd = -1;
	}
	return fd;
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
	loop->backing = backing;
	loops->count++;
	rc = storage_dev_of_name(reading->root, name, &loop->dev, NULL);
	/* It went away after it was seen. */
	if (rc == -ENOENT || rc == -ENODEV) {
		drop_last(loops);
		return 0;
	}
	if (rc < 0)
		return err_set(err, rc, "number of %s", name);
	rc = ask_loop(reading->root, loop);
	if (rc == -ENXIO)
		drop_last(loops);
	else if (rc < 0 &&
		 !claim_object_at(reading->root, backing, &loop->below))
		guess_length(reading->root, loop);
	else
		loop->known = true;
	return 0;
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

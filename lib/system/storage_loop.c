// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Below a loop device: the file system of its backing file, and the cache
 * that this file system keeps of it when the loop has no direct I/O.
 */
#include "lib/system/storage_stack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/residency.h"
#include "lib/system/storage.h"

/* What "start" of a partition counts in, whatever the disk's sectors are. */
#define SECTOR_BYTES UINT64_C(512)

struct loop {
	const char *root;
	const char *name; /* of the loop device */
	char *backing;	  /* path, as the kernel says it */
	int fd;		  /* of the backing file; -1: out of sight */
	bool direct;
	dev_t backing_dev; /* 0: not known */
};

/* The kernel's 32-bit form of a device number, in an ioctl's 64 bits. */
static dev_t dev_of_kernel(uint64_t dev)
{
	return (dev_t)dev;
}

/*
 * The path may lead to another file by now, or in this mount namespace: only
 * the device itself knows. Who may not ask it believes the path.
 */
static bool is_backing_file(struct loop *loop, int fd)
{
	char *path = text_format("/dev/%s", loop->name);
	struct loop_info64 info = { 0 };
	struct stat st;
	int loop_fd = -1;
	bool same = true;

	if (path && !*loop->root)
		loop_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (loop_fd >= 0 && !ioctl(loop_fd, LOOP_GET_STATUS64, &info)) {
		loop->backing_dev = dev_of_kernel(
			info.lo_rdevice ? info.lo_rdevice : info.lo_device);
		same = fd >= 0 && !fstat(fd, &st) &&
		       st.st_dev == dev_of_kernel(info.lo_device) &&
		       st.st_ino == info.lo_inode;
	}
	if (loop_fd >= 0)
		close(loop_fd);
	free(path);
	return same;
}

/* Returns 0; 1 when nothing is attached; -errno. */
static int loop_open(struct loop *loop, struct err *err)
{
	uint64_t direct = 0;
	char *path;
	int rc;

	path = text_format("/sys/class/block/%s/loop/backing_file", loop->name);
	if (!path)
		return err_set(err, -ENOMEM, "loop device %s", loop->name);
	rc = file_read_text(loop->root, path, &loop->backing, NULL);
	free(path);
	if (rc == -ENOMEM)
		return err_set(err, rc, "loop device %s", loop->name);
	if (rc < 0)
		return 1;
	path = text_format("/sys/class/block/%s/loop/dio", loop->name);
	if (path && !file_read_u64(loop->root, path, &direct, NULL))
		loop->direct = direct != 0;
	free(path);
	path = text_format("%s%s", loop->root, loop->backing);
	if (!path)
		return err_set(err, -ENOMEM, "loop device %s", loop->name);
	/* A pipe that took the name must not hold us up. */
	loop->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (!is_backing_file(loop, loop->fd) && loop->fd >= 0) {
		close(loop->fd);
		loop->fd = -1;
	}
	return 0;
}

static bool is_overlay(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) &&
	       (unsigned long)fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

static int layer_add_image(const struct loop *loop,
			   const struct residency *residency,
			   struct storage *storage, struct err *err)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	off_t size = lseek(loop->fd, 0, SEEK_END);

	if (!residency->known)
		return storage_layer_add(
			storage, err,
			"%s has no direct I/O, and how much of its backing "
			"file %s is in memory is not known (%s)",
			loop->name, loop->backing, residency->reason);
	if (!residency->resident_bytes || size <= 0)
		return 0;
	return storage_layer_add(
		storage, err,
		"%s has no direct I/O, and %llu of %llu pages of its backing "
		"file %s are in memory",
		loop->name,
		(unsigned long long)(residency->resident_bytes / page),
		(unsigned long long)(((uint64_t)size + page - 1) / page),
		loop->backing);
}

/* What is cached below the loop device, where @file is its backing file's. */
static int layer_add(const struct loop *loop, const struct storage *file,
		     struct storage *storage, struct err *err)
{
	struct residency residency;
	int rc;

	/* On memory: its pages are the disk, not a cache. */
	if (!file->lowest_count && !file->hidden)
		return 0;
	rc = residency_read(loop->fd, 0, INT64_MAX, &residency, err);
	if (rc < 0)
		return rc;
	/*
	 * Direct I/O goes past an overlay to the file below, whose pages
	 * mincore tells: when there are none, nothing is hidden.
	 */
	if (file->hidden && loop->direct && is_overlay(loop->fd) &&
	    residency.known && !residency.resident_bytes)
		return 0;
	storage->hidden = file->hidden;
	if (file->hidden)
		rc = storage_layer_add(storage, err,
				       "%s: its backing file %s is on %s",
				       loop->name, loop->backing, file->layer);
	else if (file->layer)
		rc = storage_layer_add(storage, err, "%s", file->layer);
	if (rc < 0 || loop->direct)
		return rc;
	return layer_add_image(loop, &residency, storage, err);
}

static int descend_seen(const struct loop *loop, unsigned int depth,
			struct storage *storage, struct err *err)
{
	struct storage file;
	int rc;

	rc = storage_of_fd_below(loop->root, loop->fd, depth + 1, &file, err);
	if (!rc)
		rc = layer_add(loop, &file, storage, err);
	if (!rc) {
		storage->lowest = file.lowest;
		storage->lowest_count = file.lowest_count;
		file.lowest = NULL;
		file.lowest_count = 0;
	}
	storage_free(&file);
	return rc;
}

/* The device that the kernel names where the file itself is out of sight. */
static int descend_unseen(const struct loop *loop, unsigned int depth,
			  struct storage *storage, struct err *err)
{
	char *name = NULL;
	int rc = 0;

	if (!loop->direct)
		rc = storage_layer_add(
			storage, err,
			"%s has no direct I/O, and its backing file %s is out "
			"of sight, so how much of it is in memory is not known",
			loop->name, loop->backing);
	if (rc < 0 || !loop->backing_dev)
		return rc;
	rc = storage_name_of_dev(loop->root, loop->backing_dev, &name, NULL);
	if (rc == -ENOMEM)
		return err_set(err, rc, "loop device %s", loop->name);
	/* Not a block device's number: btrfs, tmpfs, a network. */
	if (rc < 0)
		return 0;
	rc = storage_descend(loop->root, name, depth + 1, storage, err);
	free(name);
	return rc;
}

int storage_descend_loop(const char *root, const char *disk, const char *name,
			 unsigned int depth, struct storage *storage,
			 struct err *err)
{
	struct loop loop = { .root = root, .name = disk, .fd = -1 };
	struct storage below = { 0 };
	dev_t dev;
	int rc;

	rc = loop_open(&loop, err);
	if (rc)
		goto out;
	rc = loop.fd < 0 ? descend_unseen(&loop, depth, &below, err)
			 : descend_seen(&loop, depth, &below, err);
	if (rc < 0)
		goto out;
	if (!below.lowest_count)
		rc = storage_dev_of_name(root, name, &dev, err);
	if (!rc && !below.lowest_count)
		rc = storage_device_add(&storage->lowest,
					&storage->lowest_count, name, dev, err);
	if (!rc)
		rc = storage_merge(storage, &below, err);
out:
	if (loop.fd >= 0)
		close(loop.fd);
	free(loop.backing);
	storage_free(&below);
	return rc;
}

/* A number in /sys that is 0 where there is no such file. */
static int number_of(const char *root, const char *name, const char *file,
		     uint64_t *number, struct err *err)
{
	char *path = text_format("/sys/class/block/%s/%s", name, file);
	int rc;

	if (!path)
		return err_set(err, -ENOMEM, "loop device %s", name);
	rc = file_read_u64(root, path, number, err);
	free(path);
	return rc == -ENOENT ? 0 : rc;
}

int storage_loop_image(const char *root, dev_t dev, int *fd,
		       uint64_t *offset_bytes, struct err *err)
{
	struct loop loop = { .root = root, .fd = -1 };
	uint64_t start_sectors = 0;
	char *name = NULL, *disk = NULL;
	int rc;

	rc = storage_name_of_dev(root, dev, &name, err);
	if (!rc)
		rc = storage_disk_of_name(root, name, &disk, err);
	if (rc < 0)
		goto out;
	loop.name = disk;
	rc = loop_open(&loop, err);
	if (!rc && loop.fd < 0)
		rc = 1;
	if (!rc)
		rc = number_of(root, disk, "loop/offset", offset_bytes, err);
	if (!rc && strcmp(name, disk))
		rc = number_of(root, name, "start", &start_sectors, err);
	if (rc)
		goto out;
	*offset_bytes += start_sectors * SECTOR_BYTES;
	*fd = loop.fd;
	loop.fd = -1;
out:
	if (loop.fd >= 0)
		close(loop.fd);
	free(loop.backing);
	free(disk);
	free(name);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From an open file to the block devices of its mount. */
#include <errno.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

#ifndef ZFS_SUPER_MAGIC
#define ZFS_SUPER_MAGIC 0x2fc12fc1
#endif

enum fs_kind {
	FS_MEMORY, /* no device below, and nothing hidden either */
	FS_HIDDEN, /* another file system, a server or a pool below */
};

struct fs_type {
	unsigned long magic;
	enum fs_kind kind;
	const char *name;
};

/* File systems that do not name a device of theirs in st_dev. */
static const struct fs_type fs_types[] = {
	{ TMPFS_MAGIC, FS_MEMORY, "tmpfs" },
	{ RAMFS_MAGIC, FS_MEMORY, "ramfs" },
	{ HUGETLBFS_MAGIC, FS_MEMORY, "hugetlbfs" },
	{ PROC_SUPER_MAGIC, FS_MEMORY, "proc" },
	{ SYSFS_MAGIC, FS_MEMORY, "sysfs" },
	{ OVERLAYFS_SUPER_MAGIC, FS_HIDDEN, "overlay" },
	{ ECRYPTFS_SUPER_MAGIC, FS_HIDDEN, "ecryptfs" },
	{ FUSE_SUPER_MAGIC, FS_HIDDEN, "FUSE" },
	{ NFS_SUPER_MAGIC, FS_HIDDEN, "NFS" },
	{ SMB_SUPER_MAGIC, FS_HIDDEN, "SMB" },
	{ CIFS_SUPER_MAGIC, FS_HIDDEN, "CIFS" },
	{ SMB2_SUPER_MAGIC, FS_HIDDEN, "SMB" },
	{ V9FS_MAGIC, FS_HIDDEN, "9p" },
	{ CEPH_SUPER_MAGIC, FS_HIDDEN, "Ceph" },
	{ AFS_FS_MAGIC, FS_HIDDEN, "AFS" },
	{ ZFS_SUPER_MAGIC, FS_HIDDEN, "ZFS" },
};

struct members {
	const char *root;
	struct storage *storage;
	unsigned int depth;
};

/* A device of the mount itself, and those below it. */
static int mount_device_add(const char *name, void *input, struct err *err)
{
	const struct members *members = input;
	struct storage *storage = members->storage;
	dev_t dev;
	int rc;

	rc = storage_dev_of_name(members->root, name, &dev, err);
	if (!rc)
		rc = storage_device_add(&storage->mount, &storage->mount_count,
					name, dev, err);
	if (!rc)
		rc = storage_descend(members->root, name, members->depth + 1,
				     storage, err);
	return rc;
}

static int device_add(const struct members *members, dev_t dev, struct err *err)
{
	char *name = NULL;
	int rc;

	rc = storage_name_of_dev(members->root, dev, &name, NULL);
	if (rc == -ENOMEM)
		return err_set(err, rc, "name of a device");
	/* A container may hide /sys; the file can be read all the same. */
	if (rc < 0) {
		members->storage->hidden = true;
		return storage_layer_add(members->storage, err,
					 "device %u:%u is not in %s/sys",
					 major(dev), minor(dev), members->root);
	}
	rc = mount_device_add(name, (void *)members, err);
	free(name);
	return rc;
}

int storage_btrfs_path(int fd, char **path, struct err *err)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };
	const uint8_t *id = info.fsid;

	*path = NULL;
	if (ioctl(fd, BTRFS_IOC_FS_INFO, &info) < 0)
		return err_set(err, -errno, "ask btrfs for its UUID");
	*path = text_format("/sys/fs/btrfs/%02x%02x%02x%02x-%02x%02x-%02x%02x-"
			    "%02x%02x-%02x%02x%02x%02x%02x%02x",
			    id[0], id[1], id[2], id[3], id[4], id[5], id[6],
			    id[7], id[8], id[9], id[10], id[11], id[12], id[13],
			    id[14], id[15]);
	return *path ? 0 : err_set(err, -ENOMEM, "directory of btrfs");
}

/* The st_dev of a btrfs is its own; its members stand below /sys/fs. */
static int btrfs_add(const struct members *members, int fd, struct err *err)
{
	char *directory = NULL, *path = NULL;
	int rc;

	rc = storage_btrfs_path(fd, &directory, err);
	if (rc < 0)
		goto out;
	path = text_format("%s/devices", directory);
	if (!path) {
		rc = err_set(err, -ENOMEM, "members of btrfs");
		goto out;
	}
	rc = storage_each_link(members->root, path, mount_device_add,
			       (void *)members, err);
	if (rc == 0 || rc == -ENOENT || rc == -EACCES) {
		members->storage->hidden = true;
		rc = storage_layer_add(members->storage, err,
				       "btrfs: no members in %s%s",
				       members->root, path);
	}
out:
	free(path);
	free(directory);
	return rc < 0 ? rc : 0;
}

static const struct fs_type *fs_type_find(unsigned long magic)
{
	size_t i;

	for (i = 0; i < sizeof(fs_types) / sizeof(fs_types[0]); i++)
		if (fs_types[i].magic == magic)
			return &fs_types[i];
	return NULL;
}

static int file_add(const struct members *members, int fd, dev_t dev,
		    struct err *err)
{
	struct storage *storage = members->storage;
	const struct fs_type *type;
	struct statfs fs;
	int rc = 0;

	if (fstatfs(fd, &fs) < 0)
		return fd_err(err, -errno, fd, "statfs");
	if ((unsigned long)fs.f_type == BTRFS_SUPER_MAGIC)
		return btrfs_add(members, fd, err);
	type = fs_type_find((unsigned long)fs.f_type);
	if (!type && major(dev))
		return device_add(members, dev, err);
	if (!type) {
		storage->hidden = true;
		return storage_layer_add(storage, err,
					 "file system of type 0x%lx has no "
					 "block device that can be seen",
					 (unsigned long)fs.f_type);
	}
	if (type->kind == FS_MEMORY)
		return storage_layer_add(storage, err,
					 "%s: memory, no device is below it",
					 type->name);
	storage->hidden = true;
	/* The device of a fuseblk; its server may have read it before. */
	if (type->magic == FUSE_SUPER_MAGIC && major(dev))
		rc = device_add(members, dev, err);
	if (!rc)
		rc = storage_layer_add(storage, err,
				       "%s: what is below it keeps a cache of "
				       "its own, out of sight",
				       type->name);
	return rc;
}

int storage_of_fd_below(const char *root, int fd, unsigned int depth,
			struct storage *storage, struct err *err)
{
	struct members members = { root, storage, depth };
	struct stat st;
	int rc;

	*storage = (struct storage){ 0 };
	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "fstat");
	if (S_ISBLK(st.st_mode))
		rc = device_add(&members, st.st_rdev, err);
	else if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		rc = file_add(&members, fd, st.st_dev, err);
	else
		rc = err_say(err, -EINVAL,
			     "descriptor %d is neither a file nor a block "
			     "device",
			     fd);
	if (rc < 0)
		storage_free(storage);
	return rc;
}

int storage_of_fd(int fd, struct storage *storage, struct err *err)
{
	return storage_of_fd_below("", fd, 0, storage, err);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/readahead.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage_stack.h"

/* A partition has no read-ahead of its own. */
static int path_of_device(dev_t dev, char **path, struct err *err)
{
	char *name = NULL, *disk = NULL;
	int rc;

	rc = storage_name_of_dev("", dev, &name, err);
	if (!rc)
		rc = storage_disk_of_name("", name, &disk, err);
	if (!rc)
		*path = text_format("/sys/class/block/%s/bdi/read_ahead_kb",
				    disk);
	if (!rc && !*path)
		rc = err_set(err, -ENOMEM, "read-ahead of %s", disk);
	free(disk);
	free(name);
	return rc;
}

/* Its members' queues do not count. */
static int path_of_btrfs(int fd, char **path, struct err *err)
{
	char *directory = NULL;
	int rc;

	rc = storage_btrfs_path(fd, &directory, err);
	if (rc < 0)
		return rc;
	*path = text_format("%s/bdi/read_ahead_kb", directory);
	free(directory);
	return *path ? 0 : err_set(err, -ENOMEM, "read-ahead of btrfs");
}

/* NFS, FUSE and others name theirs by their own device number. */
static int path_of_server(dev_t dev, const char *suffix, char **path,
			  struct err *err)
{
	*path = text_format("/sys/class/bdi/%u:%u%s/read_ahead_kb", major(dev),
			    minor(dev), suffix);
	return *path ? 0 : err_set(err, -ENOMEM, "read-ahead");
}

static int path_of_file(int fd, dev_t dev, char **path, struct err *err)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return fd_err(err, -errno, fd, "statfs");
	switch ((unsigned long)fs.f_type) {
	case BTRFS_SUPER_MAGIC:
		return path_of_btrfs(fd, path, err);
	case FUSE_SUPER_MAGIC:
		return path_of_server(dev, major(dev) ? "-fuseblk" : "", path,
				      err);
	case OVERLAYFS_SUPER_MAGIC:
		return err_say(err, -ENOENT,
			       "overlay has no read-ahead of its own; name the "
			       "file where it lies below");
	}
	if (major(dev))
		return path_of_device(dev, path, err);
	return path_of_server(dev, "", path, err);
}

int readahead_path(int fd, char **path, struct err *err)
{
	struct stat st;
	int rc;

	*path = NULL;
	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "fstat");
	if (S_ISBLK(st.st_mode))
		rc = path_of_device(st.st_rdev, path, err);
	else
		rc = path_of_file(fd, st.st_dev, path, err);
	if (rc < 0 || !access(*path, F_OK))
		return rc;
	rc = err_say(err, -ENOENT,
		     "this file system has no read-ahead to be set (%s does "
		     "not exist)",
		     *path);
	free(*path);
	*path = NULL;
	return rc;
}

int readahead_read(const char *path, uint64_t *kib, struct err *err)
{
	return file_read_u64("", path, kib, err);
}

static int setting_write(const char *path, uint64_t kib, struct err *err)
{
	char *text = text_format("%llu", (unsigned long long)kib);
	int rc;

	if (!text)
		return err_set(err, -ENOMEM, "write to %s", path);
	rc = file_write_text("", path, text, err);
	free(text);
	if (rc == -EACCES || rc == -EPERM)
		return err_set(err, rc,
			       "write %llu to %s (only root may: use sudo, or "
			       "leave --read-ahead-kb out)",
			       (unsigned long long)kib, path);
	if (rc == -EROFS)
		return err_set(err, rc,
			       "write %llu to %s (/sys is mounted read-only, "
			       "as containers have it: run on the host, or "
			       "leave --read-ahead-kb out)",
			       (unsigned long long)kib, path);
	return rc;
}

int readahead_write(const char *path, uint64_t kib, struct err *err)
{
	uint64_t before, after;
	int rc;

	rc = readahead_read(path, &before, err);
	if (!rc)
		rc = setting_write(path, kib, err);
	if (!rc)
		rc = readahead_read(path, &after, err);
	if (rc < 0 || after == kib)
		return rc;
	/* What was not asked for must not stay. */
	rc = setting_write(path, before, err);
	if (rc < 0)
		return rc;
	return err_say(err, -EIO,
		       "%s: the kernel made %llu out of %llu; it takes whole "
		       "pages of %ld KiB",
		       path, (unsigned long long)after, (unsigned long long)kib,
		       sysconf(_SC_PAGESIZE) / 1024);
}

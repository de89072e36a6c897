// SPDX-License-Identifier: GPL-2.0-or-later
/* From a block device down to the lowest ones, by what /sys links. */
#include "lib/system/storage_stack.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage.h"

/* More than anyone stacks; the kernel itself allows 8 file systems or so. */
#define DEPTH_MAX 32

/* The text of a symlink, the caller's. */
static int link_read(const char *root, const char *path, char **text,
		     struct err *err)
{
	char *full = text_format("%s%s", root, path);
	char target[PATH_MAX];
	ssize_t length;
	int rc = 0;

	*text = NULL;
	if (!full)
		return err_set(err, -ENOMEM, "follow %s", path);
	length = readlink(full, target, sizeof(target));
	if (length < 0)
		rc = err_set(err, -errno, "follow %s", full);
	free(full);
	if (rc < 0)
		return rc;
	*text = strndup(target, (size_t)length);
	return *text ? 0 : err_set(err, -ENOMEM, "follow %s", path);
}

int storage_name_of_dev(const char *root, dev_t dev, char **name,
			struct err *err)
{
	char *path, *text = NULL, *slash;
	int rc;

	*name = NULL;
	path = text_format("/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (!path)
		return err_set(err, -ENOMEM, "name of a device");
	rc = link_read(root, path, &text, err);
	free(path);
	if (rc < 0)
		return rc;
	slash = strrchr(text, '/');
	*name = strdup(slash ? slash + 1 : text);
	free(text);
	return *name ? 0 : err_set(err, -ENOMEM, "name of a device");
}

int storage_dev_of_name(const char *root, const char *name, dev_t *dev,
			struct err *err)
{
	unsigned int major_number, minor_number;
	char *path, *text = NULL;
	int rc;

	*dev = 0;
	path = text_format("/sys/class/block/%s/dev", name);
	if (!path)
		return err_set(err, -ENOMEM, "number of device %s", name);
	rc = file_read_text(root, path, &text, err);
	if (!rc && sscanf(text, "%u:%u", &major_number, &minor_number) != 2)
		rc = err_say(err, -EINVAL, "%s%s: '%s' is not a device number",
			     root, path, text);
	if (!rc)
		*dev = makedev(major_number, minor_number);
	free(text);
	free(path);
	return rc;
}

int storage_disk_of_name(const char *root, const char *name, char **disk,
			 struct err *err)
{
	char *path = NULL, *text = NULL, *slash;
	int rc = 0;

	*disk = NULL;
	path = text_format("%s/sys/class/block/%s/partition", root, name);
	if (!path)
		goto no_memory;
	if (access(path, F_OK) < 0) {
		*disk = strdup(name);
		goto out;
	}
	free(path);
	path = text_format("/sys/class/block/%s", name);
	if (!path)
		goto no_memory;
	/* …/block/vda/vda1: the disk stands before its partition. */
	rc = link_read(root, path, &text, err);
	if (rc < 0)
		goto out;
	slash = strrchr(text, '/');
	if (slash)
		*slash = '\0';
	slash = strrchr(text, '/');
	*disk = strdup(slash ? slash + 1 : text);
out:
	free(text);
	free(path);
	if (rc < 0 || *disk)
		return rc;
no_memory:
	return err_set(err, -ENOMEM, "disk of %s", name);
}

int storage_each_link(const char *root, const char *path,
		      int (*take)(const char *name, void *input,
				  struct err *err),
		      void *input, struct err *err)
{
	char *full = text_format("%s%s", root, path);
	struct dirent *entry;
	DIR *dir = NULL;
	dev_t dev;
	int rc = 0, count = 0;

	if (!full)
		return err_set(err, -ENOMEM, "list %s", path);
	dir = opendir(full);
	if (!dir) {
		rc = err_set(err, -errno, "list %s", full);
		goto out;
	}
	while (!rc && (entry = readdir(dir))) {
		/* A member that is missing, or a file, is not a device. */
		if (entry->d_name[0] == '.' ||
		    storage_dev_of_name(root, entry->d_name, &dev, NULL) < 0)
			continue;
		rc = take(entry->d_name, input, err);
		count++;
	}
out:
	if (dir)
		closedir(dir);
	free(full);
	return rc < 0 ? rc : count;
}

struct descent {
	const char *root;
	struct storage *storage;
	unsigned int depth;
};

static int descend_slave(const char *name, void *input, struct err *err)
{
	const struct descent *descent = input;

	return storage_descend(descent->root, name, descent->depth,
			       descent->storage, err);
}

/* Returns how many slaves @disk has, or -errno. */
static int descend_slaves(const char *root, const char *disk,
			  unsigned int depth, struct storage *storage,
			  struct err *err)
{
	struct descent descent = { root, storage, depth + 1 };
	char *path = text_format("/sys/class/block/%s/slaves", disk);
	int rc;

	if (!path)
		return err_set(err, -ENOMEM, "slaves of %s", disk);
	rc = storage_each_link(root, path, descend_slave, &descent, err);
	free(path);
	return rc == -ENOENT ? 0 : rc;
}

int storage_descend(const char *root, const char *name, unsigned int depth,
		    struct storage *storage, struct err *err)
{
	char *disk = NULL;
	dev_t dev;
	int rc;

	if (depth > DEPTH_MAX)
		return err_say(err, -ELOOP,
			       "device %s: more than %d layers below it", name,
			       DEPTH_MAX);
	rc = storage_disk_of_name(root, name, &disk, err);
	if (rc < 0)
		return rc;
	rc = storage_descend_loop(root, disk, name, depth, storage, err);
	if (rc <= 0)
		goto out;
	rc = descend_slaves(root, disk, depth, storage, err);
	if (rc)
		goto out;
	rc = storage_dev_of_name(root, name, &dev, err);
	if (!rc)
		rc = storage_device_add(&storage->lowest,
					&storage->lowest_count, name, dev, err);
out:
	free(disk);
	return rc < 0 ? rc : 0;
}

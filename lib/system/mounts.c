// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/mounts.h"

#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

void mount_free(struct mount_entry *mount)
{
	free(mount->source);
	free(mount->target);
	free(mount->root);
	free(mount->fs_type);
	free(mount->options);
	free(mount->vfs_options);
	free(mount->fs_options);
	*mount = (struct mount_entry){ 0 };
}

void mount_list_free(struct mount_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		mount_free(&list->mounts[i]);
	free(list->mounts);
	*list = (struct mount_list){ 0 };
}

static char *copy_or_empty(const char *text)
{
	return strdup(text ? text : "");
}

/* libmount says private beside slave and unbindable too. */
static unsigned long propagation_of(struct libmnt_fs *fs)
{
	unsigned long flags = 0;

	mnt_fs_get_propagation(fs, &flags);
	flags &= ~(unsigned long)MS_PRIVATE;
	return flags ? flags : MS_PRIVATE;
}

/* The number N of "shared:N" or "master:N" among the optional fields; or 0. */
static int group_of(struct libmnt_fs *fs, const char *kind)
{
	const char *fields = mnt_fs_get_optional_fields(fs);
	const char *at = fields ? strstr(fields, kind) : NULL;

	return at ? atoi(at + strlen(kind)) : 0;
}

static int entry_fill(struct mount_entry *mount, struct libmnt_fs *fs)
{
	mount->id = mnt_fs_get_id(fs);
	mount->parent_id = mnt_fs_get_parent_id(fs);
	mount->dev = mnt_fs_get_devno(fs);
	mount->source = copy_or_empty(mnt_fs_get_source(fs));
	mount->target = copy_or_empty(mnt_fs_get_target(fs));
	mount->root = copy_or_empty(mnt_fs_get_root(fs));
	mount->fs_type = copy_or_empty(mnt_fs_get_fstype(fs));
	mount->options = copy_or_empty(mnt_fs_get_options(fs));
	mount->vfs_options = copy_or_empty(mnt_fs_get_vfs_options(fs));
	mount->fs_options = copy_or_empty(mnt_fs_get_fs_options(fs));
	mount->peer_group = group_of(fs, "shared:");
	mount->master_group = group_of(fs, "master:");
	mount->propagation = propagation_of(fs);
	if (mount->source && mount->target && mount->root && mount->fs_type &&
	    mount->options && mount->vfs_options && mount->fs_options)
		return 0;
	return -ENOMEM;
}

static void list_count_relatives(struct mount_list *list)
{
	size_t i, j;

	for (i = 0; i < list->count; i++)
		for (j = 0; j < list->count; j++) {
			struct mount_entry *one = &list->mounts[i];
			const struct mount_entry *other = &list->mounts[j];

			if (i == j)
				continue;
			one->children += other->parent_id == one->id;
			one->stacked += !strcmp(other->target, one->target);
		}
}

static int list_fill(struct mount_list *list, struct libmnt_table *table)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int room = mnt_table_get_nents(table), rc = -ENOMEM;

	list->mounts = calloc((size_t)room + 1, sizeof(*list->mounts));
	if (!list->mounts || !iter)
		goto out;
	rc = 0;
	while (!rc && !mnt_table_next_fs(table, iter, &fs))
		rc = entry_fill(&list->mounts[list->count++], fs);
out:
	mnt_free_iter(iter);
	return rc;
}

int mount_list_read(const char *root, struct mount_list *list, struct err *err)
{
	char *path = text_format("%s/proc/self/mountinfo", root);
	struct libmnt_table *table = NULL;
	int rc;

	*list = (struct mount_list){ 0 };
	if (!path)
		return err_set(err, -ENOMEM, "read the mount table");
	errno = 0;
	table = mnt_new_table_from_file(path);
	if (!table) {
		rc = err_set(err, errno ? -errno : -EIO, "read %s", path);
		goto out;
	}
	rc = list_fill(list, table);
	if (rc < 0) {
		err_set(err, rc, "read %s", path);
		mount_list_free(list);
		goto out;
	}
	list_count_relatives(list);
out:
	mnt_unref_table(table);
	free(path);
	return rc;
}

/* Moves the mount with @id out of a list that is read for it. */
static int find_in_list(uint64_t id, struct mount_entry *mount, struct err *err)
{
	struct mount_list list;
	size_t i;
	int rc;

	rc = mount_list_read("", &list, err);
	if (rc < 0)
		return rc;
	rc = -ENOENT;
	for (i = 0; rc < 0 && i < list.count; i++) {
		if (list.mounts[i].id < 0 || (uint64_t)list.mounts[i].id != id)
			continue;
		*mount = list.mounts[i];
		list.mounts[i] = (struct mount_entry){ 0 };
		rc = 0;
	}
	mount_list_free(&list);
	return rc;
}

/*
 * -ENOENT, without a text, when there is no such mount in this namespace.
 * When others mount and unmount while it is read, mountinfo may lack a line:
 * so once is not believed.
 */
static int find_by_id(uint64_t id, struct mount_entry *mount, struct err *err)
{
	unsigned int tries;
	int rc = -ENOENT;

	for (tries = 0; rc == -ENOENT && tries < 3; tries++)
		rc = find_in_list(id, mount, err);
	return rc;
}

static int check_mount_id(const struct statx *stx, const char *what,
			  struct err *err)
{
	if (stx->stx_mask & STATX_MNT_ID)
		return 0;
	return err_say(err, -EOPNOTSUPP,
		       "the mount of %s cannot be told: statx has no mount ids "
		       "before Linux 5.8",
		       what);
}

int mount_find(const char *path, struct mount_entry *mount, struct err *err)
{
	char *real = realpath(path, NULL);
	struct statx stx;
	int rc;

	*mount = (struct mount_entry){ 0 };
	if (!real)
		return err_set(err, -errno, "open %s", path);
	if (statx(AT_FDCWD, real, 0, STATX_MNT_ID, &stx) < 0) {
		rc = err_set(err, -errno, "stat %s", path);
		goto out;
	}
	rc = check_mount_id(&stx, path, err);
	if (rc < 0)
		goto out;
	rc = find_by_id(stx.stx_mnt_id, mount, err);
	if (!rc && strcmp(mount->target, real)) {
		mount_free(mount);
		rc = -ENOENT;
	}
	if (rc == -ENOENT)
		err_say(err, rc, "%s is not a mount point", path);
out:
	free(real);
	return rc;
}

int mount_of_fd(int fd, struct mount_entry *mount, struct err *err)
{
	struct statx stx;
	int rc;

	*mount = (struct mount_entry){ 0 };
	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) < 0)
		return err_set(err, -errno, "stat fd %d", fd);
	rc = check_mount_id(&stx, "an open file", err);
	if (rc < 0)
		return rc;
	rc = find_by_id(stx.stx_mnt_id, mount, err);
	if (rc == -ENOENT)
		err_say(err, rc,
			"mount %llu of an open file is not in this mount "
			"namespace",
			(unsigned long long)stx.stx_mnt_id);
	return rc;
}

int mount_uuid(const char *source, char **uuid, struct err *err)
{
	blkid_probe probe = blkid_new_probe_from_filename(source);
	const char *value = NULL;
	int rc = 0;

	*uuid = NULL;
	if (!probe)
		return err_say(err, -ENOENT, "%s cannot be read for its UUID",
			       source);
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_UUID);
	if (blkid_do_safeprobe(probe) ||
	    blkid_probe_lookup_value(probe, "UUID", &value, NULL))
		rc = err_say(err, -ENOENT, "no UUID is found on %s", source);
	else if (!(*uuid = strdup(value)))
		rc = err_set(err, -ENOMEM, "UUID of %s", source);
	blkid_free_probe(probe);
	return rc;
}

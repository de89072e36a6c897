// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims_held.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

#define CURE_MOUNT "unmount it"
#define CURE_SWAP  "swap it off"
#define CURE_LOOP  "detach it"
#define CURE_NODE  "detach that, or start where its node can be opened"
#define CURE_OTHER "release it"

void claim_tables_free(struct claim_tables *tables)
{
	mount_list_free(&tables->mounts);
	mnt_unref_table(tables->swaps);
	claim_loops_free(&tables->loops);
}

/* A kernel without swap has no /proc/swaps. */
static int read_swaps(struct claim_tables *tables, struct err *err)
{
	char *path = text_format("%s/proc/swaps", tables->root);
	int rc = 0;

	tables->swaps = mnt_new_table();
	if (!path || !tables->swaps)
		rc = err_set(err, -ENOMEM, "read what is swapped on");
	else if (!access(path, F_OK))
		rc = mnt_table_parse_swaps(tables->swaps, path);
	if (rc)
		rc = err_set(err, rc < 0 ? rc : -EIO, "read %s/proc/swaps",
			     tables->root);
	free(path);
	return rc;
}

int claim_tables_read(const char *root, struct claim_tables *tables,
		      struct err *err)
{
	int rc;

	*tables = (struct claim_tables){ .root = root };
	rc = mount_list_read(root, &tables->mounts, err);
	if (!rc)
		rc = read_swaps(tables, err);
	if (!rc)
		rc = claim_loops_read(root, &tables->loops, err);
	return rc;
}

int claim_set(struct claim *claim, char *holder, const char *cure,
	      struct err *err)
{
	if (!holder)
		return err_set(err, -ENOMEM, "what holds a target");
	claim_free(claim);
	*claim = (struct claim){ .holder = holder, .cure = cure };
	return 0;
}

int claim_guess(struct claim *claim, char *holder, const char *cure,
		struct err *err)
{
	int rc;

	if (claim->holder) {
		free(holder);
		return 0;
	}
	rc = claim_set(claim, holder, cure, err);
	claim->is_guess = !rc;
	return rc;
}

int claim_by_mount(const struct claim_tables *tables,
		   const struct claim_object *object, struct claim *claim,
		   struct err *err)
{
	struct claim_object source;
	size_t i;

	for (i = 0; i < tables->mounts.count; i++) {
		const struct mount_entry *mount = &tables->mounts.mounts[i];

		/* The source is what file systems in programs have alone. */
		if ((object->is_device && mount->dev == object->dev) ||
		    (claim_object_at(tables->root, mount->source, &source) &&
		     claim_object_same(&source, object)))
			return claim_set(
				claim,
				text_format("mounted on %s", mount->target),
				CURE_MOUNT, err);
	}
	return 0;
}

int claim_by_swap(const struct claim_tables *tables,
		  const struct claim_object *object, struct claim *claim,
		  struct err *err)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct claim_object swap;
	struct libmnt_fs *fs;
	int rc = 0;

	if (!iter)
		return err_set(err, -ENOMEM, "what is swapped on");
	while (!rc && !claim_is_certain(claim) &&
	       !mnt_table_next_fs(tables->swaps, iter, &fs)) {
		const char *path = mnt_fs_get_source(fs);

		if (path && claim_object_at(tables->root, path, &swap) &&
		    claim_object_same(&swap, object))
			rc = claim_set(claim,
				       strdup(object->is_device
						      ? "swapped on"
						      : "an active swap file"),
				       CURE_SWAP, err);
	}
	mnt_free_iter(iter);
	return rc;
}

static bool is_way(const struct claim_ways *ways, dev_t dev)
{
	size_t i;

	for (i = 0; ways && i < ways->count; i++)
		if (ways->list[i].dev == dev)
			return true;
	return false;
}

int claim_by_loop(const struct claim_tables *tables,
		  const struct claim_object *object,
		  const struct claim_ways *ways, struct claim *claim,
		  struct err *err)
{
	size_t i;

	for (i = 0; i < tables->loops.count; i++) {
		const struct claim_loop *loop = &tables->loops.list[i];

		if (loop->known && !is_way(ways, loop->dev) &&
		    claim_object_same(&loop->below, object))
			return claim_set(claim,
					 text_format("the backing %s of %s",
						     object->is_device
							     ? "device"
							     : "file",
						     loop->name),
					 CURE_LOOP, err);
	}
	return 0;
}

int claim_by_any_loop(const struct claim_tables *tables,
		      const struct claim_object *object,
		      const struct claim_ways *ways, struct claim *claim,
		      struct err *err)
{
	const char *cure = CURE_LOOP;
	char *text = NULL;
	size_t i;

	for (i = 0; i < tables->loops.count; i++) {
		const struct claim_loop *loop = &tables->loops.list[i];

		if (is_way(ways, loop->dev))
			continue;
		if (!loop->known && !claim_lengths_meet(&loop->below, object))
			continue;
		if (!loop->known) {
			text = text_format("perhaps what lies below %s, which "
					   "cannot be told here and is as long",
					   loop->name);
			cure = CURE_NODE;
		} else if (claim_object_may_be(&loop->below, object)) {
			text = text_format(
				"perhaps the backing file of %s, which is as "
				"long, and on such file systems as overlay, "
				"FUSE or NFS it cannot be told",
				loop->name);
		} else {
			continue;
		}
		return claim_guess(claim, text, cure, err);
	}
	return 0;
}

static int take_holder(const char *name, void *input, struct err *err)
{
	struct claim *claim = input;

	if (claim_is_certain(claim))
		return 0;
	return claim_set(claim, text_format("held by %s", name), CURE_OTHER,
			 err);
}

/* dm, md and bcache are linked from what they are made of. */
int claim_by_holders(const char *root, const char *name, struct claim *claim,
		     struct err *err)
{
	char *path = text_format("/sys/class/block/%s/holders", name);
	int rc;

	if (!path)
		return err_set(err, -ENOMEM, "holders of %s", name);
	rc = storage_each_link(root, path, take_holder, claim, err);
	free(path);
	return rc == -ENOENT || rc > 0 ? 0 : rc;
}

/* Of several devices, mountinfo names one only. */
int claim_by_btrfs(const char *root, const char *name, struct claim *claim,
		   struct err *err)
{
	char *path = text_format("%s/sys/fs/btrfs", root);
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	int rc = path ? 0 : err_set(err, -ENOMEM, "btrfs of %s", name);

	free(path);
	while (!rc && !claim_is_certain(claim) && dir &&
	       (entry = readdir(dir))) {
		path = text_format("%s/sys/fs/btrfs/%s/devices/%s", root,
				   entry->d_name, name);
		if (!path)
			rc = err_set(err, -ENOMEM, "btrfs of %s", name);
		else if (!faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW))
			rc = claim_set(claim,
				       text_format("a member of the mounted "
						   "btrfs %s",
						   entry->d_name),
				       CURE_MOUNT, err);
		free(path);
	}
	if (dir)
		closedir(dir);
	return rc;
}

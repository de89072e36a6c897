// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/remount_check.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "sweep/own_files.h"
#include "sweep/sweep_targets.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Beside those whose source is no block device, which are refused for that. */
static const char *const memory_types[] = { "tmpfs", "ramfs", "devtmpfs",
					    "hugetlbfs" };
static const char *const network_types[] = {
	"nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "virtiofs"
};

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

static int check_type(const struct mount_entry *mount, struct err *err)
{
	const char *type = mount->fs_type;

	if (is_one_of(type, memory_types, COUNT(memory_types)))
		return err_say(err, -EOPNOTSUPP,
			       "%s is a %s: it lives in memory, so unmounting "
			       "it would delete the data, and no cold read of "
			       "it exists; --flush none measures it warm",
			       mount->target, type);
	if (!strncmp(type, "fuse", 4))
		return err_say(err, -EOPNOTSUPP,
			       "%s is a FUSE mount (%s), which only its own "
			       "program brings back; use --flush fadvise",
			       mount->target, type);
	if (!strcmp(type, "overlay") || !strcmp(type, "overlayfs"))
		return err_say(err, -EOPNOTSUPP,
			       "%s is an overlay: its pages belong to the "
			       "lower layers and stay when it is unmounted; "
			       "sweep those, or use --flush fadvise",
			       mount->target);
	if (is_one_of(type, network_types, COUNT(network_types)))
		return err_say(err, -EOPNOTSUPP,
			       "%s is a network file system (%s), and the "
			       "server's cache is out of reach; use --flush "
			       "fadvise",
			       mount->target, type);
	return 0;
}

/*
 * On btrfs a subvolume has a root of its own, which its options name; a bind
 * mount of a directory has the options of the subvolume that it lies in.
 */
static bool is_subvolume(const struct mount_entry *mount)
{
	char *option;
	bool is;

	if (strcmp(mount->fs_type, "btrfs"))
		return false;
	option = text_format("subvol=%s", mount->root);
	/* A name with a comma reads as two options, to mount(2) as well. */
	is = option && !strchr(mount->root, ',') &&
	     mount_has_option(mount->fs_options, option);
	free(option);
	return is;
}

/* What mount(2) could not make the same again. */
static int check_restorable(const struct mount_entry *mount, struct err *err)
{
	if (strcmp(mount->root, "/") && !is_subvolume(mount))
		return err_say(err, -EOPNOTSUPP,
			       "%s is a bind mount of %s on %s, and mounting "
			       "again would show all of it; sweep the mount "
			       "that it was made from",
			       mount->target, mount->root, mount->source);
	if (mount->stacked)
		return err_say(err, -EBUSY,
			       "something else is mounted at %s too, above or "
			       "below; leave one mount there",
			       mount->target);
	if (mount->propagation & MS_SLAVE)
		return err_say(err, -EOPNOTSUPP,
			       "%s receives mounts from another namespace "
			       "(slave), and would not do so again; use "
			       "--flush fadvise",
			       mount->target);
	if (mount_has_option(mount->vfs_options, "idmapped"))
		return err_say(err, -EOPNOTSUPP,
			       "%s maps user ids (idmapped), and would not do "
			       "so again; use --flush fadvise",
			       mount->target);
	if (mount_has_option(mount->vfs_options, "ro") &&
	    !mount_has_option(mount->fs_options, "ro"))
		return err_say(err, -EOPNOTSUPP,
			       "%s is read-only and its file system is not; "
			       "mount it read-only as a whole, or use --flush "
			       "fadvise",
			       mount->target);
	return 0;
}

static int check_place(const struct mount_entry *mount, struct err *err)
{
	static const char *const places[] = { "/", "/boot", "/home" };

	if (!is_one_of(mount->target, places, COUNT(places)))
		return 0;
	return err_say(err, -EBUSY,
		       "%s belongs to the system and is not unmounted; put the "
		       "test files on a file system of their own, or use "
		       "--flush fadvise",
		       mount->target);
}

int remount_check_mount(const struct mount_entry *mount, struct err *err)
{
	int rc = check_place(mount, err);

	if (!rc)
		rc = check_type(mount, err);
	if (!rc)
		rc = check_restorable(mount, err);
	return rc;
}

int remount_check_children(const struct mount_entry *mount,
			   const struct sweep_targets *targets,
			   const struct mount_list *all, struct err *err)
{
	size_t i, j;

	for (i = 0; i < all->count; i++) {
		if (all->mounts[i].parent_id != mount->id)
			continue;
		for (j = 0; j < targets->count; j++)
			if (targets->list[j].mount.id == all->mounts[i].id)
				break;
		if (j == targets->count)
			return err_say(err, -EBUSY,
				       "%s is mounted below %s, which can "
				       "not be unmounted so; name it too, or "
				       "unmount it",
				       all->mounts[i].target, mount->target);
	}
	return 0;
}

int remount_check_peers(const struct mount_entry *mount,
			const struct mount_list *all, struct err *err)
{
	size_t i;

	for (i = 0; mount->peer_group && i < all->count; i++) {
		const struct mount_entry *other = &all->mounts[i];

		if (other->id == mount->id ||
		    (other->peer_group != mount->peer_group &&
		     other->master_group != mount->peer_group))
			continue;
		return err_say(err, -EBUSY,
			       "%s passes its mounts on to %s, and would not "
			       "do so again; unmount that, make it private "
			       "(mount --make-private), or use --flush fadvise",
			       mount->target, other->target);
	}
	return 0;
}

/* The source has to be the device that is mounted, or it would be another. */
static int check_source(const struct mount_entry *mount, struct err *err)
{
	struct stat st;

	if (stat(mount->source, &st) < 0 || !S_ISBLK(st.st_mode))
		return err_say(err, -EOPNOTSUPP,
			       "%s is mounted from '%s', which is no block "
			       "device to mount again; use --flush fadvise",
			       mount->target, mount->source);
	/* btrfs has a device number of its own, whatever it lies on. */
	if (st.st_rdev != mount->dev && strcmp(mount->fs_type, "btrfs"))
		return err_say(err, -EOPNOTSUPP,
			       "%s is mounted from '%s', which is another "
			       "device by now; use --flush fadvise",
			       mount->target, mount->source);
	return 0;
}

static int check_rights(const struct sweep_targets *targets, struct err *err)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (!syscall(SYS_capget, &header, data) &&
	    data[0].effective & (1U << CAP_SYS_ADMIN))
		return 0;
	return err_say(err, -EPERM,
		       "no right to unmount %s (CAP_SYS_ADMIN); start with "
		       "sudo, or use --flush fadvise",
		       targets->list[0].mount.target);
}

static int check_target(const struct sweep_targets *targets,
			const struct sweep_target *target,
			const struct mount_list *all, struct err *err)
{
	int rc;

	if (!target->is_mounted)
		return err_say(err, -EINVAL,
			       "%s is not a mount point; mount a file system "
			       "there, or use --flush fadvise",
			       target->dir);
	rc = remount_check_mount(&target->mount, err);
	if (!rc)
		rc = check_source(&target->mount, err);
	if (!rc)
		rc = remount_check_peers(&target->mount, all, err);
	if (!rc)
		rc = remount_check_children(&target->mount, targets, all, err);
	return rc;
}

int remount_check(const struct sweep_targets *targets, const char *record_path,
		  struct err *err)
{
	struct mount_list all;
	size_t i;
	int rc;

	rc = mount_list_read("", &all, err);
	for (i = 0; !rc && i < targets->count; i++)
		rc = check_target(targets, &targets->list[i], &all, err);
	/* Who has them may enter the working directory, too. */
	if (!rc)
		rc = check_rights(targets, err);
	if (!rc)
		rc = own_files_check(targets, record_path, err);
	mount_list_free(&all);
	return rc;
}

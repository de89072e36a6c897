// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <libmount.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/mounts.h"

#define NOSYMFOLLOW 256 /* MS_NOSYMFOLLOW, which older headers lack */

/*
 * Not by libmount: its lookups could only find another mount than the one
 * that is meant, and there is nothing else that it would do.
 */
int mount_detach(const struct mount_entry *mount, struct err *err)
{
	if (umount2(mount->target, UMOUNT_NOFOLLOW) < 0)
		return err_set(err, -errno, "unmount %s", mount->target);
	return 0;
}

bool mount_has_option(const char *options, const char *option)
{
	size_t length = strlen(option);
	const char *at = options;

	for (; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, option, length) &&
		    (at[length] == ',' || !at[length]))
			return true;
	}
	return false;
}

/* mountinfo has no word for it, and without one a mount is relatime. */
static bool is_strictatime(const struct mount_entry *mount)
{
	return !mount_has_option(mount->vfs_options, "relatime") &&
	       !mount_has_option(mount->vfs_options, "noatime");
}

static int attach_with(const struct mount_entry *mount, const char *options,
		       struct err *err)
{
	struct libmnt_context *context = mnt_new_context();
	char reason[512] = "";
	int rc;

	if (!context)
		return err_set(err, -ENOMEM, "mount %s", mount->target);
	/* The words of mountinfo are meant, not what they might lead to. */
	mnt_context_disable_canonicalize(context, 1);
	mnt_context_disable_helpers(context, 1);
	mnt_context_disable_mtab(context, 1);
	rc = mnt_context_set_source(context, mount->source);
	if (!rc)
		rc = mnt_context_set_target(context, mount->target);
	if (!rc)
		rc = mnt_context_set_fstype(context, mount->fs_type);
	if (!rc)
		rc = mnt_context_set_options(context, options);
	if (!rc)
		rc = mnt_context_mount(context);
	if (!rc)
		goto out;
	mnt_context_get_excode(context, rc, reason, sizeof(reason));
	if (mnt_context_syscall_called(context) &&
	    mnt_context_get_syscall_errno(context))
		rc = -mnt_context_get_syscall_errno(context);
	if (rc > 0)
		rc = -EIO;
	err_say(err, rc, "mount %s at %s as %s with %s: %s", mount->source,
		mount->target, mount->fs_type, options,
		reason[0] ? reason : strerror(-rc));
out:
	mnt_free_context(context);
	return rc;
}

static int attach(const struct mount_entry *mount, struct err *err)
{
	char *options =
		text_format("%s%s", mount->options,
			    is_strictatime(mount) ? ",strictatime" : "");
	int rc = options ? attach_with(mount, options, err)
			 : err_set(err, -ENOMEM, "mount %s", mount->target);

	free(options);
	return rc;
}

/*
 * The flags of the mount itself, which may be others than the file system's:
 * "rw" of an image that can only be read.
 */
static int vfs_options_set(const struct mount_entry *entry, struct err *err)
{
	static const struct {
		const char *option;
		unsigned long flag;
	} flags[] = {
		{ "ro", MS_RDONLY },	     { "nosuid", MS_NOSUID },
		{ "nodev", MS_NODEV },	     { "noexec", MS_NOEXEC },
		{ "noatime", MS_NOATIME },   { "nodiratime", MS_NODIRATIME },
		{ "relatime", MS_RELATIME }, { "nosymfollow", NOSYMFOLLOW },
	};
	unsigned long all = MS_REMOUNT | MS_BIND;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (mount_has_option(entry->vfs_options, flags[i].option))
			all |= flags[i].flag;
	if (is_strictatime(entry))
		all |= MS_STRICTATIME;
	if (mount(NULL, entry->target, NULL, all, NULL) < 0)
		return err_set(err, -errno, "set the options of %s to %s",
			       entry->target, entry->vfs_options);
	return 0;
}

/* A new mount takes after the one that it lies on, not after the old one. */
static int propagation_set(const char *target, unsigned long propagation,
			   struct err *err)
{
	if (mount(NULL, target, NULL, propagation, NULL) < 0)
		return err_set(err, -errno, "set the propagation of %s",
			       target);
	return 0;
}

static int say_differs(const struct mount_entry *mount, const char *what,
		       const char *before, const char *now, struct err *err)
{
	return err_say(err, -EIO,
		       "%s has changed: its %s was '%s' and is now '%s'",
		       mount->target, what, before, now);
}

int mount_compare(const struct mount_entry *mount,
		  const struct mount_entry *now, struct err *err)
{
	const struct {
		const char *what, *before, *now;
	} pairs[] = {
		{ "source", mount->source, now->source },
		{ "type", mount->fs_type, now->fs_type },
		{ "root", mount->root, now->root },
		{ "options", mount->options, now->options },
		{ "mount's own options", mount->vfs_options, now->vfs_options },
		{ "file system's options", mount->fs_options, now->fs_options },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (strcmp(pairs[i].before, pairs[i].now))
			return say_differs(mount, pairs[i].what,
					   pairs[i].before, pairs[i].now, err);
	if (mount->propagation != now->propagation)
		return err_say(
			err, -EIO,
			"%s has changed: its propagation was 0x%lx and is "
			"now 0x%lx",
			mount->target, mount->propagation, now->propagation);
	return 0;
}

static int find_and_compare(const struct mount_entry *mount, bool *own_differ,
			    struct err *err)
{
	struct mount_entry now;
	int rc;

	*own_differ = false;
	rc = mount_find(mount->target, &now, err);
	if (rc < 0)
		return rc;
	rc = mount_compare(mount, &now, err);
	*own_differ = strcmp(mount->vfs_options, now.vfs_options) != 0;
	mount_free(&now);
	return rc;
}

int mount_attach(const struct mount_entry *mount, struct err *err)
{
	bool own_differ;
	int rc;

	rc = attach(mount, err);
	if (rc < 0)
		return rc;
	rc = propagation_set(mount->target, mount->propagation, err);
	if (rc < 0)
		return rc;
	rc = find_and_compare(mount, &own_differ, err);
	if (!own_differ)
		return rc;
	rc = vfs_options_set(mount, err);
	return rc ? rc : find_and_compare(mount, &own_differ, err);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mount points of this process's mount namespace, and how to take one away
 * and bring it back the same. By libmount; main thread only.
 */
#ifndef RAWREAD_SYSTEM_MOUNTS_H
#define RAWREAD_SYSTEM_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;

/* A line of mountinfo, decoded. Owns its strings; free with mount_free(). */
struct mount_entry {
	int id;
	int parent_id;
	dev_t dev; /* as mountinfo has it; on btrfs not the files' st_dev */
	char *source;
	char *target; /* real path, blanks and all */
	char *root;   /* "/" unless a bind mount or a btrfs subvolume */
	char *fs_type;
	char *options;	   /* of mount and file system, comma-separated */
	char *vfs_options; /* of the mount alone: "ro" may differ */
	char *fs_options;  /* of the file system alone */
	unsigned long propagation; /* MS_SHARED, MS_PRIVATE, … */
	int peer_group;		   /* N of "shared:N", or 0 */
	int master_group;	   /* N of "master:N", or 0 */
	size_t children;	   /* mounts whose parent this one is */
	size_t stacked;		   /* other mounts on the same target */
};

void mount_free(struct mount_entry *mount);

/*
 * All mounts, in the order of mountinfo: of what lies on another, the upper
 * one may stand before the lower.
 */
struct mount_list {
	struct mount_entry *mounts;
	size_t count;
};

/* @root: see lib/base/file.h. Returns 0 or -errno. */
int mount_list_read(const char *root, struct mount_list *list, struct err *err);
void mount_list_free(struct mount_list *list);

/*
 * The mount whose mount point @path is, symlinks followed. libmount climbs to
 * the containing mount; this does not. Returns 0; -ENOENT when nothing is
 * mounted there (or @path does not exist); -errno.
 */
int mount_find(const char *path, struct mount_entry *mount, struct err *err);

/*
 * The mount that the open file @fd is reached through, by statx's mount id
 * (st_dev does not tell on btrfs). Returns 0; -ENOENT when it is not in this
 * namespace's mountinfo.
 */
int mount_of_fd(int fd, struct mount_entry *mount, struct err *err);

/* Whether @option stands among the comma-separated @options, as a whole. */
bool mount_has_option(const char *options, const char *option);

/* Unmounts, neither lazily nor by force. -EBUSY is for the caller to retry. */
int mount_detach(const struct mount_entry *mount, struct err *err);

/*
 * Mounts again with the same source, target, type, options and propagation,
 * and compares what mountinfo then says with @mount; options of the mount
 * alone that differ are set once more by a remount. Returns 0; -EIO when it
 * came back different (the difference named); -errno.
 */
int mount_attach(const struct mount_entry *mount, struct err *err);

/*
 * Whether @now is as @mount was, but for its ids. Returns 0; -EIO with the
 * difference named.
 */
int mount_compare(const struct mount_entry *mount,
		  const struct mount_entry *now, struct err *err);

/*
 * UUID of the file system on @source (a block device), the caller frees it.
 * -ENOENT: it has none, or it cannot be read.
 */
int mount_uuid(const char *source, char **uuid, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must not be unmounted, or could not be brought back the same. All of
 * it is told before anything is touched. Main thread.
 */
#ifndef RAWREAD_SWEEP_REMOUNT_CHECK_H
#define RAWREAD_SWEEP_REMOUNT_CHECK_H

struct err;
struct mount_entry;
struct mount_list;
struct sweep_targets;

/*
 * Returns 0; -EPERM without the right to mount; -EINVAL, -EBUSY or
 * -EOPNOTSUPP when a target must not be flushed so; -errno. @record_path is
 * the file that the sweep is going to write.
 */
int remount_check(const struct sweep_targets *targets, const char *record_path,
		  struct err *err);

/*
 * Of one mount alone, by what the mount table says: pure. Returns 0, or a
 * negative errno with why and what to do.
 */
int remount_check_mount(const struct mount_entry *mount, struct err *err);

/* That no mount of @all lies on @mount but those of @targets. Pure. */
int remount_check_children(const struct mount_entry *mount,
			   const struct sweep_targets *targets,
			   const struct mount_list *all, struct err *err);

/*
 * That no mount of @all is a peer or a slave of @mount: what is mounted again
 * begins a peer group of its own. Pure.
 */
int remount_check_peers(const struct mount_entry *mount,
			const struct mount_list *all, struct err *err);

#endif

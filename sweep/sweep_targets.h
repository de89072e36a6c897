/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directories of a sweep, the file in each, and the mount that it is on.
 * They are found once, at the start: what they are then is what they have to
 * be again after each flush. Main thread.
 */
#ifndef RAWREAD_SWEEP_SWEEP_TARGETS_H
#define RAWREAD_SWEEP_SWEEP_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/system/mounts.h"

struct err;

struct sweep_target {
	char *dir;		  /* as it was given */
	char *real_dir;		  /* without symlinks */
	bool is_mounted;	  /* real_dir is a mount point */
	struct mount_entry mount; /* that real_dir is on, its id at the start;
				   * empty when it cannot be seen */
	char *path;		  /* real_dir and the file's name */
	dev_t dev; /* of the file, at the start: a btrfs gets another */
	ino_t inode;
	uint64_t size_bytes;
	char *read_ahead_path; /* NULL: its file system has none */
	uint64_t read_ahead_kib;
};

struct sweep_targets {
	struct sweep_target *list;
	size_t count;
};

/*
 * Finds directories and mounts; files come later, since a directory where
 * nothing is mounted has no file for a reason that is told first. Returns 0;
 * -EINVAL when one is given twice; -errno.
 */
int sweep_targets_find(char *const *dirs, size_t count,
		       struct sweep_targets *targets, struct err *err);
void sweep_targets_free(struct sweep_targets *targets);

/*
 * The file in each: its size, inode and read-ahead. Returns 0; -ENOENT with
 * the command that makes one; -EINVAL when it is empty, no regular file, or a
 * symlink to elsewhere; -errno.
 */
int sweep_targets_find_files(struct sweep_targets *targets, struct err *err);

/*
 * That each file is the one it was: -ESTALE with what differs. Returns 0 or
 * -errno.
 */
int sweep_targets_check_files(const struct sweep_targets *targets,
			      struct err *err);

/*
 * Puts back the read-ahead that was found at the start, where a new mount or
 * a run that was killed left another. Returns 0 or -errno.
 */
int sweep_targets_mend(const struct sweep_targets *targets, struct err *err);

#endif

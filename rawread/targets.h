/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From names and numbers to files and devices that are there and can be read.
 * They stay open, read-only, for what is asked about them; threads open their
 * own. Main thread.
 */
#ifndef RAWREAD_TARGETS_H
#define RAWREAD_TARGETS_H

#include <stdint.h>
#include <sys/types.h>

#include "rawread/file_id.h"
#include "rawread/plan.h"

struct err;
struct run_params;
struct statx;

struct target {
	char *path; /* of the file or device itself */
	int fd;	    /* O_RDONLY, without -z and -c */
	dev_t dev;
	ino_t inode;
};

/* As targets_open() tells devices and files apart. */
static inline struct file_id target_id(const struct target *target)
{
	return (struct file_id){ target->dev, target->inode };
}

struct targets {
	struct target *list;
	struct plan_file *files; /* the same, for the plan */
	unsigned int count;
};

/*
 * The targets of @params, which went through params_finish(): paths, where a
 * directory is a mount point and means its foo, or numbers with -f or -x.
 *
 * Returns 0; -EOPNOTSUPP when one cannot be opened for direct I/O (a row that
 * is n/a); -errno for one that is not there, or is no file or device. Free
 * with targets_close().
 */
int targets_open(const struct run_params *params, struct targets *targets,
		 struct err *err);
void targets_close(struct targets *targets);

/*
 * The path of the target that a user means by @name, which the caller frees:
 * itself, or of a mount point its foo. Returns 0; -ENOENT for a directory on
 * which nothing is mounted; -errno.
 */
int targets_path_by_name(const char *name, char **path, struct err *err);

/* "a" for 1, "z" for 26, "aa" for 27: as the kernel names disks. The caller
 * frees it; NULL without memory.
 */
char *targets_disk_letters(unsigned int number);

/*
 * What direct reads of @file have to be a multiple of, out of what the kernel
 * told; left as it is where it told nothing. Pure.
 */
void targets_fill_direct(const struct statx *sx, struct plan_file *file);

#endif

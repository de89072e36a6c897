/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the kernel holds a file or block device, so that writing to it would
 * destroy what is in use: mounts, swap, dm, md, btrfs, loop devices. Programs
 * that have it open are not looked for. By libmount; main thread only.
 *
 * These are names for a refusal. Whether a block device is free to be written
 * is for the kernel to say: open all its ways with O_EXCL, and hold them.
 *
 * @root: see lib/base/file.h; in a made-up one, loop devices are not asked.
 */
#ifndef RAWREAD_SYSTEM_CLAIMS_H
#define RAWREAD_SYSTEM_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;
struct storage_device;

/* A sentence's end after "PATH is", and what has to be done first. */
struct claim {
	char *holder;	  /* "mounted on /mnt/x"; NULL: none is seen */
	const char *cure; /* "unmount it" */
	bool is_guess;	  /* it may be so: "perhaps what lies below loop3" */
};

void claim_free(struct claim *claim);

/* There is a holder, and it is no guess. */
bool claim_is_certain(const struct claim *claim);

/*
 * The devices through which the bytes of a block device are reached: itself
 * first, what a loop device has for its backing device, and other loop devices
 * over the same file or device. Disks and their partitions are not listed for
 * each other: O_EXCL of the one covers the other. Owns its list.
 */
struct claim_ways {
	struct storage_device *list;
	size_t count;
};

/* Returns 0; -ENOENT when /sys has no device @dev; -errno. */
int claim_ways_find(const char *root, dev_t dev, struct claim_ways *ways,
		    struct err *err);
void claim_ways_free(struct claim_ways *ways);

/* Whether the block device @dev has bytes in common with one of @ways. */
bool claim_ways_overlap(const char *root, const struct claim_ways *ways,
			dev_t dev);

/*
 * Who holds one of @ways, its disk, or a partition of it: such as "the disk of
 * sda1, which is mounted on /mnt/x", "another way to loop0, which is swapped
 * on", "held by dm-0", "the backing device of loop3". Free with claim_free().
 * Returns 0, also when there is none, or -errno.
 */
int claim_of_ways(const char *root, const struct claim_ways *ways,
		  struct claim *claim, struct err *err);

/*
 * For a way that O_EXCL says is busy while claim_of_ways() saw nobody: looks
 * into other mount namespaces and for a process that has it open, and has a
 * holder in any case.
 */
int claim_elsewhere(const char *root, const struct claim_ways *ways,
		    struct claim *claim, struct err *err);

/*
 * Who holds the regular file that is open at @fd: "an active swap file", "the
 * backing file of loop3", "mounted on /mnt/x" (images that are mounted without
 * a loop device). Where a loop device or a mount does not tell of which file it
 * is, it is a guess that it is of this one.
 */
int claim_of_file(const char *root, int fd, struct claim *claim,
		  struct err *err);

#endif

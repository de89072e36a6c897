/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What loop devices are attached to, for claims.h: private to lib/system.
 * Any thread.
 */
#ifndef RAWREAD_SYSTEM_CLAIMS_LOOP_H
#define RAWREAD_SYSTEM_CLAIMS_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/* A file or a block device, as both are told apart. */
struct claim_object {
	bool is_device;
	dev_t dev;   /* of the block device, or of the file's file system */
	ino_t inode; /* of the file */
	/* Its file system shows files of others as its own: overlay, FUSE, NFS;
	 * or which one it is on cannot be told.
	 */
	bool is_veiled;
	/* NULL, or below @root where that is to be asked of its file system,
	 * once it matters. Somebody else's memory.
	 */
	const char *root, *path;
	/* The length, between the two; 0, 0: it was not told. */
	uint64_t least_bytes, most_bytes;
};

struct claim_loop {
	char *name; /* "loop3" */
	dev_t dev;
	char *backing; /* the path that /sys has */
	bool known;    /* the kernel or the path told what is below */
	struct claim_object below; /* when not known, its length at most */
};

/* Those that are attached. Owns its list. */
struct claim_loops {
	struct claim_loop *list;
	size_t count;
};

int claim_loops_read(const char *root, struct claim_loops *loops,
		     struct err *err);
void claim_loops_free(struct claim_loops *loops);

/* That of which @dev is the device, or a partition; or NULL. */
const struct claim_loop *
claim_loop_of(const char *root, const struct claim_loops *loops, dev_t dev);

/*
 * Opens the file below @loop for reading, or the loop device where that has all
 * of it. Returns a descriptor, or -1: it cannot be had.
 */
int claim_loop_open_below(const char *root, const struct claim_loop *loop);

/*
 * What is at @path, for as long as that and @root last. A node of /dev that is
 * not there is found by its name. Returns whether it is a file or a block
 * device.
 */
bool claim_object_at(const char *root, const char *path,
		     struct claim_object *object);

/* The block device @name. */
struct claim_object claim_object_of_device(const char *root, const char *name,
					   dev_t dev);

/* The open file or block device @fd. Returns 0 or -errno. */
int claim_object_of_fd(int fd, struct claim_object *object, struct err *err);

bool claim_object_same(const struct claim_object *one,
		       const struct claim_object *other);

/* False: they are of other lengths, so they are not the same. */
bool claim_lengths_meet(const struct claim_object *one,
			const struct claim_object *other);

/*
 * Whether they are the same as far as can be told: where one of them may be a
 * file of another file system under another number, equal lengths are enough.
 */
bool claim_object_may_be(const struct claim_object *one,
			 const struct claim_object *other);

/*
 * Whether the block devices @one and @other have bytes in common: they are the
 * same, or one is the disk that the other is a partition of.
 */
bool claim_devices_overlap(const char *root, dev_t one, dev_t other);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scratch file systems for unit tests, in a mount namespace of the test's own
 * process: whatever way it ends, no mount, loop device or file stays. All lie
 * below a tmpfs on /mnt. The images are on /mnt/base, an ext4 on a loop device
 * whose own image in TMPDIR has no name any more.
 *
 * What goes wrong here fails the test; what cannot be had skips it.
 */
#ifndef RAWREAD_TESTS_UNIT_SCRATCH_FS_H
#define RAWREAD_TESTS_UNIT_SCRATCH_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SCRATCH_BASE "/mnt/base"

/* Below /sys/class/block and /dev. Static memory, for one test. */
struct scratch_loop {
	char name[16];
	char device[24];
	dev_t dev;
	int fd; /* open: an autoclear loop goes with its last user */
};

/* The first line of a test that mounts: what it does is seen by nobody else. */
void scratch_namespace(void);

/* The same for one that wants disks; the loop below /mnt/base is in @base. */
void scratch_begin(struct scratch_loop *base);

/*
 * A loop device with LO_FLAGS_AUTOCLEAR and @flags over @image, which is made
 * when it is not there and is at least @size_bytes long.
 */
void scratch_loop_attach(const char *image, uint64_t size_bytes, uint32_t flags,
			 struct scratch_loop *loop);

/* mkfs.@type on @device. */
void scratch_mkfs(const char *type, const char *device);

/* Makes the directory @target and mounts there. */
void scratch_mount(const char *type, const char *source, const char *target,
		   const char *options);

/*
 * All three, direct I/O on: @type on a loop device over
 * /mnt/base/@type.img, mounted at /mnt/@type, which is what @type's files of
 * a test are below.
 */
void scratch_fs_make(const char *type, const char *options,
		     struct scratch_loop *loop);

/* An open new file with @size_bytes of noise, written to its disk. */
int scratch_file_make(const char *path, uint64_t size_bytes);

/* A file without a name in TMPDIR, for tests that need no root. */
int scratch_file_anonymous(uint64_t size_bytes);

#endif

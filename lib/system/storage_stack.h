/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How storage.h finds its devices: private to lib/system and its tests.
 * @root is "" for the machine itself, or a copy of /sys that a test made; the
 * paths of backing files are below it too. Any thread.
 *
 * @depth counts the layers passed so far, and ends a circle with -ELOOP.
 */
#ifndef RAWREAD_SYSTEM_STORAGE_STACK_H
#define RAWREAD_SYSTEM_STORAGE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct storage;
struct storage_device;

/* Adds a device to a list, once. */
int storage_device_add(struct storage_device **list, size_t *count,
		       const char *name, dev_t dev, struct err *err);

/* Adds sentences ("one; two") to the layer, each once. 0 or -ENOMEM. */
int storage_layer_add(struct storage *storage, struct err *err,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Name of a block device, the caller's. -ENOENT when /sys has none such. */
int storage_name_of_dev(const char *root, dev_t dev, char **name,
			struct err *err);

/* Number of a block device by its name. -ENOENT when it has gone. */
int storage_dev_of_name(const char *root, const char *name, dev_t *dev,
			struct err *err);

/*
 * Name of the disk that the partition @name is on; a copy of @name when it is
 * none. The caller frees it.
 */
int storage_disk_of_name(const char *root, const char *name, char **disk,
			 struct err *err);

/*
 * Calls @take for each block device that is linked in the directory @path
 * (slaves of dm and md, members of btrfs); links to others are passed over.
 * Returns how many there were, or -errno.
 */
int storage_each_link(const char *root, const char *path,
		      int (*take)(const char *name, void *input,
				  struct err *err),
		      void *input, struct err *err);

/* Adds the lowest devices below the device @name to @storage->lowest. */
int storage_descend(const char *root, const char *name, unsigned int depth,
		    struct storage *storage, struct err *err);

/*
 * The same where @disk is a loop device; @name is it or a partition of it.
 * Returns 1 when it is not, or when nothing is attached to it.
 */
int storage_descend_loop(const char *root, const char *disk, const char *name,
			 unsigned int depth, struct storage *storage,
			 struct err *err);

/*
 * The backing file that the block device @dev reads, when it is a loop device
 * or a partition of one: open in *@fd, with its first byte at *@offset_bytes.
 * Returns 0; 1 when there is none, or it is out of sight; -errno.
 */
int storage_loop_image(const char *root, dev_t dev, int *fd,
		       uint64_t *offset_bytes, struct err *err);

/* "/sys/fs/btrfs/UUID" of the btrfs that @fd is on; the caller frees it. */
int storage_btrfs_path(int fd, char **path, struct err *err);

/* storage_of_fd() below a root. */
int storage_of_fd_below(const char *root, int fd, unsigned int depth,
			struct storage *storage, struct err *err);

#endif

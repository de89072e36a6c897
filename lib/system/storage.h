/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block devices below a file or a device: those of its mount (whose
 * requests show the shape that was asked for), and the lowest ones (whose
 * bytes prove that a read was cold), through partitions, dm and md members,
 * btrfs members and backing files of loop devices. Any thread.
 */
#ifndef RAWREAD_SYSTEM_STORAGE_H
#define RAWREAD_SYSTEM_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

struct storage_device {
	char *name; /* below /sys/class/block: "loop0", "vda1" */
	dev_t dev;
};

struct storage {
	struct storage_device *mount;
	size_t mount_count;
	struct storage_device *lowest;
	size_t lowest_count;
	/*
	 * A cache below the file system that a flush of it does not reach,
	 * as a sentence: "loop3 has no direct I/O, and 8192 of 8192 pages of
	 * its backing file /x.img are in memory"; "overlay: …"; NULL: none.
	 */
	char *layer;
	/* The layer below cannot be seen at all (overlay, FUSE, network). */
	bool hidden;
};

void storage_free(struct storage *storage);

/*
 * Of an open regular file, directory or block device. Where no lower device
 * can be found (zram, a loop device on tmpfs, a backing file that neither its
 * path nor the kernel's number of its device leads to) the device is its own
 * lowest; a loop device with direct I/O whose image has no resident page may
 * be its own lowest too. A memory or anonymous file system gives no
 * devices and says so in `layer`. Each device is listed once. Returns 0 or
 * -errno.
 */
int storage_of_fd(int fd, struct storage *storage, struct err *err);

/* Adds the devices of @from to @to, each once; for several targets. */
int storage_merge(struct storage *to, const struct storage *from,
		  struct err *err);

/* Counters of /sys/class/block/NAME/stat since the device came. */
struct storage_counters {
	uint64_t reads;
	uint64_t read_bytes;
	uint64_t read_ms; /* summed over requests */
	uint64_t writes;
	uint64_t write_bytes;
	uint64_t busy_ms;
};

/* @root: see lib/base/file.h. -ENOENT when the device has gone. */
int storage_read_counters(const char *root, const char *name,
			  struct storage_counters *counters, struct err *err);

/* Queue settings; -1 or NULL where the device has none. */
struct storage_queue {
	int64_t read_ahead_kib;
	int64_t max_sectors_kib;
	int64_t nr_requests;
	int64_t rotational;
	int64_t loop_direct;
	char *scheduler; /* the one in brackets */
};

/* A partition's queue is that of its disk. Never fails but for memory. */
int storage_read_queue(const char *root, const char *name,
		       struct storage_queue *queue, struct err *err);
void storage_queue_free(struct storage_queue *queue);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a file's range is in the page cache. Any thread. */
#ifndef RAWREAD_SYSTEM_RESIDENCY_H
#define RAWREAD_SYSTEM_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

struct err;

struct residency {
	bool known;
	uint64_t resident_bytes; /* pages, so it may exceed the range */
	uint64_t dirty_bytes;	 /* dirty or under writeback; 0 if not told */
	/* Why not known, or why the two sources differ; "" otherwise. */
	char reason[160];
};

/*
 * The larger of what cachestat(2) and mincore(2) say of @size_bytes from
 * @offset_bytes. mincore is believed only where the caller owns @fd's file or
 * may write it: else it answers "all resident" (CAP_SYS_ADMIN or not, it is
 * asked of access(2)). EPERM or ENOSYS of cachestat with no right to mincore
 * is "not known", which is neither cold nor warm. Neither call reads anything
 * into the cache. Beyond 1 GiB mincore, which takes as long as the range is,
 * is left out where cachestat is known to see all pages (ext4, xfs, btrfs,
 * f2fs, tmpfs, block devices). The range is cut at the end of the file.
 * Returns 0, also when not known; -errno of a broken @fd.
 */
int residency_read(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		   struct residency *residency, struct err *err);

/*
 * posix_fadvise(DONTNEED) of the pages that @size_bytes (0: all) from
 * @offset_bytes lie in, after fdatasync where it may be written; for a block
 * device BLKFLSBUF first, which is the whole device. Pages that are mapped,
 * locked or dirty stay, and so do those of a folio that reaches beyond the
 * range: ask residency_read(). Returns 0 or -errno.
 */
int residency_drop_range(int fd, uint64_t offset_bytes, uint64_t size_bytes,
			 struct err *err);

/* The same for the whole file. */
int residency_drop(int fd, struct err *err);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/extents.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage_stack.h"

/* A compressed file has an extent every 128 KiB: these are for 16 MiB. */
#define BATCH_EXTENTS 128

/* Room for what fm_extents of @map, which has no length, stands for. */
union extent_batch {
	struct fiemap map;
	unsigned char room[sizeof(struct fiemap) +
			   BATCH_EXTENTS * sizeof(struct fiemap_extent)];
};

/* Returns 0 or -errno; fm_mapped_extents of @batch are valid then. */
static int batch_read(int fd, uint64_t start_bytes, uint64_t end_bytes,
		      union extent_batch *batch)
{
	uint32_t flags = FIEMAP_FLAG_SYNC;

	for (;;) {
		memset(&batch->map, 0, sizeof(batch->map));
		batch->map.fm_start = start_bytes;
		batch->map.fm_length = end_bytes - start_bytes;
		batch->map.fm_flags = flags;
		batch->map.fm_extent_count = BATCH_EXTENTS;
		if (!ioctl(fd, FS_IOC_FIEMAP, &batch->map))
			return 0;
		/* EBADR: a flag that this file system does not have. */
		if ((errno != EBADR && errno != EROFS) || !flags)
			return -errno;
		flags = 0;
	}
}

static void extent_add(const struct fiemap_extent *extent, uint64_t bytes,
		       struct extent_shares *shares)
{
	uint32_t flags = extent->fe_flags;

	if (flags & FIEMAP_EXTENT_UNWRITTEN)
		shares->unwritten_bytes += bytes;
	/* Encrypted ones are encoded too, but as long as what they hold. */
	if ((flags & FIEMAP_EXTENT_ENCODED) &&
	    !(flags & FIEMAP_EXTENT_DATA_ENCRYPTED))
		shares->encoded_bytes += bytes;
	if (flags & FIEMAP_EXTENT_DATA_INLINE)
		shares->inline_bytes += bytes;
	if (flags & FIEMAP_EXTENT_SHARED)
		shares->shared_bytes += bytes;
	if (flags & FIEMAP_EXTENT_DELALLOC)
		shares->delayed_bytes += bytes;
}

/*
 * Counts the extents of @batch from *@next on, and moves *@next behind the
 * last one. Which is the last of the file is not believed: an extent after
 * which the kernel fails to look further is told to be.
 */
static void batch_add(const union extent_batch *batch, uint64_t *next,
		      uint64_t end_bytes, struct extent_shares *shares)
{
	uint32_t i;

	for (i = 0; i < batch->map.fm_mapped_extents; i++) {
		const struct fiemap_extent *extent = &batch->map.fm_extents[i];
		uint64_t from = extent->fe_logical, to;

		if (__builtin_add_overflow(from, extent->fe_length, &to) ||
		    to > end_bytes)
			to = end_bytes;
		if (from < *next)
			from = *next;
		if (from < to) {
			shares->hole_bytes += from - *next;
			extent_add(extent, to - from, shares);
			*next = to;
		}
	}
}

static int file_read(int fd, uint64_t next, uint64_t end_bytes,
		     struct extent_shares *shares, struct err *err)
{
	union extent_batch batch;
	uint64_t before;
	int rc;

	while (next < end_bytes) {
		before = next;
		rc = batch_read(fd, next, end_bytes, &batch);
		if (rc < 0)
			*shares = (struct extent_shares){ 0 };
		if (rc == -EOPNOTSUPP || rc == -ENOTTY || rc == -EBADR)
			return 0;
		if (rc < 0)
			return fd_err(err, rc, fd, "FIEMAP of");
		batch_add(&batch, &next, end_bytes, shares);
		/* Nothing more is mapped up to the end of the range. */
		if (next == before)
			break;
	}
	if (next < end_bytes)
		shares->hole_bytes += end_bytes - next;
	shares->known = true;
	return 0;
}

/* The part of a loop device's image that it would read. */
static int device_read(int fd, dev_t dev, uint64_t from, uint64_t end_bytes,
		       struct extent_shares *shares, struct err *err)
{
	uint64_t size_bytes = 0, start_bytes = 0;
	int image = -1, rc;

	rc = storage_loop_image("", dev, &image, &start_bytes, err);
	if (rc) {
		shares->known = rc > 0;
		return rc < 0 ? rc : 0;
	}
	if (ioctl(fd, BLKGETSIZE64, &size_bytes) < 0)
		rc = fd_err(err, -errno, fd, "size of");
	else if (end_bytes > size_bytes)
		end_bytes = size_bytes;
	if (!rc && from < end_bytes)
		rc = extents_read(image, start_bytes + from, end_bytes - from,
				  shares, err);
	else
		shares->known = !rc;
	close(image);
	return rc;
}

int extents_read(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		 struct extent_shares *shares, struct err *err)
{
	uint64_t end_bytes;
	struct stat st;

	*shares = (struct extent_shares){ 0 };
	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "fstat");
	if (__builtin_add_overflow(offset_bytes, size_bytes, &end_bytes))
		end_bytes = UINT64_MAX;
	if (S_ISBLK(st.st_mode))
		return device_read(fd, st.st_rdev, offset_bytes, end_bytes,
				   shares, err);
	if (!S_ISREG(st.st_mode))
		return 0;
	if (end_bytes > (uint64_t)st.st_size)
		end_bytes = (uint64_t)st.st_size;
	return file_read(fd, offset_bytes, end_bytes, shares, err);
}

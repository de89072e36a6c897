// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/warm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "lib/system/residency.h"
#include "rawread/plan.h"
#include "rawread/targets.h"

static int advise(int fd, const char *path, uint64_t offset_bytes,
		  uint64_t size_bytes, int advice, struct err *err)
{
	int code = posix_fadvise(fd, (off_t)offset_bytes, (off_t)size_bytes,
				 advice);

	return code ? err_set(err, -code, "posix_fadvise %s", path) : 0;
}

/* All of @size_bytes: a target does not end before its range does. */
static int read_chunk(int fd, const char *path, char *buffer,
		      uint64_t offset_bytes, uint64_t size_bytes,
		      struct err *err)
{
	while (size_bytes) {
		ssize_t got =
			pread(fd, buffer, size_bytes, (off_t)offset_bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return err_set(err, got < 0 ? -errno : -ENODATA,
				       "fill the cache: read %s at offset "
				       "%" PRIu64,
				       path, offset_bytes);
		buffer += got;
		offset_bytes += (uint64_t)got;
		size_bytes -= (uint64_t)got;
	}
	return 0;
}

/* The pages that it was read into go first, so that writing makes its own. */
static int rewrite_chunk(int fd, const char *path, const char *buffer,
			 uint64_t offset_bytes, uint64_t size_bytes,
			 struct err *err)
{
	int rc = advise(fd, path, offset_bytes, size_bytes, POSIX_FADV_DONTNEED,
			err);

	while (!rc && size_bytes) {
		ssize_t put =
			pwrite(fd, buffer, size_bytes, (off_t)offset_bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return err_set(err, put < 0 ? -errno : -EIO,
				       "fill the cache: write %s at offset "
				       "%" PRIu64,
				       path, offset_bytes);
		buffer += put;
		offset_bytes += (uint64_t)put;
		size_bytes -= (uint64_t)put;
	}
	return rc;
}

static int fill(enum warm warm, int fd, const struct plan_target *target,
		char *buffer, struct err *err)
{
	uint64_t at = target->offset_bytes;
	const uint64_t end = at + target->range_bytes;
	int rc = 0;

	while (!rc && at < end) {
		uint64_t size = end - at < WARM_CHUNK_BYTES ? end - at
							    : WARM_CHUNK_BYTES;

		if (stop_asked())
			return err_say(err, -EINTR, "interrupted");
		rc = read_chunk(fd, target->path, buffer, at, size, err);
		if (!rc && warm == WARM_FILL_WRITE)
			rc = rewrite_chunk(fd, target->path, buffer, at, size,
					   err);
		at += size;
	}
	if (!rc && warm == WARM_FILL_WRITE && fdatasync(fd) < 0)
		rc = err_set(err, -errno, "sync %s", target->path);
	return rc;
}

/* Of the range, and known. */
static int look(int fd, const struct plan_target *target,
		struct residency *residency, struct err *err)
{
	int rc = residency_read(fd, target->offset_bytes, target->range_bytes,
				residency, err);

	if (!rc && !residency->known)
		rc = err_say(err, -EPERM,
			     "--warm: %s: whether it is in the page cache "
			     "cannot be told: %s",
			     target->path, residency->reason);
	return rc;
}

/* There the page cache is the file: how it was written is how it is filled. */
static bool lives_in_memory(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && ((unsigned long)fs.f_type == TMPFS_MAGIC ||
				     (unsigned long)fs.f_type == RAMFS_MAGIC);
}

/*
 * What stays would be read from memory when it is filled, in folios of another
 * making. A folio that reaches beyond the range goes with all of the file.
 */
static int empty(int fd, const struct plan_target *target, struct err *err)
{
	struct residency left;
	int rc = residency_drop_range(fd, target->offset_bytes,
				      target->range_bytes, err);

	if (!rc)
		rc = look(fd, target, &left, err);
	if (rc < 0 || !left.resident_bytes || lives_in_memory(fd))
		return rc;
	rc = residency_drop(fd, err);
	if (!rc)
		rc = look(fd, target, &left, err);
	if (rc < 0 || !left.resident_bytes)
		return rc;
	return err_say(
		err, -EBUSY,
		"--warm: %s: %" PRIu64
		" bytes of the range cannot be taken out of the page "
		"cache, %" PRIu64
		" of them dirty; they are mapped, locked (mlock), being "
		"read or written, or held by a mounted file system; end what "
		"does that first (or they lie in memory below an "
		"overlay: then name the file there)",
		target->path, left.resident_bytes, left.dirty_bytes);
}

/* A run from a cache that does not hold the range would be something else. */
static int check_full(int fd, const struct plan_target *target, struct err *err)
{
	struct residency residency;
	int rc = look(fd, target, &residency, err);

	if (rc < 0)
		return rc;
	if (residency.resident_bytes >= target->range_bytes)
		return 0;
	return err_say(err, -ENOMEM,
		       "--warm: %s: %" PRIu64 " of %" PRIu64
		       " bytes of the range are in the page cache after "
		       "filling it; give a range that memory holds",
		       target->path, residency.resident_bytes,
		       target->range_bytes);
}

/* With --noatime it is not to be seen in the file that the cache was filled. */
static int noatime_of(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? 0 : flags & O_NOATIME;
}

static int warm_target(enum warm warm, const struct plan_target *target,
		       const struct target *opened, char *buffer,
		       struct err *err)
{
	const struct file_id id = target_id(opened);
	int flags = (warm == WARM_FILL_WRITE ? O_RDWR : O_RDONLY) |
		    noatime_of(opened->fd);
	int fd = file_id_open(target->path, flags, &id, err), rc;

	if (fd < 0)
		return fd == -ESTALE
			       ? fd
			       : err_set(err, fd, "fill the cache: open %s",
					 target->path);
	rc = empty(fd, target, err);
	/* Read ahead, pages could be in one piece with those of the next
	 * chunk, and would stay when this one's go.
	 */
	if (!rc && warm == WARM_FILL_WRITE)
		rc = advise(fd, target->path, 0, 0, POSIX_FADV_RANDOM, err);
	if (!rc)
		rc = fill(warm, fd, target, buffer, err);
	close(fd);
	return rc;
}

static int fill_all(enum warm warm, const struct plan *plan,
		    const struct target *targets, char *buffer, struct err *err)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < plan->target_count; i++)
		rc = warm_target(warm, &plan->targets[i], &targets[i], buffer,
				 err);
	/* After the last: one may have driven out what another filled. */
	for (i = 0; !rc && i < plan->target_count; i++)
		rc = check_full(targets[i].fd, &plan->targets[i], err);
	return rc;
}

int warm_fill(enum warm warm, const struct plan *plan,
	      const struct target *targets, struct err *err)
{
	char *buffer = malloc(WARM_CHUNK_BYTES);
	unsigned int round;
	int rc = -ENOMEM;

	if (!buffer)
		return err_set(err, -ENOMEM, "fill the cache");
	/* The kernel may take a page meanwhile; not three times over. */
	for (round = 0; rc == -ENOMEM && round < 3; round++)
		rc = fill_all(warm, plan, targets, buffer, err);
	free(buffer);
	return rc;
}

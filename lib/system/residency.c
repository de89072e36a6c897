// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/residency.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"

/* Since Linux 6.5, and still without a function in glibc 2.36. */
#ifndef SYS_cachestat
#ifdef __alpha__
#define SYS_cachestat 561
#else
#define SYS_cachestat 451
#endif
#endif

struct cache_range {
	uint64_t off;
	uint64_t len;
};

struct cache_counts {
	uint64_t nr_cache; /* all in pages */
	uint64_t nr_dirty;
	uint64_t nr_writeback;
	uint64_t nr_evicted;
	uint64_t nr_recently_evicted;
};

/* Mapped at a time: a byte for each page is 256 KiB then. */
#define WINDOW_BYTES (1024 * MIB)

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Where the pages of @fd end. Returns 0 or -errno. */
static int end_of_fd(int fd, const struct stat *st, uint64_t *end_bytes,
		     struct err *err)
{
	*end_bytes = (uint64_t)st->st_size;
	if (!S_ISBLK(st->st_mode))
		return 0;
	if (ioctl(fd, BLKGETSIZE64, end_bytes) < 0)
		return fd_err(err, -errno, fd, "size of");
	return 0;
}

/*
 * mincore answers "all resident" to those whom it may not tell. The kernel
 * asks for ownership or the right to write, as is done here.
 */
static bool mincore_is_honest(int fd, const struct stat *st)
{
	return st->st_uid == geteuid() ||
	       !faccessat(fd, "", W_OK, AT_EACCESS | AT_EMPTY_PATH);
}

/*
 * File systems whose pages hang on the inode that cachestat looks at. On
 * others (overlay) it may say 0 while mincore finds them.
 */
static bool cachestat_sees_all(int fd, const struct stat *st)
{
	struct statfs fs;

	if (S_ISBLK(st->st_mode))
		return true;
	if (fstatfs(fd, &fs) < 0)
		return false;
	switch ((unsigned long)fs.f_type) {
	case EXT4_SUPER_MAGIC:
	case XFS_SUPER_MAGIC:
	case BTRFS_SUPER_MAGIC:
	case F2FS_SUPER_MAGIC:
	case TMPFS_MAGIC:
		return true;
	default:
		return false;
	}
}

static int mincore_window(int fd, uint64_t offset_bytes, size_t size_bytes,
			  unsigned char *present, uint64_t *pages)
{
	size_t count = (size_bytes + page_bytes() - 1) / page_bytes(), i;
	void *map;
	int rc = 0;

	map = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd,
		   (off_t)offset_bytes);
	if (map == MAP_FAILED)
		return -errno;
	if (mincore(map, size_bytes, present) < 0)
		rc = -errno;
	munmap(map, size_bytes);
	for (i = 0; !rc && i < count; i++)
		*pages += present[i] & 1;
	return rc;
}

/* Resident pages of whole pages from @from to @end. Returns 0 or -errno. */
static int mincore_count(int fd, uint64_t from, uint64_t end, uint64_t *pages)
{
	unsigned char *present;
	uint64_t window = end - from < WINDOW_BYTES ? end - from : WINDOW_BYTES;
	int rc = 0;

	*pages = 0;
	present = malloc((window + page_bytes() - 1) / page_bytes());
	if (!present)
		return -ENOMEM;
	for (; !rc && from < end; from += window) {
		if (window > end - from)
			window = end - from;
		rc = mincore_window(fd, from, (size_t)window, present, pages);
	}
	free(present);
	return rc;
}

static void give_reason(struct residency *residency, const char *what, int rc,
			const char *then)
{
	char reason[80];

	snprintf(residency->reason, sizeof(residency->reason), "%s: %s%s", what,
		 strerror_r(-rc, reason, sizeof(reason)), then);
}

/* Whole pages from @from to @end, where there are some. */
static void pages_count(int fd, const struct stat *st, uint64_t from,
			uint64_t end, struct residency *residency)
{
	struct cache_range range = { .off = from, .len = end - from };
	struct cache_counts counts = { 0 };
	bool honest = mincore_is_honest(fd, st);
	uint64_t pages = 0;
	int rc, cache_rc = 0;

	if (syscall(SYS_cachestat, fd, &range, &counts, 0) < 0)
		cache_rc = -errno;
	if (cache_rc < 0 && !honest) {
		give_reason(residency, "cachestat", cache_rc,
			    ", and mincore tells only owners and writers");
		return;
	}
	residency->known = true;
	residency->resident_bytes = counts.nr_cache * page_bytes();
	residency->dirty_bytes =
		(counts.nr_dirty + counts.nr_writeback) * page_bytes();
	/* mincore takes 14 ms a GiB, whether there are pages or not. */
	if (!honest || (!cache_rc && end - from > WINDOW_BYTES &&
			cachestat_sees_all(fd, st)))
		return;
	rc = mincore_count(fd, from, end, &pages);
	if (rc < 0) {
		/* A descriptor that cannot be mapped, mostly. */
		residency->known = !cache_rc;
		if (cache_rc < 0)
			give_reason(residency, "mincore", rc,
				    ", and cachestat does not work either");
		return;
	}
	if (!cache_rc && pages != counts.nr_cache)
		snprintf(residency->reason, sizeof(residency->reason),
			 "cachestat says %llu pages, mincore %llu",
			 (unsigned long long)counts.nr_cache,
			 (unsigned long long)pages);
	if (pages > counts.nr_cache)
		residency->resident_bytes = pages * page_bytes();
}

int residency_read(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		   struct residency *residency, struct err *err)
{
	struct stat st;
	uint64_t end;
	int rc;

	*residency = (struct residency){ 0 };
	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "fstat");
	rc = end_of_fd(fd, &st, &end, err);
	if (rc < 0)
		return rc;
	if (offset_bytes < end && size_bytes < end - offset_bytes)
		end = offset_bytes + size_bytes;
	if (offset_bytes >= end || !size_bytes)
		residency->known = true;
	else
		pages_count(fd, &st, offset_bytes - offset_bytes % page_bytes(),
			    end, residency);
	return 0;
}

int residency_drop_range(int fd, uint64_t offset_bytes, uint64_t size_bytes,
			 struct err *err)
{
	/* The kernel leaves pages that are only in part in the range. */
	uint64_t begin = offset_bytes - offset_bytes % page_bytes();
	uint64_t size = size_bytes + (offset_bytes - begin) + page_bytes() - 1;
	struct stat st;
	int rc;

	if (fstat(fd, &st) < 0)
		return fd_err(err, -errno, fd, "fstat");
	/* Dirty pages stay. What cannot be written has none. */
	if (fdatasync(fd) < 0 && errno != EROFS && errno != EINVAL)
		return fd_err(err, -errno, fd, "fdatasync, to flush,");
	/* Where it is not permitted, fadvise drops what nobody uses. */
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKFLSBUF, 0) < 0 &&
	    errno != EACCES && errno != EPERM)
		return fd_err(err, -errno, fd, "flush (BLKFLSBUF)");
	rc = posix_fadvise(fd, (off_t)begin,
			   size_bytes ? (off_t)(size - size % page_bytes()) : 0,
			   POSIX_FADV_DONTNEED);
	if (rc)
		return fd_err(err, -rc, fd, "posix_fadvise(DONTNEED) of");
	return 0;
}

int residency_drop(int fd, struct err *err)
{
	return residency_drop_range(fd, 0, 0, err);
}

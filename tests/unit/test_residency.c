// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/residency.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "tests/unit/scratch_fs.h"

#define TIB (MIB * 1024 * 1024)

static struct residency residency_of(int fd, uint64_t offset_bytes,
				     uint64_t size_bytes)
{
	struct residency residency;
	struct err err;

	cr_assert(
		!residency_read(fd, offset_bytes, size_bytes, &residency, &err),
		"%s", err.text);
	return residency;
}

/* Of what is known, and by both sources alike. */
static uint64_t resident_bytes(int fd, uint64_t offset_bytes,
			       uint64_t size_bytes)
{
	struct residency residency = residency_of(fd, offset_bytes, size_bytes);

	cr_assert(residency.known, "%s", residency.reason);
	cr_expect_str_empty(residency.reason, "%s", residency.reason);
	return residency.resident_bytes;
}

static void drop(int fd)
{
	struct err err;

	cr_assert(!residency_drop(fd, &err), "%s", err.text);
}

/* A page or more without read-ahead. */
static void touch(int fd, uint64_t offset_bytes, size_t size_bytes)
{
	static char bytes[65536];

	cr_assert(!posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
	cr_assert(pread(fd, bytes, size_bytes, (off_t)offset_bytes) ==
		  (ssize_t)size_bytes);
}

static unsigned long fs_magic(int fd)
{
	struct statfs fs;

	cr_assert(!fstatfs(fd, &fs));
	return (unsigned long)fs.f_type;
}

static void need_disk(int fd)
{
	if (fs_magic(fd) == TMPFS_MAGIC)
		cr_skip_test("TMPDIR is on tmpfs, which keeps its pages");
}

Test(residency, a_file_just_written_is_whole_and_after_the_flush_gone)
{
	int fd = scratch_file_anonymous(MIB);

	need_disk(fd);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, MIB);
	drop(fd);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 0);
	/* Had the question read anything in, the next would tell. */
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 0);
	close(fd);
}

Test(residency, only_pages_of_the_range_are_counted)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = scratch_file_anonymous(MIB);

	need_disk(fd);
	drop(fd);
	touch(fd, MIB / 2, 1);
	cr_expect_eq(residency_of(fd, MIB / 2, page).resident_bytes, page);
	cr_expect_eq(residency_of(fd, MIB / 2 + 1, 1).resident_bytes, page);
	cr_expect_eq(residency_of(fd, 0, MIB / 2).resident_bytes, 0);
	cr_expect_eq(
		residency_of(fd, MIB / 2 + page, MIB / 2 - page).resident_bytes,
		0);
	close(fd);
}

Test(residency, a_range_is_dropped_by_whole_pages_and_the_rest_stays)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = scratch_file_anonymous(MIB);
	struct err err;

	need_disk(fd);
	drop(fd);
	touch(fd, MIB / 2 - page, 1);
	touch(fd, MIB / 2, 1);
	touch(fd, MIB / 2 + page, 1);
	touch(fd, MIB / 2 + 2 * page, 1);
	cr_assert(!residency_drop_range(fd, MIB / 2 + 5, page, &err), "%s",
		  err.text);
	cr_expect_eq(residency_of(fd, MIB / 2, 2 * page).resident_bytes, 0);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 2 * page);
	cr_assert(!residency_drop_range(fd, MIB / 2, 0, &err), "%s", err.text);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, page);
	close(fd);
}

Test(residency, a_range_is_cut_at_the_end_of_the_file)
{
	int fd = scratch_file_anonymous(100001);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t whole = (100001 + page - 1) / page * page;

	cr_expect_eq(residency_of(fd, 0, UINT64_MAX).resident_bytes, whole);
	cr_expect_eq(residency_of(fd, 100000, MIB).resident_bytes, page);
	cr_expect_eq(residency_of(fd, 100001, MIB).resident_bytes, 0);
	cr_expect_eq(residency_of(fd, UINT64_MAX, UINT64_MAX).resident_bytes,
		     0);
	cr_expect(residency_of(fd, MIB, MIB).known);
	close(fd);
}

Test(residency, nothing_of_nothing_is_known_to_be_resident)
{
	int fd = scratch_file_anonymous(0);

	cr_expect(residency_of(fd, 0, MIB).known);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 0);
	cr_expect_eq(residency_of(fd, 0, 0).resident_bytes, 0);
	close(fd);
}

Test(residency, dirty_pages_are_told_and_the_flush_writes_them_first)
{
	int fd = scratch_file_anonymous(MIB);
	char bytes[4096] = "dirty";

	need_disk(fd);
	if (fs_magic(fd) == OVERLAYFS_SUPER_MAGIC)
		cr_skip_test("TMPDIR is on overlay, where nobody tells");
	cr_assert(pwrite(fd, bytes, sizeof(bytes), 0) > 0);
	cr_expect_gt(residency_of(fd, 0, MIB).dirty_bytes, 0);
	drop(fd);
	cr_expect_eq(residency_of(fd, 0, MIB).dirty_bytes, 0);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 0);
	close(fd);
}

Test(residency, mapped_pages_survive_the_flush_and_are_seen)
{
	int fd = scratch_file_anonymous(MIB);
	volatile char *map;

	need_disk(fd);
	map = mmap(NULL, MIB, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	cr_assert(map != MAP_FAILED);
	cr_assert(map[0] == map[0]);
	drop(fd);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, MIB);
	close(fd);
}

Test(residency, memory_files_stay_whole)
{
	int fd = memfd_create("rawread-unit", MFD_CLOEXEC);

	cr_assert(fd >= 0);
	cr_assert(!ftruncate(fd, (off_t)MIB));
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, 0);
	cr_assert(pwrite(fd, "x", 1, 5000) == 1);
	drop(fd);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes,
		     (uint64_t)sysconf(_SC_PAGESIZE));
	close(fd);
}

/* The unwritable file of another: mincore would say "all resident". */
Test(residency, who_may_not_know_is_not_told_a_lie)
{
	struct residency residency;
	int fd, read_only;
	char path[64];

	if (geteuid())
		cr_skip_test("needs root");
	fd = scratch_file_anonymous(MIB);
	need_disk(fd);
	cr_assert(!fchmod(fd, 0644));
	drop(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_only = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert(read_only >= 0);
	cr_assert(!setresuid(65534, 65534, 65534));
	residency = residency_of(read_only, 0, MIB);
	/* Kernels before 6.15 let cachestat tell everyone. */
	cr_expect_eq(residency.resident_bytes, 0);
	if (!residency.known)
		cr_expect(strstr(residency.reason, "cachestat"), "%s",
			  residency.reason);
}

Test(residency, an_owner_without_privileges_is_told)
{
	int fd = scratch_file_anonymous(MIB);

	if (!geteuid()) {
		cr_assert(!fchown(fd, 65534, 65534));
		cr_assert(!setresuid(65534, 65534, 65534));
	}
	cr_expect(residency_of(fd, 0, MIB).known);
	cr_expect_eq(residency_of(fd, 0, MIB).resident_bytes, MIB);
}

Test(residency, a_sparse_file_of_7_tib_is_one_question)
{
	struct scratch_loop base, loop;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd;

	scratch_begin(&base);
	scratch_fs_make("xfs", NULL, &loop);
	fd = scratch_file_make("/mnt/xfs/huge", 0);
	cr_assert(!ftruncate(fd, (off_t)(7 * TIB)));
	cr_assert(pwrite(fd, "x", 1, (off_t)(5 * TIB)) == 1);
	cr_expect_eq(resident_bytes(fd, 5 * TIB, page), page);
	cr_expect_eq(resident_bytes(fd, 0, UINT64_MAX), page);
	cr_expect_eq(resident_bytes(fd, 5 * TIB + page, 2 * TIB), 0);
	drop(fd);
	cr_expect_eq(resident_bytes(fd, 0, 7 * TIB), 0);
}

static void expect_flushed(const char *type)
{
	struct scratch_loop base, loop;
	char path[32];
	int fd;

	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	snprintf(path, sizeof(path), "/mnt/%s/f", type);
	fd = scratch_file_make(path, MIB);
	cr_expect_eq(resident_bytes(fd, 0, MIB), MIB, "%s", type);
	drop(fd);
	cr_expect_eq(resident_bytes(fd, 0, MIB), 0, "%s", type);
	touch(fd, MIB - 65536, 65536);
	cr_expect_eq(resident_bytes(fd, 0, MIB), 65536, "%s", type);
}

Test(residency, both_sources_agree_on_ext4)
{
	expect_flushed("ext4");
}

Test(residency, both_sources_agree_on_xfs)
{
	expect_flushed("xfs");
}

Test(residency, both_sources_agree_on_btrfs)
{
	expect_flushed("btrfs");
}

Test(residency, a_block_device_is_counted_and_flushed_as_a_file_is)
{
	struct scratch_loop base, loop;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, LO_FLAGS_DIRECT_IO,
			    &loop);
	drop(loop.fd);
	cr_expect_eq(resident_bytes(loop.fd, 0, UINT64_MAX), 0);
	touch(loop.fd, MIB, 65536);
	cr_expect_eq(resident_bytes(loop.fd, 0, UINT64_MAX), 65536);
	cr_expect_eq(resident_bytes(loop.fd, 2 * MIB, UINT64_MAX), 0);
	drop(loop.fd);
	cr_expect_eq(resident_bytes(loop.fd, 0, UINT64_MAX), 0);
}

/* The pages hang on the file below, where cachestat does not look. */
Test(residency, an_overlays_pages_are_found_in_every_window)
{
	const uint64_t size_bytes = 2 * 1024 * MIB + 12345;
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct scratch_loop base;
	int fd;

	scratch_begin(&base);
	cr_assert(!mkdir(SCRATCH_BASE "/lower", 0755));
	cr_assert(!mkdir(SCRATCH_BASE "/upper", 0755));
	cr_assert(!mkdir(SCRATCH_BASE "/work", 0755));
	fd = scratch_file_make(SCRATCH_BASE "/lower/f", MIB);
	cr_assert(!ftruncate(fd, (off_t)size_bytes));
	drop(fd);
	close(fd);
	scratch_mount("overlay", "overlay", "/mnt/overlay",
		      "lowerdir=" SCRATCH_BASE "/lower,upperdir=" SCRATCH_BASE
		      "/upper,workdir=" SCRATCH_BASE "/work");
	fd = open("/mnt/overlay/f", O_RDONLY | O_CLOEXEC);
	cr_assert(fd >= 0);
	cr_expect_eq(residency_of(fd, 0, size_bytes).resident_bytes, 0);
	touch(fd, 0, 1);
	touch(fd, 1024 * MIB, 1);
	touch(fd, size_bytes - 1, 1);
	cr_expect_eq(residency_of(fd, 0, size_bytes).resident_bytes, 3 * page);
	cr_expect_eq(residency_of(fd, 1, size_bytes).resident_bytes, 3 * page);
	cr_expect_eq(residency_of(fd, page, 1024 * MIB).resident_bytes, page);
	drop(fd);
	cr_expect_eq(residency_of(fd, 0, size_bytes).resident_bytes, 0);
}

Test(residency, a_broken_descriptor_is_an_error)
{
	struct residency residency;
	struct err err;

	cr_expect_eq(residency_read(-1, 0, 1, &residency, &err), -EBADF);
	cr_expect_eq(residency_drop(-1, &err), -EBADF);
	cr_expect(strstr(err.text, "Bad file descriptor"), "%s", err.text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/readahead.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/system/residency.h"
#include "tests/unit/scratch_fs.h"

static char *path_of(int fd)
{
	struct err err;
	char *path;

	cr_assert(!readahead_path(fd, &path, &err), "%s", err.text);
	return path;
}

static void set(const char *path, uint64_t kib)
{
	struct err err;
	uint64_t now;

	cr_assert(!readahead_write(path, kib, &err), "%s", err.text);
	cr_assert(!readahead_read(path, &now, &err), "%s", err.text);
	cr_assert_eq(now, kib, "%lu", now);
}

/* Cold, one read of 4 KiB at the start of @path: how much came with it? */
static uint64_t bytes_ahead(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct residency residency;
	struct err err;
	char bytes[4096];

	cr_assert(fd >= 0, "%s: %s", path, strerror(errno));
	cr_assert(!residency_drop(fd, &err), "%s", err.text);
	cr_assert(pread(fd, bytes, sizeof(bytes), 0) == sizeof(bytes));
	cr_assert(!residency_read(fd, 0, UINT64_MAX, &residency, &err));
	close(fd);
	return residency.resident_bytes - sizeof(bytes);
}

/* What stands at the path is what an open file reads ahead by. */
static void expect_obeyed(const char *setting, const char *path)
{
	uint64_t far;

	set(setting, 0);
	cr_expect_eq(bytes_ahead(path), 0, "%s: %lu", path, bytes_ahead(path));
	set(setting, 1024);
	far = bytes_ahead(path);
	cr_expect_gt(far, 0, "%s", path);
	cr_expect_lt(far, MIB, "%s: %lu", path, far);
}

static void expect_file_on(const char *type)
{
	struct scratch_loop base, loop;
	char path[32], *setting;
	int fd;

	if (sysconf(_SC_PAGESIZE) != 4096)
		cr_skip_test("needs pages of 4 KiB");
	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	snprintf(path, sizeof(path), "/mnt/%s/f", type);
	fd = scratch_file_make(path, 4 * MIB);
	setting = path_of(fd);
	expect_obeyed(setting, path);
	free(setting);
}

Test(readahead, the_setting_of_a_file_on_ext4_is_obeyed)
{
	expect_file_on("ext4");
}

Test(readahead, the_setting_of_a_file_on_xfs_is_obeyed)
{
	expect_file_on("xfs");
}

Test(readahead, the_setting_of_a_file_on_btrfs_is_obeyed)
{
	expect_file_on("btrfs");
}

Test(readahead, a_file_and_its_device_share_one_setting_except_on_btrfs)
{
	static const char *const types[] = { "ext4", "xfs", "btrfs" };
	struct scratch_loop base;
	size_t i;

	scratch_begin(&base);
	for (i = 0; i < 3; i++) {
		char path[32], *of_file, *of_device;
		struct scratch_loop loop;

		scratch_fs_make(types[i], NULL, &loop);
		snprintf(path, sizeof(path), "/mnt/%s/f", types[i]);
		of_file = path_of(scratch_file_make(path, 4096));
		of_device = path_of(loop.fd);
		cr_expect_eq(!strcmp(of_file, of_device), i < 2, "%s, %s",
			     of_file, of_device);
		free(of_file);
		free(of_device);
	}
}

Test(readahead, a_block_devices_setting_is_that_of_its_queue)
{
	struct scratch_loop base, loop;
	char queue[64], *path;
	struct err err;
	uint64_t kib;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, LO_FLAGS_DIRECT_IO,
			    &loop);
	path = path_of(loop.fd);
	set(path, 68);
	snprintf(queue, sizeof(queue), "/sys/block/%s/queue/read_ahead_kb",
		 loop.name);
	cr_assert(!readahead_read(queue, &kib, &err), "%s", err.text);
	cr_expect_eq(kib, 68, "%lu", kib);
	free(path);
}

Test(readahead, a_partitions_setting_is_that_of_its_disk)
{
	struct blkpg_partition partition = { .start = (long long)MIB,
					     .length = (long long)MIB,
					     .pno = 1 };
	struct blkpg_ioctl_arg change = { .op = BLKPG_ADD_PARTITION,
					  .datalen = sizeof(partition),
					  .data = &partition };
	struct scratch_loop base, loop;
	char name[48], *of_disk, *of_partition;
	int fd;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB,
			    LO_FLAGS_DIRECT_IO | LO_FLAGS_PARTSCAN, &loop);
	if (ioctl(loop.fd, BLKPG, &change) < 0)
		cr_skip_test("needs loop devices with partitions");
	snprintf(name, sizeof(name), "%sp1", loop.device);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	cr_assert(fd >= 0, "%s: %s", name, strerror(errno));
	of_disk = path_of(loop.fd);
	of_partition = path_of(fd);
	cr_expect_str_eq(of_partition, of_disk);
	free(of_disk);
	free(of_partition);
	close(fd);
	change.op = BLKPG_DEL_PARTITION;
	cr_expect(!ioctl(loop.fd, BLKPG, &change));
}

/* 3 KiB would be 0 pages: the kernel says yes, and reads nothing ahead. */
Test(readahead, a_value_between_pages_is_refused_and_the_old_one_put_back)
{
	struct scratch_loop base, loop;
	struct err err;
	uint64_t kib;
	char *path;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, LO_FLAGS_DIRECT_IO,
			    &loop);
	path = path_of(loop.fd);
	set(path, 128);
	cr_expect_eq(readahead_write(path, 3, &err), -EIO);
	cr_expect(strstr(err.text, "made 0 out of 3"), "%s", err.text);
	cr_expect(strstr(err.text, path), "%s", err.text);
	cr_assert(!readahead_read(path, &kib, &err), "%s", err.text);
	cr_expect_eq(kib, 128, "%lu", kib);
	free(path);
}

Test(readahead, who_may_not_set_it_is_told_who_may)
{
	struct scratch_loop base;
	struct err err;
	char *path;

	scratch_begin(&base);
	path = path_of(base.fd);
	cr_assert(!setresuid(65534, 65534, 65534));
	cr_expect_eq(readahead_write(path, 64, &err), -EACCES);
	cr_expect(strstr(err.text, path), "%s", err.text);
	cr_expect(strstr(err.text, "only root may"), "%s", err.text);
	free(path);
}

Test(readahead, a_sys_that_is_read_only_is_told)
{
	struct scratch_loop base;
	struct err err;
	char *path;

	scratch_begin(&base);
	path = path_of(base.fd);
	cr_assert(!mount("/sys", "/sys", NULL, MS_BIND, NULL));
	cr_assert(!mount(NULL, "/sys", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY,
			 NULL));
	cr_expect_eq(readahead_write(path, 64, &err), -EROFS);
	cr_expect(strstr(err.text, "/sys is mounted read-only"), "%s",
		  err.text);
	free(path);
}

Test(readahead, memory_and_overlay_have_none)
{
	struct scratch_loop base;
	struct err err;
	char *path;
	int fd;

	fd = memfd_create("rawread-unit", MFD_CLOEXEC);
	cr_expect_eq(readahead_path(fd, &path, &err), -ENOENT);
	cr_expect_null(path);
	close(fd);
	scratch_begin(&base);
	cr_assert(!mkdir(SCRATCH_BASE "/upper", 0755));
	cr_assert(!mkdir(SCRATCH_BASE "/work", 0755));
	scratch_mount("overlay", "overlay", "/mnt/overlay",
		      "lowerdir=" SCRATCH_BASE ",upperdir=" SCRATCH_BASE
		      "/upper,workdir=" SCRATCH_BASE "/work");
	fd = scratch_file_make("/mnt/overlay/f", 4096);
	cr_expect_eq(readahead_path(fd, &path, &err), -ENOENT);
	cr_expect(strstr(err.text, "overlay"), "%s", err.text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Storage of real file systems on scratch loop devices. */
#include "lib/system/storage.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/system/residency.h"
#include "tests/unit/scratch_fs.h"
#include "tests/unit/scratch_storage.h"

static void expect_file_on(const char *type)
{
	struct scratch_loop base, loop;
	struct storage storage;
	char path[32];
	int fd;

	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	snprintf(path, sizeof(path), "/mnt/%s/f", type);
	fd = scratch_file_make(path, 4096);
	storage = scratch_storage_of(fd);
	scratch_expect_mount(&storage, &loop);
	scratch_expect_lowest(&storage, &base);
	cr_expect_null(storage.layer, "%s", storage.layer);
	cr_expect_not(storage.hidden);
	storage_free(&storage);
}

Test(storage_mounts, a_file_on_ext4_leads_through_two_loops_to_the_disk)
{
	expect_file_on("ext4");
}

Test(storage_mounts, a_file_on_xfs_leads_through_two_loops_to_the_disk)
{
	expect_file_on("xfs");
}

Test(storage_mounts, a_file_on_btrfs_leads_through_two_loops_to_the_disk)
{
	expect_file_on("btrfs");
}

Test(storage_mounts, both_members_of_a_btrfs_are_of_its_mount)
{
	struct scratch_loop base, one, two;
	struct storage storage;
	char command[128];
	int fd;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/one", 200 * MIB, LO_FLAGS_DIRECT_IO,
			    &one);
	scratch_loop_attach(SCRATCH_BASE "/two", 200 * MIB, LO_FLAGS_DIRECT_IO,
			    &two);
	snprintf(command, sizeof(command),
		 "mkfs.btrfs -qf -d raid0 %s %s >/dev/null 2>&1", one.device,
		 two.device);
	if (system(command))
		cr_skip_test("needs mkfs.btrfs");
	snprintf(command, sizeof(command), "device=%s,device=%s", one.device,
		 two.device);
	scratch_mount("btrfs", one.device, "/mnt/pair", command);
	fd = scratch_file_make("/mnt/pair/f", 4096);
	storage = scratch_storage_of(fd);
	cr_assert_eq(storage.mount_count, 2);
	cr_expect(storage.mount[0].dev == one.dev ||
		  storage.mount[1].dev == one.dev);
	cr_expect(storage.mount[0].dev == two.dev ||
		  storage.mount[1].dev == two.dev);
	scratch_expect_lowest(&storage, &base);
	storage_free(&storage);
}

static void overlay_mount(void)
{
	cr_assert(!mkdir(SCRATCH_BASE "/upper", 0755));
	cr_assert(!mkdir(SCRATCH_BASE "/work", 0755));
	scratch_mount("overlay", "overlay", "/mnt/overlay",
		      "lowerdir=" SCRATCH_BASE ",upperdir=" SCRATCH_BASE
		      "/upper,workdir=" SCRATCH_BASE "/work");
}

Test(storage_mounts, what_is_below_an_overlay_is_hidden)
{
	struct scratch_loop base;
	struct storage storage;

	scratch_begin(&base);
	overlay_mount();
	storage = scratch_storage_of(scratch_file_make("/mnt/overlay/f", 4096));
	cr_expect_eq(storage.mount_count, 0);
	cr_expect_eq(storage.lowest_count, 0);
	cr_expect(storage.hidden);
	scratch_expect_layer(&storage, "overlay: ");
	storage_free(&storage);
}

Test(storage_mounts, a_file_in_memory_has_no_device_and_says_so)
{
	int fd = memfd_create("rawread-unit", MFD_CLOEXEC);
	struct storage storage = scratch_storage_of(fd);

	cr_expect_eq(storage.mount_count, 0);
	cr_expect_eq(storage.lowest_count, 0);
	scratch_expect_layer(&storage, "tmpfs: memory");
	cr_expect_not(storage.hidden);
	storage_free(&storage);
	close(fd);
}

Test(storage_mounts, a_read_moves_the_counters_of_the_lowest_device)
{
	struct storage_counters before, after;
	struct scratch_loop base, loop;
	struct storage storage;
	static char bytes[65536];
	struct err err;
	int fd, i;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	fd = scratch_file_make("/mnt/ext4/f", 4 * MIB);
	cr_assert(!residency_drop(fd, &err));
	storage = scratch_storage_of(fd);
	cr_assert(!storage_read_counters("", storage.lowest[0].name, &before,
					 &err));
	for (i = 0; i < 64; i++)
		cr_assert(pread(fd, bytes, sizeof(bytes), i * 65536) == 65536);
	cr_assert(!storage_read_counters("", storage.lowest[0].name, &after,
					 &err));
	cr_expect_geq(after.read_bytes - before.read_bytes, 4 * MIB, "%lu",
		      after.read_bytes - before.read_bytes);
	cr_expect_gt(after.reads, before.reads);
	storage_free(&storage);
}

Test(storage_mounts, neither_a_pipe_nor_a_broken_descriptor_has_storage)
{
	struct storage storage;
	struct err err;
	int ends[2];

	cr_assert(!pipe(ends));
	cr_expect_eq(storage_of_fd(ends[0], &storage, &err), -EINVAL);
	cr_expect_eq(storage_of_fd(-1, &storage, &err), -EBADF);
	cr_expect_eq(storage.mount_count, 0);
}

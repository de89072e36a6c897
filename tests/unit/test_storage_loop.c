// SPDX-License-Identifier: GPL-2.0-or-later
/* Storage below real loop devices. */
#include "lib/system/storage.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/system/residency.h"
#include "tests/unit/scratch_fs.h"
#include "tests/unit/scratch_storage.h"

Test(storage_loop, the_base_lies_on_the_disk_of_its_deleted_image)
{
	const char *directory = getenv("TMPDIR");
	struct scratch_loop base;
	struct storage storage;
	struct stat st;

	scratch_begin(&base);
	storage = scratch_storage_of(base.fd);
	scratch_expect_mount(&storage, &base);
	cr_assert(!stat(directory && *directory ? directory : "/tmp", &st));
	cr_assert_eq(storage.lowest_count, 1);
	/* An ext4 or xfs right on a disk or partition; else the loop. */
	if (major(st.st_dev) && major(st.st_dev) != major(base.dev))
		cr_expect_neq(storage.lowest[0].dev, base.dev);
	cr_expect_null(storage.layer, "%s", storage.layer);
	storage_free(&storage);
}

Test(storage_loop, a_loop_without_direct_io_tells_of_its_cached_image)
{
	struct scratch_loop base, loop;
	struct storage storage;
	struct err err;
	char part[128];
	int image;

	scratch_begin(&base);
	image = scratch_file_make(SCRATCH_BASE "/image", 4 * MIB);
	scratch_loop_attach(SCRATCH_BASE "/image", 0, 0, &loop);
	storage = scratch_storage_of(loop.fd);
	scratch_expect_mount(&storage, &loop);
	scratch_expect_lowest(&storage, &base);
	snprintf(part, sizeof(part),
		 "%s has no direct I/O, and %ld of %ld pages of its backing "
		 "file " SCRATCH_BASE "/image are in memory",
		 loop.name, (long)(4 * MIB) / sysconf(_SC_PAGESIZE),
		 (long)(4 * MIB) / sysconf(_SC_PAGESIZE));
	scratch_expect_layer(&storage, part);
	storage_free(&storage);

	cr_assert(!residency_drop(image, &err), "%s", err.text);
	storage = scratch_storage_of(loop.fd);
	cr_expect_null(storage.layer, "%s", storage.layer);
	scratch_expect_lowest(&storage, &base);
	storage_free(&storage);
}

Test(storage_loop, with_direct_io_the_cached_image_does_not_matter)
{
	struct scratch_loop base, loop;
	struct storage storage;

	scratch_begin(&base);
	close(scratch_file_make(SCRATCH_BASE "/image", 4 * MIB));
	scratch_loop_attach(SCRATCH_BASE "/image", 0, LO_FLAGS_DIRECT_IO,
			    &loop);
	storage = scratch_storage_of(loop.fd);
	scratch_expect_lowest(&storage, &base);
	cr_expect_null(storage.layer, "%s", storage.layer);
	storage_free(&storage);
}

Test(storage_loop, a_deleted_image_is_found_by_its_device_number)
{
	struct scratch_loop base, loop;
	struct storage storage;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, 0, &loop);
	cr_assert(!unlink(SCRATCH_BASE "/image"));
	storage = scratch_storage_of(loop.fd);
	scratch_expect_lowest(&storage, &base);
	scratch_expect_layer(&storage, "is out of sight");
	storage_free(&storage);
}

/* What the kernel says of a deleted file is a path as any other. */
Test(storage_loop, a_file_that_is_called_deleted_is_not_believed)
{
	struct scratch_loop base, loop;
	struct storage storage;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, 0, &loop);
	cr_assert(!unlink(SCRATCH_BASE "/image"));
	close(scratch_file_make(SCRATCH_BASE "/image (deleted)", 4 * MIB));
	storage = scratch_storage_of(loop.fd);
	scratch_expect_layer(&storage, "is out of sight");
	scratch_expect_lowest(&storage, &base);
	storage_free(&storage);
}

Test(storage_loop, another_file_under_the_images_name_is_not_believed)
{
	struct scratch_loop base, loop;
	struct storage storage;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, 0, &loop);
	cr_assert(!rename(SCRATCH_BASE "/image", SCRATCH_BASE "/moved"));
	storage = scratch_storage_of(loop.fd);
	cr_expect_null(storage.layer, "%s", storage.layer);
	storage_free(&storage);
	/* The kernel follows what was renamed; a mount over it hides it. */
	scratch_mount("tmpfs", "tmpfs", SCRATCH_BASE, NULL);
	close(scratch_file_make(SCRATCH_BASE "/moved", 4 * MIB));
	storage = scratch_storage_of(loop.fd);
	scratch_expect_layer(&storage, "is out of sight");
	scratch_expect_lowest(&storage, &base);
	storage_free(&storage);
}

Test(storage_loop, a_loop_on_tmpfs_is_its_own_lowest)
{
	struct scratch_loop base, loop;
	struct storage storage;

	scratch_begin(&base);
	close(scratch_file_make("/mnt/image", 4 * MIB));
	scratch_loop_attach("/mnt/image", 0, 0, &loop);
	storage = scratch_storage_of(loop.fd);
	scratch_expect_mount(&storage, &loop);
	cr_assert_eq(storage.lowest_count, 1);
	cr_expect_eq(storage.lowest[0].dev, loop.dev);
	cr_expect_null(storage.layer, "%s", storage.layer);
	cr_expect_not(storage.hidden);
	storage_free(&storage);
}

Test(storage_loop, a_partition_of_a_loop_leads_to_the_disk_too)
{
	struct blkpg_partition partition = { .start = (long long)MIB,
					     .length = (long long)MIB,
					     .pno = 1 };
	struct blkpg_ioctl_arg add = { .op = BLKPG_ADD_PARTITION,
				       .datalen = sizeof(partition),
				       .data = &partition };
	struct scratch_loop base, loop;
	struct storage storage;
	char path[48];
	int fd;

	scratch_begin(&base);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB,
			    LO_FLAGS_DIRECT_IO | LO_FLAGS_PARTSCAN, &loop);
	if (ioctl(loop.fd, BLKPG, &add) < 0)
		cr_skip_test("needs loop devices with partitions");
	snprintf(path, sizeof(path), "%sp1", loop.device);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert(fd >= 0, "%s: %s", path, strerror(errno));
	storage = scratch_storage_of(fd);
	cr_assert_eq(storage.mount_count, 1);
	cr_expect_str_eq(storage.mount[0].name, path + strlen("/dev/"));
	scratch_expect_lowest(&storage, &base);
	storage_free(&storage);
	close(fd);
	add.op = BLKPG_DEL_PARTITION;
	cr_expect(!ioctl(loop.fd, BLKPG, &add));
}

static void overlay_mount(void)
{
	cr_assert(!mkdir(SCRATCH_BASE "/upper", 0755));
	cr_assert(!mkdir(SCRATCH_BASE "/work", 0755));
	scratch_mount("overlay", "overlay", "/mnt/overlay",
		      "lowerdir=" SCRATCH_BASE ",upperdir=" SCRATCH_BASE
		      "/upper,workdir=" SCRATCH_BASE "/work");
}

Test(storage_loop, a_loop_on_an_overlay_counts_when_its_image_is_not_cached)
{
	struct scratch_loop base, loop;
	struct storage storage;
	struct err err;
	int image;

	scratch_begin(&base);
	overlay_mount();
	image = scratch_file_make("/mnt/overlay/image", 4 * MIB);
	scratch_loop_attach("/mnt/overlay/image", 0, LO_FLAGS_DIRECT_IO, &loop);
	storage = scratch_storage_of(loop.fd);
	cr_expect(storage.hidden);
	scratch_expect_layer(&storage, "/mnt/overlay/image is on overlay");
	storage_free(&storage);

	cr_assert(!residency_drop(image, &err), "%s", err.text);
	storage = scratch_storage_of(loop.fd);
	cr_assert_eq(storage.lowest_count, 1);
	cr_expect_eq(storage.lowest[0].dev, loop.dev);
	cr_expect_null(storage.layer, "%s", storage.layer);
	cr_expect_not(storage.hidden);
	storage_free(&storage);
}

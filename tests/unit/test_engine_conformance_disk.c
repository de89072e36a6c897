// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same tests for every engine of the table, on disks of our own: blocks
 * that fail, direct I/O, devices, what fsync has to have done.
 */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "lib/base/units.h"
#include "lib/system/residency.h"
#include "tests/unit/engine_rig.h"
#include "tests/unit/scratch_fs.h"

#define FILE_PATH "/mnt/ext4/foo"
#define IMAGE	  SCRATCH_BASE "/ext4.img"

/* Where on its device the file has the byte at @offset. */
static uint64_t device_offset(const char *path, uint64_t offset)
{
	_Alignas(struct fiemap) char
		room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
	struct fiemap *map = (struct fiemap *)room;
	int fd = open(path, O_RDONLY);

	*map = (struct fiemap){ .fm_start = offset,
				.fm_length = 4096,
				.fm_extent_count = 1 };
	cr_assert(fd >= 0 && !ioctl(fd, FS_IOC_FIEMAP, map));
	close(fd);
	cr_assert_eq(map->fm_mapped_extents, 1);
	return map->fm_extents[0].fe_physical + offset -
	       map->fm_extents[0].fe_logical;
}

static void drop_cache(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct err err;

	cr_assert(fd >= 0 && !residency_drop(fd, &err), "%s", path);
	close(fd);
}

/*
 * Of 1 MiB the second half is gone. The journal must write no more, or the
 * image would grow again, with zeros in it.
 */
static void make_bad_disk(struct scratch_loop *loop)
{
	struct scratch_loop base;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, loop);
	rig_make_file(FILE_PATH, MIB);
	cr_assert(
		!mount(NULL, "/mnt/ext4", NULL, MS_REMOUNT | MS_RDONLY, NULL));
	cr_assert(!truncate(IMAGE, (off_t)device_offset(FILE_PATH, MIB / 2)));
}

/* As a worker goes on: what arrived is right, and then comes the error. */
static int64_t read_to_error(struct engine_rig *rig, uint64_t *at)
{
	int64_t got;

	for (*at = 0; *at < MIB; *at += (uint64_t)got) {
		got = rig_io(rig, *at, MIB - *at, 0);
		if (got <= 0)
			return got;
		rig_expect(rig, *at, (uint64_t)got, 0);
	}
	return 0;
}

static void meets_bad_blocks(const struct engine_ops *ops)
{
	struct engine_rig rig;
	uint64_t at;
	int64_t got;

	drop_cache(FILE_PATH);
	rig_begin(&rig, ops,
		  &(struct rig_want){ .path = FILE_PATH, .block_bytes = MIB });
	got = read_to_error(&rig, &at);
	cr_expect_eq(got, -EIO, "%s: %ld", ops->name, got);
	/* What is short of the half lay in one folio with it. */
	cr_expect(at > 0 && at <= MIB / 2, "%s: at %lu", ops->name, at);
	/* And again, and then a good one. */
	got = rig_io(&rig, MIB / 2 + 4096, 4096, 0);
	cr_expect_eq(got, -EIO, "%s: %ld", ops->name, got);
	got = rig_io(&rig, MIB / 2 + 4096, 4096, 0);
	cr_expect_eq(got, -EIO, "%s: %ld", ops->name, got);
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 4096, "%s", ops->name);
	rig_expect(&rig, 0, 4096, 0);
	rig_end(&rig);
}

Test(engine_conformance_disk, each_tells_what_arrived_and_then_of_a_bad_block,
     .timeout = 60)
{
	struct scratch_loop loop;

	make_bad_disk(&loop);
	rig_each_reader(meets_bad_blocks);
}

static void meets_bad_blocks_directly(const struct engine_ops *ops)
{
	struct engine_rig rig;
	uint64_t at;
	int64_t got;

	drop_cache(FILE_PATH);
	rig_begin(&rig, ops,
		  &(struct rig_want){ .path = FILE_PATH,
				      .open_flags = O_DIRECT,
				      .block_bytes = MIB });
	/* The whole request may fail. */
	got = read_to_error(&rig, &at);
	cr_expect_eq(got, -EIO, "%s: %ld", ops->name, got);
	cr_expect_leq(at, MIB / 2, "%s: at %lu", ops->name, at);
	cr_expect_eq(rig_io(&rig, 0, MIB / 2, 0), MIB / 2, "%s", ops->name);
	rig_expect(&rig, 0, MIB / 2, 0);
	rig_end(&rig);
}

Test(engine_conformance_disk, each_tells_of_a_bad_block_below_direct_io,
     .timeout = 60)
{
	struct scratch_loop loop;

	make_bad_disk(&loop);
	rig_each_reader(meets_bad_blocks_directly);
}

/* A mapping knows no direct I/O: it is the page cache, at any offset. */
static void is_misaligned(const struct engine_ops *ops)
{
	int64_t wanted = ops == &engine_mmap ? 4096 : -EINVAL, got;
	struct engine_rig rig;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .path = FILE_PATH,
				      .open_flags = O_DIRECT });
	got = rig_io(&rig, 100, 4096, 0);
	cr_expect_eq(got, wanted, "%s: %ld", ops->name, got);
	cr_expect_eq(rig_io(&rig, 4096, 4096, 0), 4096, "%s", ops->name);
	rig_expect(&rig, 4096, 4096, 0);
	/* The tail of the file is short, and no error. */
	got = rig_io(&rig, 98304, 4096, 0);
	cr_expect_eq(got, 1697, "%s: %ld", ops->name, got);
	rig_end(&rig);
}

Test(engine_conformance_disk, each_tells_of_misaligned_direct_io_the_same_way)
{
	struct scratch_loop base, loop;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	rig_make_file(FILE_PATH, RIG_FILE_BYTES);
	rig_each_reader(is_misaligned);
}

static struct scratch_loop device;

static void reads_a_device(const struct engine_ops *ops)
{
	struct engine_rig rig;
	uint64_t at, total = 0;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .path = device.device,
				      .block_bytes = 65536 });
	for (at = 0; at < MIB; at += 65536) {
		int64_t got = rig_io(&rig, at, 65536, 0);

		cr_assert_eq(got, 65536, "%s: %ld", ops->name, got);
		rig_expect(&rig, at, 65536, 0);
		total += (uint64_t)got;
	}
	cr_expect_eq(total, MIB);
	cr_expect_eq(rig_io(&rig, MIB, 4096, 0), 0, "%s", ops->name);
	rig_end(&rig);
}

Test(engine_conformance_disk, each_reads_a_block_device_to_its_end)
{
	scratch_namespace();
	rig_make_file("/mnt/image", MIB);
	scratch_loop_attach("/mnt/image", MIB, 0, &device);
	rig_each_reader(reads_a_device);
}

static uint64_t dirty_bytes(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct residency residency;
	struct err err;

	cr_assert(!residency_read(fd, 0, MIB, &residency, &err), "%s",
		  err.text);
	close(fd);
	return residency.dirty_bytes;
}

static void syncs(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .path = FILE_PATH,
				      .open_flags = O_WRONLY,
				      .block_bytes = 65536,
				      .is_write = true });
	memset(rig.job.buffer, 'x', 65536);
	cr_expect_eq(rig_io(&rig, 0, 65536, 0), 65536);
	cr_expect_geq(dirty_bytes(FILE_PATH), 65536, "%s", ops->name);
	cr_assert(!ops->finish(rig.state, &rig.err), "%s", rig.err.text);
	cr_expect_eq(dirty_bytes(FILE_PATH), 0, "%s: %lu", ops->name,
		     dirty_bytes(FILE_PATH));
	rig_end(&rig);
}

Test(engine_conformance_disk, each_writer_leaves_nothing_dirty)
{
	struct scratch_loop base, loop;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	rig_make_file(FILE_PATH, RIG_FILE_BYTES);
	rig_each_writer(syncs);
}

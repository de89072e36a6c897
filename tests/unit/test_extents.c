// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/extents.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "tests/unit/scratch_fs.h"

#define TIB (MIB * 1024 * 1024)

static struct extent_shares shares_of(int fd, uint64_t offset_bytes,
				      uint64_t size_bytes)
{
	struct extent_shares shares;
	struct err err;

	cr_assert(!extents_read(fd, offset_bytes, size_bytes, &shares, &err),
		  "%s", err.text);
	return shares;
}

static void expect_shares(struct extent_shares is, struct extent_shares wanted)
{
	wanted.known = true;
	cr_expect(is.known);
	cr_expect_eq(is.hole_bytes, wanted.hole_bytes, "holes: %lu, not %lu",
		     is.hole_bytes, wanted.hole_bytes);
	cr_expect_eq(is.unwritten_bytes, wanted.unwritten_bytes,
		     "unwritten: %lu, not %lu", is.unwritten_bytes,
		     wanted.unwritten_bytes);
	cr_expect_eq(is.encoded_bytes, wanted.encoded_bytes,
		     "encoded: %lu, not %lu", is.encoded_bytes,
		     wanted.encoded_bytes);
	cr_expect_eq(is.inline_bytes, wanted.inline_bytes,
		     "inline: %lu, not %lu", is.inline_bytes,
		     wanted.inline_bytes);
	cr_expect_eq(is.shared_bytes, wanted.shared_bytes,
		     "shared: %lu, not %lu", is.shared_bytes,
		     wanted.shared_bytes);
	cr_expect_eq(is.delayed_bytes, wanted.delayed_bytes,
		     "delayed: %lu, not %lu", is.delayed_bytes,
		     wanted.delayed_bytes);
}

#define EXPECT_SHARES(is, ...) \
	expect_shares(is, (struct extent_shares){ __VA_ARGS__ })

static void expect_written(struct extent_shares is)
{
	expect_shares(is, (struct extent_shares){ 0 });
}

static int make(const char *type, const char *name, uint64_t size_bytes)
{
	char path[64];

	snprintf(path, sizeof(path), "/mnt/%s/%s", type, name);
	return scratch_file_make(path, size_bytes);
}

/* Of written bytes nothing is said, also not of the tail behind the end. */
static void expect_plain(const char *type)
{
	int fd = make(type, "plain", 100001);

	expect_written(shares_of(fd, 0, 100001));
	expect_written(shares_of(fd, 4096, UINT64_MAX));
	expect_written(shares_of(fd, 100001, MIB));
	expect_written(shares_of(fd, UINT64_MAX, UINT64_MAX));
	close(fd);
}

static void expect_holes(const char *type)
{
	int fd = make(type, "holes", 0);

	cr_assert(!ftruncate(fd, (off_t)MIB));
	EXPECT_SHARES(shares_of(fd, 0, MIB), .hole_bytes = MIB);
	EXPECT_SHARES(shares_of(fd, 1000, 5000), .hole_bytes = 5000);
	EXPECT_SHARES(shares_of(fd, MIB - 10, MIB), .hole_bytes = 10);
	close(fd);
}

/* st_blocks says that all is there; FIEMAP does not. */
static void expect_unwritten(const char *type)
{
	int fd = make(type, "unwritten", 0);

	cr_assert(!fallocate(fd, 0, 0, (off_t)MIB));
	EXPECT_SHARES(shares_of(fd, 0, MIB), .unwritten_bytes = MIB);
	EXPECT_SHARES(shares_of(fd, 70000, 1), .unwritten_bytes = 1);
	/* Half of it written, a quarter cut off, a quarter punched out. */
	cr_assert(!lseek(fd, 0, SEEK_SET));
	for (int i = 0; i < 128; i++)
		cr_assert(write(fd, (char[4096]){ "x" }, 4096) == 4096);
	cr_assert(!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			     MIB / 2, MIB / 4));
	EXPECT_SHARES(shares_of(fd, 0, MIB), .hole_bytes = MIB / 4,
		      .unwritten_bytes = MIB / 4);
	EXPECT_SHARES(shares_of(fd, MIB / 2 - 1, MIB / 4 + 3),
		      .hole_bytes = MIB / 4, .unwritten_bytes = 2);
	close(fd);
}

/* Space kept behind the end of the file is not read. */
static void expect_end(const char *type)
{
	int fd = make(type, "end", 65536);

	cr_assert(!fallocate(fd, FALLOC_FL_KEEP_SIZE, 65536, (off_t)MIB));
	expect_written(shares_of(fd, 0, UINT64_MAX));
	close(fd);
}

/* More extents than come in one answer. */
static void expect_pages(const char *type)
{
	int fd = make(type, "pages", 0);
	uint64_t i;

	/* Before the writes: xfs fills up what grows by writing. */
	cr_assert(!ftruncate(fd, 400 * 16384));
	for (i = 0; i < 400; i++)
		cr_assert(pwrite(fd, "x", 1, (off_t)(i * 16384 + 8192)) == 1);
	EXPECT_SHARES(shares_of(fd, 0, UINT64_MAX),
		      .hole_bytes = 400 * (16384 - 4096));
	EXPECT_SHARES(shares_of(fd, 8192, 300 * 16384),
		      .hole_bytes = 300 * (16384 - 4096));
	close(fd);
}

static void expect_all(const char *type)
{
	struct scratch_loop base, loop;

	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	expect_plain(type);
	expect_holes(type);
	expect_unwritten(type);
	expect_end(type);
	if (sysconf(_SC_PAGESIZE) == 4096)
		expect_pages(type);
}

Test(extents, holes_and_unwritten_bytes_of_ext4_are_counted)
{
	expect_all("ext4");
}

Test(extents, holes_and_unwritten_bytes_of_xfs_are_counted)
{
	expect_all("xfs");
}

Test(extents, holes_and_unwritten_bytes_of_btrfs_are_counted)
{
	expect_all("btrfs");
}

Test(extents, terabytes_are_counted_in_64_bits)
{
	struct scratch_loop base, loop;
	int fd;

	scratch_begin(&base);
	scratch_fs_make("xfs", NULL, &loop);
	fd = make("xfs", "huge", 0);
	cr_assert(!ftruncate(fd, (off_t)(7 * TIB)));
	cr_assert(pwrite(fd, (char[65536]){ "x" }, 65536, (off_t)(5 * TIB)) ==
		  65536);
	EXPECT_SHARES(shares_of(fd, 0, UINT64_MAX),
		      .hole_bytes = 7 * TIB - 65536);
	expect_written(shares_of(fd, 5 * TIB, 65536));
	EXPECT_SHARES(shares_of(fd, 5 * TIB - 1, 65538), .hole_bytes = 2);
}

static void expect_reflinked(const char *type)
{
	struct scratch_loop base, loop;
	int fd, copy;

	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	fd = make(type, "one", MIB);
	copy = make(type, "two", 0);
	if (ioctl(copy, FICLONE, fd) < 0)
		cr_skip_test("needs %s with reflinks", type);
	EXPECT_SHARES(shares_of(fd, 0, MIB), .shared_bytes = MIB);
	EXPECT_SHARES(shares_of(copy, 4096, 8192), .shared_bytes = 8192);
}

Test(extents, both_files_of_a_reflink_share_on_xfs)
{
	expect_reflinked("xfs");
}

Test(extents, both_files_of_a_reflink_share_on_btrfs)
{
	expect_reflinked("btrfs");
}

Test(extents, compressed_and_inline_bytes_are_told)
{
	static const char zeros[65536];
	struct scratch_loop base, loop;
	int fd, i;

	scratch_begin(&base);
	scratch_fs_make("btrfs", "compress-force=zlib", &loop);
	fd = make("btrfs", "packed", 0);
	/* 256 extents of 128 KiB: more than one answer. */
	for (i = 0; i < 512; i++)
		cr_assert(write(fd, zeros, sizeof(zeros)) == sizeof(zeros));
	EXPECT_SHARES(shares_of(fd, 0, 32 * MIB), .encoded_bytes = 32 * MIB);
	EXPECT_SHARES(shares_of(fd, 1, 1000), .encoded_bytes = 1000);
	close(fd);
	fd = make("btrfs", "tiny", 100);
	cr_expect_eq(shares_of(fd, 0, 4096).inline_bytes, 100);
	cr_expect_eq(shares_of(fd, 0, 4096).hole_bytes, 0);
}

Test(extents, a_block_device_has_none_of_these)
{
	struct scratch_loop base;

	scratch_begin(&base);
	expect_written(shares_of(base.fd, 0, UINT64_MAX));
}

Test(extents, a_loop_device_has_the_holes_of_its_image)
{
	struct scratch_loop base, loop;
	int image;

	scratch_begin(&base);
	image = scratch_file_make(SCRATCH_BASE "/image", MIB);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, 0, &loop);
	EXPECT_SHARES(shares_of(loop.fd, 0, UINT64_MAX), .hole_bytes = 3 * MIB);
	EXPECT_SHARES(shares_of(loop.fd, MIB - 4096, 8192), .hole_bytes = 4096);
	expect_written(shares_of(loop.fd, 4 * MIB, MIB));
	close(image);
}

Test(extents, a_loop_device_begins_where_it_does_in_its_image)
{
	struct scratch_loop base, loop;
	struct loop_info64 info;
	int image;

	scratch_begin(&base);
	image = scratch_file_make(SCRATCH_BASE "/image", MIB);
	scratch_loop_attach(SCRATCH_BASE "/image", 4 * MIB, 0, &loop);
	cr_assert(!ioctl(loop.fd, LOOP_GET_STATUS64, &info));
	info.lo_offset = MIB - 4096;
	info.lo_sizelimit = 65536;
	cr_assert(!ioctl(loop.fd, LOOP_SET_STATUS64, &info));
	EXPECT_SHARES(shares_of(loop.fd, 0, UINT64_MAX),
		      .hole_bytes = 65536 - 4096);
	close(image);
}

Test(extents, a_file_system_without_fiemap_is_not_known)
{
	int fd = memfd_create("rawread-unit", MFD_CLOEXEC);

	cr_assert(fd >= 0);
	cr_assert(!ftruncate(fd, (off_t)MIB));
	cr_expect_not(shares_of(fd, 0, MIB).known);
	cr_expect_eq(shares_of(fd, 0, MIB).hole_bytes, 0);
	close(fd);
}

Test(extents, a_broken_descriptor_is_an_error)
{
	struct extent_shares shares;
	struct err err;

	cr_expect_eq(extents_read(-1, 0, 1, &shares, &err), -EBADF);
	cr_expect(strstr(err.text, "Bad file descriptor"), "%s", err.text);
}

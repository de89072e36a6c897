// SPDX-License-Identifier: GPL-2.0-or-later
/* What file systems take of the flags, which hangs on the kernel too. */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/record/params.h"
#include "lib/system/residency.h"
#include "tests/unit/engine_rig.h"
#include "tests/unit/scratch_fs.h"

/*
 * Reads with @rwf, in full; or is refused with the reason, of which
 * @suspects are the flags. Returns whether it was read.
 */
static bool is_taken(const char *path, unsigned int rwf, const char *suspects)
{
	struct io_op op = { .offset_bytes = 4096, .size_bytes = 4096 };
	struct engine_rig rig;
	char expected[256];
	struct err err;
	int64_t got;

	rig_begin(&rig, &engine_preadv2,
		  &(struct rig_want){ .path = path, .rwf = rwf });
	/* Of a cold file it might be short. */
	rig_io(&rig, 4096, 4096, 0);
	got = rig_do(&rig, &op);
	if (got < 0) {
		cr_assert_eq(got, -EOPNOTSUPP, "%s: %ld", path, got);
		cr_assert(engine_preadv2.explain(rig.state, &op, -EOPNOTSUPP,
						 &err));
		snprintf(expected, sizeof(expected),
			 "n/a: %s: its file system does not take %s of preadv2",
			 path, suspects);
		cr_expect_str_eq(err.text, expected);
	} else {
		cr_expect_eq(got, 4096, "%s: %ld", path, got);
		rig_expect(&rig, 4096, 4096, 0);
	}
	rig_end(&rig);
	return got >= 0;
}

static bool takes_nowait(const char *path)
{
	bool nowait, dontcache;

	cr_expect(is_taken(path, 0, ""), "%s", path);
	cr_expect(is_taken(path, RWF_FLAG_HIPRI, "RWF_HIPRI"), "%s", path);
	nowait = is_taken(path, RWF_FLAG_NOWAIT, "RWF_NOWAIT");
	dontcache = is_taken(path, RWF_FLAG_DONTCACHE, "RWF_DONTCACHE");
	cr_expect_eq(
		is_taken(path,
			 RWF_FLAG_NOWAIT | RWF_FLAG_HIPRI | RWF_FLAG_DONTCACHE,
			 "RWF_NOWAIT or RWF_DONTCACHE"),
		nowait && dontcache, "%s", path);
	return nowait;
}

static bool takes_nowait_on(const char *type)
{
	struct scratch_loop base, loop;
	char path[32];

	scratch_begin(&base);
	scratch_fs_make(type, NULL, &loop);
	snprintf(path, sizeof(path), "/mnt/%s/foo", type);
	rig_make_file(path, RIG_FILE_BYTES);
	return takes_nowait(path);
}

Test(engine_preadv2, takes_or_names_each_flag_on_ext4)
{
	cr_expect(takes_nowait_on("ext4"));
}

Test(engine_preadv2, takes_or_names_each_flag_on_xfs)
{
	cr_expect(takes_nowait_on("xfs"));
}

Test(engine_preadv2, takes_or_names_each_flag_on_btrfs)
{
	cr_expect(takes_nowait_on("btrfs"));
}

Test(engine_preadv2, takes_or_names_each_flag_on_tmpfs)
{
	scratch_namespace();
	rig_make_file("/mnt/foo", RIG_FILE_BYTES);
	takes_nowait("/mnt/foo");
}

static void image_of(const char *command, const char *type)
{
	struct scratch_loop loop;
	char tool[16];

	sscanf(command, "%15s", tool);
	scratch_namespace();
	cr_assert(!system("mkdir /mnt/tree"));
	rig_make_file("/mnt/tree/foo", RIG_FILE_BYTES);
	if (system(command))
		cr_skip_test("needs %s", tool);
	scratch_loop_attach("/mnt/image", 0, 0, &loop);
	scratch_mount(type, loop.device, "/mnt/it", "ro");
	takes_nowait("/mnt/it/foo");
}

Test(engine_preadv2, takes_or_names_each_flag_on_squashfs)
{
	image_of("mksquashfs /mnt/tree /mnt/image -quiet >/dev/null 2>&1",
		 "squashfs");
}

Test(engine_preadv2, takes_or_names_each_flag_on_erofs)
{
	image_of("mkfs.erofs -E force-inode-compact /mnt/image /mnt/tree "
		 ">/dev/null 2>&1",
		 "erofs");
}

Test(engine_preadv2, asks_again_without_nowait_for_what_is_not_cached)
{
	struct io_op op = { .size_bytes = 4096 };
	struct scratch_loop base, loop;
	struct engine_rig rig;
	struct err err;
	int fd;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	rig_make_file("/mnt/ext4/foo", RIG_FILE_BYTES);
	fd = open("/mnt/ext4/foo", O_RDONLY);
	cr_assert(!residency_drop(fd, &err), "%s", err.text);
	close(fd);
	rig_begin(&rig, &engine_preadv2,
		  &(struct rig_want){ .path = "/mnt/ext4/foo",
				      .rwf = RWF_FLAG_NOWAIT });
	cr_expect_eq(rig_do(&rig, &op), 4096);
	rig_expect(&rig, 0, 4096, 0);
	cr_expect_eq(op.retries, 1, "%lu", op.retries);
	/* Now it is there; the count is the worker's to keep. */
	cr_expect_eq(rig_do(&rig, &op), 4096);
	cr_expect_eq(op.retries, 1, "%lu", op.retries);
	rig_end(&rig);
}

Test(engine_preadv2, leaves_other_errors_to_the_caller)
{
	struct io_op op = { .size_bytes = 4096 };
	struct engine_rig rig;
	struct err err;

	rig_begin(&rig, &engine_preadv2,
		  &(struct rig_want){ .rwf = RWF_FLAG_DONTCACHE });
	cr_expect_not(engine_preadv2.explain(rig.state, &op, -EIO, &err));
	rig_end(&rig);
	rig_begin(&rig, &engine_preadv2, &(struct rig_want){ 0 });
	cr_expect_not(
		engine_preadv2.explain(rig.state, &op, -EOPNOTSUPP, &err));
	rig_end(&rig);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/storage.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage_stack.h"

/* A machine with every kind of device: see tests/fixtures/storage. */
static char *root(void)
{
	const char *tests = getenv("TESTS");
	char *path =
		text_format("%s/fixtures/storage", tests ? tests : "tests");

	cr_assert(path);
	return path;
}

static int descend(const char *name, struct storage *storage, struct err *err)
{
	char *below = root();
	int rc = storage_descend(below, name, 0, storage, err);

	free(below);
	return rc;
}

static bool lists(const struct storage *storage, const char *name)
{
	size_t i;

	for (i = 0; i < storage->lowest_count; i++)
		if (!strcmp(storage->lowest[i].name, name))
			return true;
	return false;
}

/* The lowest devices of @name are @first and @second (NULL: only one). */
static void expect_lowest(const char *name, const char *first,
			  const char *second)
{
	struct storage storage = { 0 };
	struct err err;

	cr_assert(!descend(name, &storage, &err), "%s: %s", name, err.text);
	cr_expect_eq(storage.lowest_count, second ? 2 : 1, "%s: %zu", name,
		     storage.lowest_count);
	cr_expect(lists(&storage, first), "%s: no %s", name, first);
	if (second)
		cr_expect(lists(&storage, second), "%s: no %s", name, second);
	storage_free(&storage);
}

Test(storage, a_disk_and_a_partition_are_their_own_lowest)
{
	expect_lowest("sda", "sda", NULL);
	expect_lowest("sda1", "sda1", NULL);
	expect_lowest("zram0", "zram0", NULL);
	expect_lowest("cciss!c0d0", "cciss!c0d0", NULL);
	/* A loop device that nothing is attached to. */
	expect_lowest("loop3", "loop3", NULL);
}

Test(storage, dm_and_md_are_followed_to_their_members)
{
	expect_lowest("dm-0", "sda2", NULL);
	expect_lowest("dm-1", "sda2", "sdb");
	expect_lowest("md0", "sdb", "sdc");
}

Test(storage, a_partition_of_an_array_is_on_the_arrays_members)
{
	expect_lowest("md0p1", "sdb", "sdc");
}

Test(storage, devices_have_their_numbers)
{
	struct storage storage = { 0 };
	struct err err;

	cr_assert(!descend("dm-0", &storage, &err), "%s", err.text);
	cr_expect_eq(storage.lowest[0].dev, makedev(8, 2));
	storage_free(&storage);
}

Test(storage, a_circle_of_devices_ends)
{
	struct storage storage = { 0 };
	struct err err;

	cr_expect_eq(descend("dm-8", &storage, &err), -ELOOP);
	cr_expect(strstr(err.text, "dm-"), "%s", err.text);
	storage_free(&storage);
}

Test(storage, a_device_that_went_is_named)
{
	struct storage storage = { 0 };
	struct err err;

	cr_expect_eq(descend("sdz", &storage, &err), -ENOENT);
	cr_expect(strstr(err.text, "sdz"), "%s", err.text);
	storage_free(&storage);
}

Test(storage, a_loop_whose_file_is_out_of_sight_is_its_own_lowest)
{
	struct storage storage = { 0 };
	struct err err;

	cr_assert(!descend("loop1", &storage, &err), "%s", err.text);
	cr_assert_eq(storage.lowest_count, 1);
	cr_expect_str_eq(storage.lowest[0].name, "loop1");
	cr_assert(storage.layer);
	cr_expect(strstr(storage.layer,
			 "loop1 has no direct I/O, and its backing file "
			 "/images/gone.img (deleted) is out of sight"),
		  "%s", storage.layer);
	storage_free(&storage);
}

Test(storage, with_direct_io_a_file_out_of_sight_caches_nothing)
{
	struct storage storage = { 0 };
	struct err err;

	cr_assert(!descend("loop2p1", &storage, &err), "%s", err.text);
	cr_assert_eq(storage.lowest_count, 1);
	cr_expect_str_eq(storage.lowest[0].name, "loop2p1");
	cr_expect_null(storage.layer);
	cr_expect_not(storage.hidden);
	storage_free(&storage);
}

static int take_name(const char *name, void *input, struct err *err)
{
	char **names = input, *longer;

	(void)err;
	longer = text_format("%s %s", *names ? *names : "", name);
	free(*names);
	*names = longer;
	return 0;
}

Test(storage, members_of_btrfs_that_are_missing_are_passed_over)
{
	char *below = root(), *names = NULL;
	struct err err;
	int rc;

	rc = storage_each_link(below,
			       "/sys/fs/btrfs/11111111-2222-3333-4444-"
			       "555555555555/devices",
			       take_name, &names, &err);
	cr_assert_eq(rc, 2, "%d", rc);
	cr_expect(strstr(names, " sda1") && strstr(names, " sdc"), "%s", names);
	free(names);
	free(below);
}

Test(storage, names_and_numbers_lead_to_each_other)
{
	char *below = root(), *name, *disk;
	struct err err;
	dev_t dev;

	cr_assert(!storage_name_of_dev(below, makedev(259, 0), &name, &err));
	cr_expect_str_eq(name, "md0p1");
	cr_assert(!storage_disk_of_name(below, name, &disk, &err));
	cr_expect_str_eq(disk, "md0");
	cr_assert(!storage_dev_of_name(below, disk, &dev, &err));
	cr_expect_eq(dev, makedev(9, 0));
	free(disk);
	free(name);
	cr_expect_eq(storage_name_of_dev(below, makedev(1, 1), &name, &err),
		     -ENOENT);
	cr_expect_null(name);
	free(below);
}

static void add(struct storage *storage, const char *mount, const char *lowest,
		const char *layer)
{
	struct err err;
	dev_t dev = makedev(8, (unsigned int)mount[2]);

	cr_assert(!storage_device_add(&storage->mount, &storage->mount_count,
				      mount, dev, &err));
	dev = makedev(8, (unsigned int)lowest[2]);
	cr_assert(!storage_device_add(&storage->lowest, &storage->lowest_count,
				      lowest, dev, &err));
	if (layer)
		cr_assert(!storage_layer_add(storage, &err, "%s", layer));
}

Test(storage, what_several_targets_share_is_listed_once)
{
	struct storage a = { 0 }, b = { 0 };
	struct err err;

	add(&a, "sdx", "sdy", "one");
	add(&b, "sdx", "sdz", "one");
	add(&b, "sdv", "sdy", "two");
	b.hidden = true;
	cr_assert(!storage_merge(&a, &b, &err), "%s", err.text);
	cr_expect_eq(a.mount_count, 2);
	cr_expect_eq(a.lowest_count, 2);
	cr_expect_str_eq(a.mount[1].name, "sdv");
	cr_expect_str_eq(a.lowest[1].name, "sdz");
	cr_expect_str_eq(a.layer, "one; two");
	cr_expect(a.hidden);
	storage_free(&b);
	cr_expect_str_eq(a.mount[1].name, "sdv");
	storage_free(&a);
}

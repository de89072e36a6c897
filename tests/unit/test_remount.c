// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/remount.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/mount.h>

#include "lib/base/err.h"
#include "sweep/remount_check.h"
#include "sweep/sweep_targets.h"

static struct err err;

/* A mount that may be flushed, for each test to spoil. */
static struct mount_entry good_mount(void)
{
	static char source[] = "/dev/sdb1", target[] = "/mnt/mnt1",
		    root[] = "/", type[] = "ext4",
		    options[] = "rw,noatime,data=ordered",
		    vfs_options[] = "rw,noatime",
		    fs_options[] = "rw,data=ordered";

	return (struct mount_entry){ .id = 40,
				     .parent_id = 22,
				     .source = source,
				     .target = target,
				     .root = root,
				     .fs_type = type,
				     .options = options,
				     .vfs_options = vfs_options,
				     .fs_options = fs_options,
				     .propagation = MS_SHARED };
}

static void expect_refused(const struct mount_entry *mount, const char *why)
{
	err.text[0] = '\0';
	cr_expect_lt(remount_check_mount(mount, &err), 0, "%s %s is let pass",
		     mount->fs_type, mount->target);
	cr_expect(strstr(err.text, why), "'%s' in: %s", why, err.text);
	cr_expect(strstr(err.text, mount->target), "%s in: %s", mount->target,
		  err.text);
}

Test(remount_check, an_ordinary_mount_passes)
{
	struct mount_entry mount = good_mount();

	cr_expect_eq(remount_check_mount(&mount, &err), 0, "%s", err.text);
}

Test(remount_check, file_systems_that_are_not_flushed_by_it_are_refused)
{
	static const struct {
		char type[16], why[48];
	} cases[] = {
		{ "tmpfs", "lives in memory" },
		{ "ramfs", "lives in memory" },
		{ "fuse", "a FUSE mount (fuse)" },
		{ "fuse.sshfs", "a FUSE mount (fuse.sshfs)" },
		{ "fuseblk", "a FUSE mount (fuseblk)" },
		{ "overlay", "is an overlay" },
		{ "nfs4", "a network file system (nfs4)" },
		{ "cifs", "a network file system (cifs)" },
		{ "9p", "a network file system (9p)" },
		{ "virtiofs", "a network file system (virtiofs)" },
	};
	struct mount_entry mount = good_mount();
	char type[16];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strcpy(type, cases[i].type);
		mount.fs_type = type;
		expect_refused(&mount, cases[i].why);
	}
}

Test(remount_check, mounts_of_the_system_are_refused)
{
	static const char *const targets[] = { "/", "/boot", "/home" };
	struct mount_entry mount = good_mount();
	char target[16];
	size_t i;

	for (i = 0; i < 3; i++) {
		strcpy(target, targets[i]);
		mount.target = target;
		expect_refused(&mount, "belongs to the system");
	}
	strcpy(target, "/home/bench");
	cr_expect_eq(remount_check_mount(&mount, &err), 0, "%s", err.text);
}

Test(remount_check, a_root_that_is_not_the_whole_is_a_bind_mount_but_on_btrfs)
{
	struct mount_entry mount = good_mount();
	char root[] = "/sub", type[] = "btrfs",
	     subvolume[] = "rw,subvolid=256,subvol=/sub";

	mount.root = root;
	expect_refused(&mount, "a bind mount of /sub on /dev/sdb1");
	mount.fs_type = type;
	mount.fs_options = subvolume;
	cr_expect_eq(remount_check_mount(&mount, &err), 0, "%s", err.text);
}

Test(remount_check, a_directory_of_a_btrfs_is_a_bind_mount_too)
{
	struct mount_entry mount = good_mount();
	char root[] = "/vol/dir", type[] = "btrfs", comma[] = "/a,b",
	     options[] = "rw,subvolid=256,subvol=/vol",
	     longer[] = "rw,subvol=/vol/dir2", two_options[] = "rw,subvol=/a,b";

	mount.root = root;
	mount.fs_type = type;
	expect_refused(&mount, "a bind mount of /vol/dir on /dev/sdb1");
	mount.fs_options = options;
	expect_refused(&mount, "a bind mount of /vol/dir on /dev/sdb1");
	mount.fs_options = longer;
	expect_refused(&mount, "a bind mount of /vol/dir on /dev/sdb1");
	mount.root = comma;
	mount.fs_options = two_options;
	expect_refused(&mount, "a bind mount of /a,b on /dev/sdb1");
}

Test(remount_check, peers_and_slaves_of_a_mount_are_named)
{
	char other[] = "/mnt/other";
	struct mount_entry mounts[2] = { good_mount(), good_mount() };
	const struct mount_list all = { .mounts = mounts, .count = 2 };

	mounts[0].peer_group = 7;
	mounts[1].id = 41;
	mounts[1].target = other;
	cr_expect_eq(remount_check_peers(&mounts[0], &all, &err), 0);
	mounts[1].peer_group = 8;
	cr_expect_eq(remount_check_peers(&mounts[0], &all, &err), 0);
	mounts[1].peer_group = 7;
	cr_expect_eq(remount_check_peers(&mounts[0], &all, &err), -EBUSY);
	cr_expect(strstr(err.text, "/mnt/mnt1 passes its mounts on to "
				   "/mnt/other"),
		  "%s", err.text);
	mounts[1].peer_group = 0;
	mounts[1].master_group = 7;
	cr_expect_eq(remount_check_peers(&mounts[0], &all, &err), -EBUSY);
	mounts[0].peer_group = 0;
	mounts[1].master_group = 0;
	cr_expect_eq(remount_check_peers(&mounts[0], &all, &err), 0);
}

Test(remount_check, what_mount_could_not_make_the_same_is_refused)
{
	struct mount_entry mount = good_mount();
	char read_only[] = "ro,noatime", all_read_only[] = "ro",
	     id_mapped[] = "rw,relatime,idmapped";

	mount.stacked = 1;
	expect_refused(&mount, "something else is mounted at");
	mount.stacked = 0;
	mount.propagation = MS_SLAVE | MS_SHARED;
	expect_refused(&mount, "(slave)");
	mount.propagation = MS_PRIVATE;
	mount.vfs_options = id_mapped;
	expect_refused(&mount, "(idmapped)");
	mount.vfs_options = read_only;
	expect_refused(&mount, "is read-only and its file system is not");
	mount.fs_options = all_read_only;
	cr_expect_eq(remount_check_mount(&mount, &err), 0, "%s", err.text);
}

Test(remount_check, an_option_that_only_begins_with_ro_is_another)
{
	struct mount_entry mount = good_mount();
	char options[] = "rw,norecovery,rotten", fs_options[] = "rw";

	mount.vfs_options = options;
	mount.fs_options = fs_options;
	cr_expect_eq(remount_check_mount(&mount, &err), 0, "%s", err.text);
}

Test(remount_check, a_mount_below_has_to_be_listed_too)
{
	char below[] = "/mnt/mnt1/sub";
	struct mount_entry mounts[2] = { good_mount(), good_mount() };
	const struct mount_list all = { .mounts = mounts, .count = 2 };
	struct sweep_target list[2] = { 0 };
	struct sweep_targets targets = { .list = list, .count = 1 };

	mounts[1].id = 41;
	mounts[1].parent_id = 40;
	mounts[1].target = below;
	list[0].mount = mounts[0];
	list[1].mount = mounts[1];
	cr_expect_eq(remount_check_children(&mounts[0], &targets, &all, &err),
		     -EBUSY);
	cr_expect(strstr(err.text, "/mnt/mnt1/sub is mounted below /mnt/mnt1"),
		  "%s", err.text);
	targets.count = 2;
	cr_expect_eq(remount_check_children(&mounts[0], &targets, &all, &err),
		     0);
}

static void expect_order(const int *ids, const int *parents,
			 const size_t *ranks, size_t count, const size_t *order)
{
	size_t found[8], i;

	remount_order(ids, parents, ranks, count, found);
	for (i = 0; i < count; i++)
		cr_expect_eq(found[i], order[i], "place %zu is %zu, not %zu", i,
			     found[i], order[i]);
}

Test(remount_order, mounts_come_back_as_they_stand_in_the_table)
{
	static const int ids[] = { 10, 11, 12 }, parents[] = { 1, 1, 1 };
	static const size_t ranks[] = { 7, 3, 5 }, order[] = { 1, 2, 0 };

	expect_order(ids, parents, ranks, 3, order);
}

Test(remount_order, a_mount_comes_after_the_one_it_lies_on_wherever_it_stands)
{
	/* 12 lies on 10, which lies on 11, and the table has them reversed. */
	static const int ids[] = { 10, 11, 12 }, parents[] = { 11, 1, 10 };
	static const size_t ranks[] = { 2, 3, 1 }, order[] = { 1, 0, 2 };

	expect_order(ids, parents, ranks, 3, order);
}

Test(remount_order, what_does_not_hang_together_keeps_its_place)
{
	static const int ids[] = { 10, 20, 11, 30 },
			 parents[] = { 1, 1, 10, 1 };
	static const size_t ranks[] = { 1, 3, 2, 4 }, order[] = { 0, 2, 1, 3 };

	expect_order(ids, parents, ranks, 4, order);
}

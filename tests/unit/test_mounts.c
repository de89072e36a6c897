// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/mounts.h"
#include "tests/unit/scratch_fs.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"

/* As the kernel writes it: blanks, tabs and backslashes in octal. */
static const char mountinfo[] =
	"22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
	"30 22 7:0 / /mnt/my\\040disk\\040#1 rw,noatime shared:7 - ext4 "
	"/dev/loop0 rw,commit=77\n"
	"31 30 0:40 /vol /mnt/my\\040disk\\040#1/tab\\011and\\134back ro - "
	"btrfs /dev/loop1 rw,subvol=/vol\n"
	"32 22 7:2 /sub /srv rw master:3 - xfs /dev/loop2 rw\n"
	"33 32 7:3 / /srv rw unbindable - xfs /dev/loop3 rw\n";

static char root[64];
static struct mount_list list;
static struct err err;

static void read_fixture(void)
{
	char path[128];
	FILE *out;

	snprintf(root, sizeof(root), "/tmp/rawread-mounts.%d", (int)getpid());
	cr_assert_eq(mkdir(root, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc", root);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/self", root);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	out = fopen(path, "w");
	cr_assert(out);
	fputs(mountinfo, out);
	fclose(out);
	cr_assert_eq(mount_list_read(root, &list, &err), 0, "%s", err.text);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc/self", root);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
}

static void free_fixture(void)
{
	mount_list_free(&list);
}

TestSuite(mounts, .init = read_fixture, .fini = free_fixture);

Test(mounts, the_names_in_mountinfo_are_decoded)
{
	cr_assert_eq(list.count, 5);
	cr_expect_str_eq(list.mounts[1].target, "/mnt/my disk #1");
	cr_expect_str_eq(list.mounts[2].target,
			 "/mnt/my disk #1/tab\tand\\back");
}

Test(mounts, each_field_of_a_line_is_told)
{
	const struct mount_entry *mount = &list.mounts[2];

	cr_expect_eq(mount->id, 31);
	cr_expect_eq(mount->parent_id, 30);
	cr_expect_str_eq(mount->source, "/dev/loop1");
	cr_expect_str_eq(mount->root, "/vol");
	cr_expect_str_eq(mount->fs_type, "btrfs");
	cr_expect_str_eq(mount->options, "ro,subvol=/vol");
	cr_expect_str_eq(mount->vfs_options, "ro");
	cr_expect_str_eq(mount->fs_options, "rw,subvol=/vol");
	cr_expect_eq(mount->peer_group, 0);
	cr_expect_eq(list.mounts[1].peer_group, 7);
	cr_expect_eq(list.mounts[1].master_group, 0);
	cr_expect_eq(list.mounts[3].master_group, 3);
}

Test(mounts, children_and_stacked_mounts_are_counted)
{
	cr_expect_eq(list.mounts[0].children, 2);
	cr_expect_eq(list.mounts[1].children, 1);
	cr_expect_eq(list.mounts[2].children, 0);
	cr_expect_eq(list.mounts[2].stacked, 0);
	cr_expect_eq(list.mounts[3].stacked, 1);
	cr_expect_eq(list.mounts[4].stacked, 1);
}

Test(mounts, propagation_is_one_word_for_each_kind)
{
	cr_expect_eq(list.mounts[0].propagation, MS_SHARED);
	cr_expect_eq(list.mounts[2].propagation, MS_PRIVATE);
	cr_expect_eq(list.mounts[3].propagation, MS_SLAVE);
	cr_expect_eq(list.mounts[4].propagation, MS_UNBINDABLE);
}

Test(mounts, a_table_that_is_not_there_is_an_error_with_its_name)
{
	struct mount_list none;

	cr_expect_eq(mount_list_read("/no/such/root", &none, &err), -ENOENT);
	cr_expect(strstr(err.text, "/no/such/root/proc/self/mountinfo"));
	cr_expect_eq(none.count, 0);
}

Test(mount_find, proc_is_found_and_what_lies_in_it_is_not)
{
	struct mount_entry mount;

	cr_assert_eq(mount_find("/proc", &mount, &err), 0, "%s", err.text);
	cr_expect_str_eq(mount.fs_type, "proc");
	mount_free(&mount);
	cr_expect_eq(mount_find("/proc/self/fd", &mount, &err), -ENOENT);
	cr_expect_str_eq(err.text, "/proc/self/fd is not a mount point");
	cr_expect_null(mount.target);
}

Test(mount_find, a_name_that_is_not_there_is_told_as_the_kernel_does)
{
	struct mount_entry mount;

	cr_expect_eq(mount_find("/no/such/thing", &mount, &err), -ENOENT);
	cr_expect_str_eq(err.text,
			 "open /no/such/thing: No such file or directory");
}

Test(mount_find, a_symlink_leads_to_the_mount)
{
	struct mount_entry mount;
	char link[64];

	snprintf(link, sizeof(link), "/tmp/rawread-link.%d", (int)getpid());
	cr_assert_eq(symlink("/proc", link), 0);
	cr_expect_eq(mount_find(link, &mount, &err), 0, "%s", err.text);
	cr_expect_str_eq(mount.target, "/proc");
	mount_free(&mount);
	unlink(link);
}

Test(mount_of_fd, a_file_is_reached_through_the_mount_that_holds_it)
{
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	struct mount_entry mount;

	cr_assert(fd >= 0);
	cr_assert_eq(mount_of_fd(fd, &mount, &err), 0, "%s", err.text);
	cr_expect_str_eq(mount.target, "/proc");
	mount_free(&mount);
	close(fd);
}

Test(mount_of_fd, a_pipe_is_on_no_mount)
{
	struct mount_entry mount;
	int fds[2];

	cr_assert_eq(pipe(fds), 0);
	cr_expect_eq(mount_of_fd(fds[0], &mount, &err), -ENOENT);
	close(fds[0]);
	close(fds[1]);
}

static void mount_odd_name(const char *at, unsigned long propagation,
			   struct mount_entry *entry)
{
	cr_assert_eq(mkdir(at, 0700), 0);
	cr_assert_eq(mount("a source", at, "tmpfs", MS_NOATIME | MS_NOSUID,
			   "size=64k,mode=711"),
		     0);
	cr_assert_eq(mount(NULL, at, NULL, propagation, NULL), 0);
	cr_assert_eq(mount_find(at, entry, &err), 0, "%s", err.text);
	cr_assert_str_eq(entry->target, at);
}

Test(mount_attach, what_was_detached_comes_back_the_same)
{
	static const char *const names[] = { "/mnt/my disk #1",
					     "/mnt/tab\tand\\back", "/mnt/-o",
					     "/mnt/%s\n" };
	struct mount_entry mount, gone;
	size_t i;

	scratch_namespace();
	for (i = 0; i < 4; i++) {
		mount_odd_name(names[i], i & 1 ? MS_SHARED : MS_UNBINDABLE,
			       &mount);
		cr_expect_eq(mount_detach(&mount, &err), 0, "%s", err.text);
		cr_expect_eq(mount_find(names[i], &gone, &err), -ENOENT);
		cr_expect_eq(mount_attach(&mount, &err), 0, "%s", err.text);
		mount_free(&mount);
	}
}

/* None of them is a word of mountinfo that mount(2) makes again by itself. */
Test(mount_attach, flags_of_the_mount_alone_come_back)
{
	static const unsigned long flags[] = { MS_STRICTATIME,
					       MS_STRICTATIME | MS_NODIRATIME };
	struct mount_entry entry;
	size_t i;

	scratch_namespace();
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		char at[] = "/mnt/0";

		at[5] = (char)('0' + i);
		mount_odd_name(at, MS_PRIVATE, &entry);
		mount_free(&entry);
		cr_assert_eq(mount(NULL, at, NULL,
				   MS_REMOUNT | MS_BIND | flags[i], NULL),
			     0);
		cr_assert_eq(mount_find(at, &entry, &err), 0);
		cr_expect_eq(mount_detach(&entry, &err), 0, "%s", err.text);
		cr_expect_eq(mount_attach(&entry, &err), 0, "%s", err.text);
		mount_free(&entry);
	}
}

Test(mount_attach, a_difference_is_told_by_name)
{
	struct mount_entry mount;

	scratch_namespace();
	mount_odd_name("/mnt/a", MS_PRIVATE, &mount);
	free(mount.fs_options);
	mount.fs_options = strdup("rw,size=32k");
	cr_expect_eq(mount_detach(&mount, &err), 0);
	cr_expect_eq(mount_attach(&mount, &err), -EIO);
	cr_expect(strstr(err.text, "'rw,size=32k' and is now 'rw,size=64k"),
		  "%s", err.text);
	mount_free(&mount);
}

Test(mount_attach, a_refused_mount_names_source_target_and_options)
{
	struct mount_entry mount;

	scratch_namespace();
	mount_odd_name("/mnt/a", MS_PRIVATE, &mount);
	cr_expect_eq(mount_detach(&mount, &err), 0);
	free(mount.options);
	mount.options = strdup("rw,nonsense=1");
	cr_expect_lt(mount_attach(&mount, &err), 0);
	cr_expect(strstr(err.text, "mount a source at /mnt/a as tmpfs with "
				   "rw,nonsense=1: "),
		  "%s", err.text);
	mount_free(&mount);
}

Test(mount_detach, a_busy_mount_says_ebusy_and_stays)
{
	struct mount_entry mount, still;
	int fd;

	scratch_namespace();
	mount_odd_name("/mnt/a", MS_PRIVATE, &mount);
	fd = open("/mnt/a/held", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	cr_assert(fd >= 0);
	cr_expect_eq(mount_detach(&mount, &err), -EBUSY);
	cr_expect_eq(mount_find("/mnt/a", &still, &err), 0);
	cr_expect_eq(still.id, mount.id);
	close(fd);
	mount_free(&still);
	mount_free(&mount);
}

Test(mount_uuid, what_is_no_block_device_has_none)
{
	char *uuid;

	cr_expect_eq(mount_uuid("/no/such/device", &uuid, &err), -ENOENT);
	cr_expect_null(uuid);
	cr_expect_eq(mount_uuid("/dev/null", &uuid, &err), -ENOENT);
}

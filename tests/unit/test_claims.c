// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims_loop.h"
#include "lib/system/claims_plain.h"
#include "lib/system/storage.h"

/* A machine that a test makes up, below a directory of its own. */
static char root[64];
static struct claim claim;
static struct err err;

static void sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs a line of shell at the root. */
static void sh(const char *format, ...)
{
	char line[1024], command[1200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	snprintf(command, sizeof(command), "cd %s && %s", root, line);
	cr_assert(!system(command), "%s", command);
}

/* @parent is the disk of a partition. */
static void link_device(const char *parent, const char *name,
			const char *number)
{
	sh("ln -s ../../devices/%s/%s sys/class/block/%s && "
	   "ln -s ../../devices/%s/%s sys/dev/block/%s",
	   parent, name, name, parent, name, number);
}

static void disk(const char *name, const char *number)
{
	sh("mkdir -p sys/devices/%s/holders && echo %s >sys/devices/%s/dev",
	   name, number, name);
	link_device(".", name, number);
}

static void partition(const char *parent, const char *name, const char *number)
{
	sh("mkdir -p sys/devices/%s/%s/holders && cd sys/devices/%s/%s && "
	   "echo %s >dev && echo 1 >partition",
	   parent, name, parent, name, number);
	link_device(parent, name, number);
}

static void attach(const char *name, const char *backing)
{
	sh("mkdir sys/devices/%s/loop && "
	   "echo '%s' >sys/devices/%s/loop/backing_file",
	   name, backing, name);
}

static void mounted(const char *number, const char *at, const char *type,
		    const char *source)
{
	sh("printf '%%s\\n' '30 1 %s / %s rw - %s %s rw' "
	   ">>proc/self/mountinfo",
	   number, at, type, source);
}

static void machine_begin(void)
{
	snprintf(root, sizeof(root), "/tmp/rawread-claims.%d", getpid());
	cr_assert(!mkdir(root, 0700));
	sh("mkdir -p proc/self sys/class/block sys/dev/block sys/devices dev");
	sh("echo 'Filename Type Size Used Priority' >proc/swaps");
	mounted("0:21", "/", "tmpfs", "none");
	disk("sda", "8:0");
	partition("sda", "sda1", "8:1");
	partition("sda", "sda2", "8:2");
	disk("sdb", "8:16");
	disk("dm-0", "253:0");
	disk("loop0", "7:0");
	disk("loop1", "7:1");
	disk("loop2", "7:2");
	sh("echo data >image; echo data >other");
}

static void machine_end(void)
{
	char command[96];

	claim_free(&claim);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	cr_assert(!system(command));
}

TestSuite(claims, .init = machine_begin, .fini = machine_end);

static void expect_device(unsigned int major_number, unsigned int minor_number,
			  const char *holder)
{
	dev_t dev = makedev(major_number, minor_number);
	struct claim_ways ways;

	claim_free(&claim);
	cr_assert(!claim_ways_find(root, dev, &ways, &err), "%s", err.text);
	cr_assert(!claim_of_ways(root, &ways, &claim, &err), "%s", err.text);
	claim_ways_free(&ways);
	if (!holder) {
		cr_expect_null(claim.holder, "%u:%u is %s", major_number,
			       minor_number, claim.holder);
		return;
	}
	cr_assert_not_null(claim.holder, "%u:%u is not %s", major_number,
			   minor_number, holder);
	cr_expect_str_eq(claim.holder, holder);
	cr_expect_not_null(claim.cure);
}

static void expect_file(const char *name, const char *holder)
{
	char *path = text_format("%s/%s", root, name);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	cr_assert(fd >= 0);
	free(path);
	claim_free(&claim);
	cr_assert(!claim_of_file(root, fd, &claim, &err), "%s", err.text);
	close(fd);
	if (!holder)
		cr_expect_null(claim.holder, "%s is %s", name, claim.holder);
	else
		cr_expect(claim.holder && !strcmp(claim.holder, holder),
			  "%s is '%s', not '%s'", name, claim.holder, holder);
}

Test(claims, what_nobody_holds_has_no_holder)
{
	expect_device(8, 0, NULL);
	expect_device(8, 2, NULL);
	expect_device(7, 0, NULL);
	expect_file("image", NULL);
}

Test(claims, a_device_that_is_not_there_is_an_error)
{
	struct claim_ways ways;

	cr_expect_eq(claim_ways_find(root, makedev(9, 9), &ways, &err),
		     -ENOENT);
	cr_expect_null(ways.list);
}

Test(claims, a_table_that_cannot_be_read_is_an_error)
{
	struct claim_ways ways;

	cr_assert(!claim_ways_find(root, makedev(8, 16), &ways, &err));
	sh("rm proc/self/mountinfo");
	cr_expect_lt(claim_of_ways(root, &ways, &claim, &err), 0);
	claim_ways_free(&ways);
	sh("rm -r sys/class/block");
	cr_expect_lt(claim_ways_find(root, makedev(8, 16), &ways, &err), 0);
	cr_expect_lt(claim_of_file(root, 0, &claim, &err), 0);
}

Test(claims, a_mounted_device_tells_where)
{
	mounted("8:16", "/mnt/my\\040disk", "ext4", "/dev/sdb");
	expect_device(8, 16, "mounted on /mnt/my disk");
	cr_expect_str_eq(claim.cure, "unmount it");
	expect_device(8, 0, NULL);
}

Test(claims, a_disk_is_held_by_a_mount_of_its_partition)
{
	mounted("8:1", "/mnt/x", "ext4", "/dev/sda1");
	expect_device(8, 1, "mounted on /mnt/x");
	expect_device(8, 0, "the disk of sda1, which is mounted on /mnt/x");
	expect_device(8, 2, NULL);
}

Test(claims, a_partition_is_held_by_a_mount_of_its_disk)
{
	mounted("8:0", "/mnt/x", "ext4", "/dev/sda");
	expect_device(8, 1, "a part of sda, which is mounted on /mnt/x");
	expect_device(8, 2, "a part of sda, which is mounted on /mnt/x");
}

/* Programs that mount (FUSE) do so without the device's number. */
Test(claims, a_source_is_enough_for_a_mount)
{
	mounted("0:44", "/mnt/x", "fuse.fuse2fs", "/dev/sdb");
	mounted("0:45", "/mnt/y", "fuse.squashfuse", "/image");
	expect_device(8, 16, "mounted on /mnt/x");
	expect_file("image", "mounted on /mnt/y");
	expect_file("other", NULL);
}

Test(claims, swap_is_told_of_devices_and_files)
{
	sh("printf '/dev/sda2 partition 100 0 -2\\n"
	   "/my\\\\040swap file 100 0 -3\\n' >>proc/swaps; echo >'my swap'");
	expect_device(8, 2, "swapped on");
	cr_expect_str_eq(claim.cure, "swap it off");
	expect_device(8, 0, "the disk of sda2, which is swapped on");
	expect_device(8, 1, NULL);
	expect_file("my swap", "an active swap file");
}

Test(claims, a_kernel_without_swap_is_none_of_its_users)
{
	sh("rm proc/swaps");
	expect_device(8, 0, NULL);
	expect_file("image", NULL);
}

Test(claims, a_member_of_dm_or_md_is_held)
{
	sh("ln -s ../../../../devices/dm-0 sys/devices/sda/sda2/holders/dm-0");
	expect_device(8, 2, "held by dm-0");
	expect_device(8, 0, "the disk of sda2, which is held by dm-0");
	expect_device(8, 1, NULL);
}

Test(claims, each_member_of_a_btrfs_is_held)
{
	sh("mkdir -p sys/fs/btrfs/features sys/fs/btrfs/1234/devices && "
	   "ln -s ../../../../devices/sdb sys/fs/btrfs/1234/devices/sdb");
	expect_device(8, 16, "a member of the mounted btrfs 1234");
	expect_device(8, 0, NULL);
}

Test(claims, what_lies_below_a_loop_device_is_held_by_it)
{
	attach("loop1", "/image");
	attach("loop2", "/dev/sda1");
	expect_file("image", "the backing file of loop1");
	expect_file("other", NULL);
	expect_device(8, 1, "the backing device of loop2");
	expect_device(8, 0,
		      "the disk of sda1, which is the backing device of "
		      "loop2");
	expect_device(8, 2, NULL);
	/* That is no reason against the loop devices themselves. */
	expect_device(7, 1, NULL);
	expect_device(7, 2, NULL);
}

Test(claims, a_second_loop_device_over_the_same_file_is_another_way)
{
	sh("ln image hardlink");
	attach("loop0", "/image");
	attach("loop1", "/hardlink");
	attach("loop2", "/other");
	mounted("7:1", "/mnt/x", "ext4", "/dev/loop1");
	expect_device(7, 0, "another way to loop1, which is mounted on /mnt/x");
	expect_device(7, 2, NULL);
}

Test(claims, a_partition_of_the_second_loop_device_holds_too)
{
	attach("loop0", "/image");
	attach("loop1", "/image");
	partition("loop1", "loop1p1", "259:0");
	mounted("259:0", "/mnt/x", "ext4", "/dev/loop1p1");
	expect_device(7, 0,
		      "another way to loop1, the disk of loop1p1, which "
		      "is mounted on /mnt/x");
}

Test(claims, a_loop_device_over_a_mounted_device_is_another_way_to_it)
{
	attach("loop1", "/dev/sda1");
	mounted("8:1", "/mnt/x", "ext4", "/dev/sda1");
	expect_device(7, 1, "another way to sda1, which is mounted on /mnt/x");
	attach("loop0", "/dev/loop1");
	expect_device(7, 0, "another way to sda1, which is mounted on /mnt/x");
}

Test(claims, a_loop_device_over_a_disk_is_a_way_to_one_over_a_partition)
{
	attach("loop0", "/dev/sda");
	attach("loop1", "/dev/sda1");
	attach("loop2", "/dev/sda2");
	mounted("7:0", "/mnt/x", "ext4", "/dev/loop0");
	expect_device(7, 1, "another way to loop0, which is mounted on /mnt/x");
	cr_assert_not_null(claim.holder);
	sh("rm -r sys/devices/loop0/loop");
	mounted("7:2", "/mnt/x", "ext4", "/dev/loop2");
	sh("grep -v '^30 1 7:0' proc/self/mountinfo >new && "
	   "cat new >proc/self/mountinfo");
	expect_device(7, 1, NULL);
}

Test(claims, a_device_mapper_over_a_loop_device_shares_its_file)
{
	sh("mkdir sys/devices/dm-0/slaves && "
	   "ln -s ../../loop0 sys/devices/dm-0/slaves/loop0 && "
	   "ln -s ../../dm-0 sys/devices/loop0/holders/dm-0");
	attach("loop0", "/image");
	expect_device(253, 0, NULL);
	expect_device(7, 0, "held by dm-0");
	attach("loop1", "/image");
	mounted("7:1", "/mnt/x", "ext4", "/dev/loop1");
	expect_device(253, 0,
		      "another way to loop1, which is mounted on /mnt/x");
}

Test(claims, an_image_that_is_mounted_without_its_loop_device_holds_it)
{
	attach("loop0", "/image");
	mounted("0:45", "/mnt/y", "erofs", "/image");
	expect_device(7, 0, "on a file that is mounted on /mnt/y");
}

Test(claims, the_ways_are_the_device_first_and_each_once)
{
	struct claim_ways ways;

	attach("loop0", "/dev/loop1");
	attach("loop1", "/image");
	attach("loop2", "/image");
	cr_assert(!claim_ways_find(root, makedev(7, 0), &ways, &err));
	cr_assert_eq(ways.count, 3, "%zu", ways.count);
	cr_expect_str_eq(ways.list[0].name, "loop0");
	cr_expect_str_eq(ways.list[1].name, "loop1");
	cr_expect_str_eq(ways.list[2].name, "loop2");
	claim_ways_free(&ways);
}

Test(claims, a_loop_device_over_nobody_knows_what_is_not_free)
{
	struct claim_ways ways;

	attach("loop0", "/gone (deleted)");
	cr_expect_eq(claim_ways_find(root, makedev(7, 0), &ways, &err),
		     -EACCES);
	cr_expect_str_eq(err.text, "what lies below loop0 cannot be told, and "
				   "it may be in use; detach it, or start "
				   "where /dev/loop0 can be opened");
}

static void expect_elsewhere(const char *part)
{
	struct claim_ways ways;

	claim_free(&claim);
	cr_assert(!claim_ways_find(root, makedev(8, 0), &ways, &err));
	cr_assert(!claim_elsewhere(root, &ways, &claim, &err), "%s", err.text);
	cr_expect(strstr(claim.holder, part), "'%s' lacks '%s'", claim.holder,
		  part);
	claim_ways_free(&ways);
}

Test(claims, a_number_tells_its_file_system_wherever_that_is_mounted)
{
	sh("mkdir -p proc/77/ns proc/78/ns && "
	   "ln -s 'mnt:[77]' proc/77/ns/mnt && "
	   "ln -s 'mnt:[78]' proc/78/ns/mnt && "
	   "echo '9 1 0:39 / /p rw - tmpfs none rw' >proc/77/mountinfo && "
	   "echo '9 1 0:40 / /o rw - overlay none rw' >proc/78/mountinfo");
	cr_expect(claim_dev_is_plain(root, makedev(0, 39)));
	cr_expect_not(claim_dev_is_plain(root, makedev(0, 40)));
	cr_expect_not(claim_dev_is_plain(root, makedev(0, 3)));
}

Test(claims, other_mount_namespaces_are_looked_into)
{
	sh("mkdir proc/77 proc/78 && echo sleep >proc/78/comm && "
	   "echo '9 1 8:16 / /a rw - ext4 /dev/sdb rw' >proc/77/mountinfo && "
	   "echo '9 1 8:1 / /a rw - ext4 /dev/sda1 rw' >proc/78/mountinfo");
	expect_elsewhere("mounted in the namespace of pid 78 (sleep)");
	sh("rm -r proc/78");
	expect_elsewhere("held by a mount that cannot be seen from here");
}

/* Such as in a container: no node in /dev, and its path is the host's. */
Test(claims, a_loop_device_that_cannot_be_asked_may_be_over_any)
{
	struct claim_ways ways;

	attach("loop1", "/out/of/sight");
	expect_file("image", "perhaps what lies below loop1, which cannot be "
			     "told here and is as long");
	cr_expect(claim.is_guess);
	expect_device(8, 16,
		      "perhaps what lies below loop1, which cannot be "
		      "told here and is as long");
	attach("loop0", "/image");
	cr_expect_eq(claim_ways_find(root, makedev(7, 0), &ways, &err),
		     -EACCES);
	cr_expect(strstr(err.text, "what lies below loop1 cannot be told"),
		  "%s", err.text);
	expect_file("image", "the backing file of loop0");
	cr_expect_not(claim.is_guess);
}

/* Else a container on a host that has any of them could not write at all. */
Test(claims, a_loop_device_of_another_length_is_over_something_else)
{
	struct claim_ways ways;

	sh("truncate -s 8192 image && truncate -s 8192 other");
	attach("loop1", "/out/of/sight");
	sh("echo 16 >sys/devices/loop1/size && "
	   "echo 0 >sys/devices/loop1/loop/sizelimit");
	expect_file("image", "perhaps what lies below loop1, which cannot be "
			     "told here and is as long");
	sh("echo 17 >sys/devices/loop1/size");
	expect_file("image", NULL);
	sh("echo 16 >sys/devices/sdb/size");
	expect_device(8, 16, NULL);
	attach("loop0", "/image");
	cr_assert(!claim_ways_find(root, makedev(7, 0), &ways, &err), "%s",
		  err.text);
	claim_ways_free(&ways);
	/* It may begin anywhere in something longer, and be limited. */
	sh("echo 4096 >sys/devices/loop1/loop/sizelimit && "
	   "echo 8 >sys/devices/loop1/size");
	expect_file("other", "perhaps what lies below loop1, which cannot be "
			     "told here and is as long");
}

static void erofs_make(const char *name)
{
	sh("head -c 1024 /dev/zero >%s && "
	   "printf '\\342\\341\\365\\340 and so on' >>%s && "
	   "truncate -s 4096 %s",
	   name, name, name);
}

Test(claims, an_image_that_was_mounted_by_a_path_is_found_or_guessed)
{
	erofs_make("image");
	mounted("0:45", "/mnt/y", "erofs", "/image");
	expect_file("image", "mounted on /mnt/y");
	sh("mv image moved");
	expect_file("moved", "perhaps the image that is mounted on /mnt/y, "
			     "which is told as '/image'");
	cr_expect(claim.is_guess);
	/* In its place is another file, be it an image too. */
	sh("echo data >image");
	expect_file("moved", "perhaps the image that is mounted on /mnt/y, "
			     "which is told as '/image'");
	sh("cp moved image");
	expect_file("moved", "perhaps the image that is mounted on /mnt/y, "
			     "which is told as '/image'");
	/* One with a block device is told by that. */
	sh("rm proc/self/mountinfo");
	mounted("8:1", "/mnt/y", "erofs", "image");
	expect_file("moved", NULL);
	mounted("0:45", "/mnt/z", "erofs", "image");
	expect_file("moved", "perhaps the image that is mounted on /mnt/z, "
			     "which is told as 'image'");
}

Test(claims, what_is_no_image_is_not_guessed_to_be_mounted)
{
	erofs_make("moved");
	mounted("0:45", "/mnt/y", "erofs", "image");
	attach("loop0", "/other");
	attach("loop1", "/moved");
	expect_file("image", NULL);
	expect_device(7, 0, NULL);
	expect_device(7, 1,
		      "on a file that is perhaps the image that is "
		      "mounted on /mnt/y, which is told as 'image'");
}

/* As "rawread prepare" opens a file that it may not read. */
Test(claims, a_file_that_is_open_by_its_name_is_looked_into_too)
{
	char *path = text_format("%s/image", root);
	int fd;

	mounted("0:45", "/mnt/y", "erofs", "gone");
	fd = open(path, O_PATH | O_CLOEXEC);
	cr_assert(fd >= 0);
	free(path);
	cr_assert(!claim_of_file(root, fd, &claim, &err), "%s", err.text);
	cr_expect_null(claim.holder);
	erofs_make("image");
	cr_assert(!claim_of_file(root, fd, &claim, &err), "%s", err.text);
	cr_expect(claim.is_guess);
	close(fd);
}

/* Else an erofs of no concern would hide who holds it in truth. */
Test(claims, a_guess_ends_no_search_for_what_is_certain)
{
	erofs_make("image");
	sh("cp image other && echo data >swap");
	mounted("0:45", "/mnt/y", "erofs", "unrelated");
	mounted("0:46", "/mnt/z", "erofs", "/image");
	sh("mkdir -p proc/self/ns proc/78/ns && "
	   "ln -s mnt:1 proc/self/ns/mnt && ln -s mnt:2 proc/78/ns/mnt && "
	   "ln -s ../.. proc/78/root && "
	   "echo '9 1 0:50 / /a rw - erofs gone rw' >proc/78/mountinfo && "
	   "echo '9 1 0:51 / /a rw - erofs /other rw' >>proc/78/mountinfo");
	expect_file("image", "mounted on /mnt/z");
	cr_expect_not(claim.is_guess);
	expect_file("other", "mounted in the namespace of pid 78");
	cr_expect_not(claim.is_guess);
	attach("loop0", "/image");
	attach("loop1", "/other");
	expect_device(7, 0, "on a file that is mounted on /mnt/z");
	cr_expect_not(claim.is_guess);
	expect_device(7, 1,
		      "on a file that is mounted in the namespace of pid 78");
	cr_expect_not(claim.is_guess);
}

/* What one member of a disk may be in hides not what the next one is in. */
Test(claims, a_guess_of_a_disk_ends_no_search_of_its_partitions)
{
	attach("loop1", "/out/of/sight");
	expect_device(8, 0,
		      "perhaps what lies below loop1, which cannot be told "
		      "here and is as long");
	cr_expect(claim.is_guess);
	mounted("8:2", "/mnt/x", "ext4", "/dev/sda2");
	expect_device(8, 0, "the disk of sda2, which is mounted on /mnt/x");
	cr_expect_not(claim.is_guess);
}

Test(claims, images_that_are_mounted_in_other_namespaces_are_found)
{
	erofs_make("image");
	sh("mkdir -p proc/self/ns proc/77/ns proc/78/ns && "
	   "ln -s mnt:1 proc/self/ns/mnt && ln -s mnt:1 proc/77/ns/mnt && "
	   "ln -s mnt:2 proc/78/ns/mnt && ln -s ../.. proc/78/root && "
	   "echo '9 1 0:50 / /a rw - erofs gone rw' >proc/77/mountinfo && "
	   "echo '9 1 0:51 / /a rw shared:1 - erofs /image rw' "
	   ">proc/78/mountinfo");
	expect_file("image", "mounted in the namespace of pid 78");
	expect_file("other", NULL);
	sh("mv image 'my image' && "
	   "echo '9 1 0:51 / /a rw - fuse.x /my\\\\040image rw' "
	   ">proc/78/mountinfo");
	expect_file("my image", "mounted in the namespace of pid 78");
	expect_file("other", NULL);
}

Test(claims, a_loop_device_is_another_way_when_its_file_may_be_the_same)
{
	const struct claim_object below = { .dev = makedev(8, 1),
					    .inode = 12,
					    .least_bytes = 4096,
					    .most_bytes = 4607 };
	struct claim_object shown = { .dev = makedev(0, 50),
				      .inode = 99,
				      .is_veiled = true,
				      .least_bytes = 4096,
				      .most_bytes = 4096 };
	struct statfs fs;

	cr_expect(claim_object_may_be(&below, &shown));
	cr_expect(claim_object_may_be(&shown, &below));
	shown.least_bytes = shown.most_bytes = 4608;
	cr_expect_not(claim_object_may_be(&below, &shown));
	shown.least_bytes = shown.most_bytes = 4100;
	cr_expect(claim_object_may_be(&below, &shown));
	shown.is_veiled = false;
	cr_expect_not(claim_object_may_be(&below, &shown));
	/* Where a file system is to be asked: a tmpfs has its own files. */
	shown.is_veiled = true;
	shown.root = "";
	shown.path = "/dev/shm";
	if (!statfs(shown.path, &fs) && fs.f_type == TMPFS_MAGIC)
		cr_expect_not(claim_object_may_be(&below, &shown));
	shown.path = "/proc";
	cr_expect(claim_object_may_be(&below, &shown));
	cr_expect(claim_object_may_be(&shown, &below));
	shown.path = "/gone/from/here";
	cr_expect(claim_object_may_be(&below, &shown));
	shown.path = NULL;
	shown.is_veiled = true;
	shown.dev = below.dev;
	cr_expect_not(claim_object_may_be(&below, &shown));
}

/* Between the look at what is attached, and the one at its number. */
Test(claims, a_loop_device_that_goes_away_meanwhile_is_none)
{
	attach("loop1", "/image");
	sh("rm sys/devices/loop1/dev");
	expect_file("image", NULL);
	expect_device(8, 16, NULL);
}

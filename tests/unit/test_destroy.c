// SPDX-License-Identifier: GPL-2.0-or-later
/* What may be written over, and above all what may not. */
#include "rawread/destroy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "lib/system/prepared.h"
#include "rawread/targets.h"
#include "tests/unit/scratch_fs.h"

#define IMAGE	    SCRATCH_BASE "/image"
#define IMAGE_BYTES (8 * MIB)

static struct run_params params;
static struct destroy destroy;
static struct err err;

/* A sum that another byte anywhere in @path would change. */
static uint64_t sum_of(const char *path)
{
	static uint64_t words[128 * 1024];
	uint64_t sum = 0;
	ssize_t got, i;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert(fd >= 0, "%s: %s", path, strerror(errno));
	while ((got = read(fd, words, sizeof(words))) > 0)
		for (i = 0; i < got / (ssize_t)sizeof(*words); i++)
			sum = (sum ^ words[i]) * UINT64_C(0x100000001b3);
	cr_assert_eq(got, 0);
	close(fd);
	return sum;
}

/* A run of test 1 over @first and, unless it is NULL, @second. */
static int claim_two(const char *consent, const char *first, const char *second)
{
	char *paths[] = { (char *)first, (char *)second };
	struct targets targets;
	int rc;

	cr_assert(!params_init(&params, FORM_READ, &err));
	params.test = &tests[1];
	params.targets = paths;
	params.target_count = params.modulo = second ? 2 : 1;
	params.destroy_data = consent ? strdup(consent) : NULL;
	err.text[0] = '\0';
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	rc = destroy_claim(&params, &targets, &destroy, &err);
	cr_expect_eq(rc < 0, err.text[0] != '\0', "%d: %s", rc, err.text);
	targets_close(&targets);
	params.targets = NULL;
	params.target_count = 0;
	params_free(&params);
	return rc;
}

static void expect_allowed(const char *consent, const char *path)
{
	cr_assert_eq(claim_two(consent, path, NULL), 0, "%s", err.text);
}

static void expect_said(const char *part)
{
	cr_expect(strstr(err.text, part), "'%s' lacks '%s'", err.text, part);
}

/* It is, it says so, it holds nothing, and not a byte is another one. */
static void expect_refused(const char *consent, const char *path, int code,
			   const char *part)
{
	uint64_t sum = sum_of(path);
	int rc = claim_two(consent, path, NULL);

	cr_expect_eq(rc, code, "%s: %d: %s", path, rc, err.text);
	expect_said(part);
	cr_expect_eq(destroy.count, 0);
	cr_expect_null(destroy.fds);
	cr_expect_eq(sum_of(path), sum, "%s was written to", path);
}

/* With every consent that there is. */
static void expect_busy(const char *path, const char *part)
{
	expect_refused("", path, -EBUSY, part);
	expect_refused(path, path, -EBUSY, part);
}

/* A directory of the test's own, with the file "plain". */
static char work[64];

static void work_begin(void)
{
	unsetenv("RAWREAD_DESTROY_DATA");
	sprintf(work, "/tmp/rawread-destroy.%d", getpid());
	cr_assert(!mkdir(work, 0700));
	cr_assert(!chdir(work));
	close(scratch_file_make("plain", 64 * KIB));
}

static void work_end(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", work);
	cr_assert(!system(command));
}

TestSuite(destroy_file, .init = work_begin, .fini = work_end);

static void marked_make(const char *path)
{
	int fd = scratch_file_make(path, 64 * KIB);
	int rc = prepared_write(fd, 1, &err);

	if (rc == -EOPNOTSUPP) {
		work_end();
		cr_skip_test("needs user attributes in /tmp");
	}
	cr_assert_eq(rc, 0, "%s", err.text);
	close(fd);
}

Test(destroy_file, nothing_is_written_over_without_consent)
{
	marked_make("marked");
	expect_refused(NULL, "marked", -EINVAL,
		       "test 1, sequential write(), writes over marked; give "
		       "--destroy-data if what is in it may be lost");
	cr_expect_eq(claim_two(NULL, "marked", "plain"), -EINVAL);
	expect_said("writes over marked and others; give --destroy-data if "
		    "what is in them may be lost");
}

Test(destroy_file, a_marked_file_may_be_written_over)
{
	marked_make("marked");
	expect_allowed("", "marked");
	cr_expect_eq(destroy.count, 0);
	destroy_release(&destroy);
}

Test(destroy_file, a_file_without_a_mark_is_refused_unless_it_is_named)
{
	char part[128];

	expect_refused("", "plain", -EINVAL,
		       "/plain has no mark of 'rawread "
		       "prepare'; have it made by ");
	snprintf(part, sizeof(part), "or give --destroy-data=plain if");
	expect_said(part);
	expect_allowed("plain", "plain");
	expect_allowed("./plain", "plain");
	cr_assert(!symlink("plain", "link"));
	expect_allowed("link", "plain");
	expect_allowed("plain", "link");
}

Test(destroy_file, a_marked_file_of_another_length_is_refused)
{
	marked_make("marked");
	cr_assert(!truncate("marked", 60000));
	expect_refused("", "marked", -EINVAL, "has another size");
	expect_allowed("marked", "marked");
}

Test(destroy_file, consent_for_another_file_is_none)
{
	marked_make("marked");
	expect_refused("marked", "plain", -EINVAL,
		       "--destroy-data=marked is another file than the target "
		       "plain");
	expect_refused("plain", "marked", -EINVAL,
		       "--destroy-data=plain is another file than the target "
		       "marked");
	expect_refused(".", "plain", -ENOENT,
		       "--destroy-data=.: . is a directory and nothing is "
		       "mounted on it");
	expect_refused("nowhere", "plain", -ENOENT, "--destroy-data=nowhere");
}

Test(destroy_file, a_name_is_consent_for_one_target_only)
{
	marked_make("marked");
	cr_expect_eq(claim_two("plain", "plain", "marked"), -EINVAL);
	expect_said("--destroy-data=plain names one target, and there are 2");
	/* One that may not spoils it for one that may. */
	cr_expect_eq(claim_two("", "marked", "plain"), -EINVAL);
	expect_said("test it alone with --destroy-data=plain");
}

Test(destroy_file, the_environment_may_name_the_target)
{
	setenv("RAWREAD_DESTROY_DATA", "plain", 1);
	expect_allowed(NULL, "plain");
	marked_make("marked");
	expect_refused("plain", "marked", -EINVAL,
		       "RAWREAD_DESTROY_DATA=plain is another file than the "
		       "target marked");
	expect_refused(NULL, "marked", -EINVAL,
		       "RAWREAD_DESTROY_DATA=plain is another file than the "
		       "target marked");
	/* What is on the command line counts alone. */
	expect_allowed("", "marked");
	expect_refused("", "plain", -EINVAL, "has no mark");
	expect_allowed("marked", "marked");
	setenv("RAWREAD_DESTROY_DATA", "", 1);
	expect_refused(NULL, "plain", -EINVAL, "give --destroy-data");
	expect_refused(NULL, "marked", -EINVAL, "give --destroy-data");
}

/* A loop device over IMAGE, which is on the scratch disk. */
static struct scratch_loop base, loop;

static void device_begin(void)
{
	unsetenv("RAWREAD_DESTROY_DATA");
	scratch_begin(&base);
	scratch_loop_attach(IMAGE, IMAGE_BYTES, 0, &loop);
}

TestSuite(destroy_device, .init = device_begin);

Test(destroy_device, a_file_that_cannot_be_written_is_the_errno_of_open)
{
	scratch_mount("tmpfs", "tmpfs", "/mnt/a", NULL);
	close(scratch_file_make("/mnt/a/foo", 64 * KIB));
	cr_assert(!mount(NULL, "/mnt/a", NULL, MS_REMOUNT | MS_RDONLY, NULL));
	expect_refused("/mnt/a/foo", "/mnt/a/foo", -EROFS,
		       "open /mnt/a/foo for writing: Read-only file system");
}

/* Read-only, so that the kernel writes nothing either. */
static void mount_ext4(const char *device, const char *at)
{
	scratch_mkfs("ext4", device);
	mkdir(at, 0700);
	cr_assert(!mount(device, at, "ext4", MS_RDONLY, NULL), "%s: %s", device,
		  strerror(errno));
}

static bool can_be_held(const char *device)
{
	int fd = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);

	if (fd < 0)
		cr_assert_eq(errno, EBUSY, "%s", strerror(errno));
	else
		close(fd);
	return fd >= 0;
}

Test(destroy_device, a_free_one_is_held_until_it_is_released)
{
	int fd;

	scratch_mkfs("ext4", loop.device);
	cr_assert(!mkdir("/mnt/a", 0700));
	expect_allowed("", loop.device);
	cr_expect_eq(destroy.count, 1);
	/* As each thread of the run does. */
	fd = open(loop.device, O_WRONLY | O_CLOEXEC);
	cr_expect(fd >= 0, "%s", strerror(errno));
	close(fd);
	cr_expect(mount(loop.device, "/mnt/a", "ext4", 0, NULL) < 0 &&
		  errno == EBUSY);
	cr_expect_not(can_be_held(loop.device));
	destroy_release(&destroy);
	cr_expect(can_be_held(loop.device));
	cr_expect(!mount(loop.device, "/mnt/a", "ext4", MS_RDONLY, NULL));
}

Test(destroy_device, it_may_be_named_and_reached_by_symlinks)
{
	cr_assert(!symlink(loop.device, "/mnt/link"));
	cr_assert(!symlink("/mnt/link", "/mnt/other"));
	expect_allowed("/mnt/link", loop.device);
	destroy_release(&destroy);
	expect_allowed(loop.device, "/mnt/other");
	destroy_release(&destroy);
	expect_refused(base.device, loop.device, -EINVAL,
		       "is another file than the target");
	expect_refused(NULL, loop.device, -EINVAL, "give --destroy-data");
}

Test(destroy_device, another_node_of_it_is_it)
{
	cr_assert(!mknod("/mnt/node", S_IFBLK | 0600, loop.dev));
	expect_allowed("/mnt/node", loop.device);
	destroy_release(&destroy);
	mount_ext4(loop.device, "/mnt/a");
	expect_busy("/mnt/node", "/mnt/node is mounted on /mnt/a");
}

Test(destroy_device, a_mounted_one_is_refused_and_told_where)
{
	char part[96];

	mount_ext4(loop.device, "/mnt/a");
	snprintf(part, sizeof(part),
		 "%s is mounted on /mnt/a; unmount it first", loop.device);
	expect_busy(loop.device, part);
	cr_assert(!symlink(loop.device, "/mnt/link"));
	expect_busy("/mnt/link", "/mnt/link is mounted on /mnt/a; unmount");
	cr_assert(!umount("/mnt/a"));
	expect_allowed("", loop.device);
	destroy_release(&destroy);
}

Test(destroy_device, one_with_a_detached_mount_in_use_is_refused)
{
	int fd;

	mount_ext4(loop.device, "/mnt/a");
	fd = open("/mnt/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert(!umount2("/mnt/a", MNT_DETACH));
	expect_busy(loop.device, "is held by a mount that cannot be seen");
	close(fd);
}

/* A child that holds @device, and ends with us. */
static pid_t holder_start(const char *device)
{
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert(!pipe(ready));
	pid = fork();
	cr_assert(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (open(device, O_RDONLY | O_EXCL | O_CLOEXEC) >= 0 &&
		    write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

Test(destroy_device, a_program_that_holds_one_is_named)
{
	char part[96];
	pid_t pid;

	pid = holder_start(loop.device);
	snprintf(part, sizeof(part), "wants it for itself: pid %d (", (int)pid);
	expect_refused("", loop.device, -EBUSY, part);
	expect_said(" has it open; end that first");
	child_end(pid);
}

/* What looks at a disk that was just unmounted lets it go in a moment. */
Test(destroy_device, one_that_is_let_go_in_a_moment_is_waited_for)
{
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert(!pipe(ready));
	pid = fork();
	cr_assert(pid >= 0);
	if (!pid) {
		const struct timespec moment = { .tv_nsec = 50000000 };

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (open(loop.device, O_RDONLY | O_EXCL | O_CLOEXEC) < 0 ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		nanosleep(&moment, NULL);
		_exit(0);
	}
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	expect_allowed("", loop.device);
	destroy_release(&destroy);
	cr_expect_eq(waitpid(pid, NULL, 0), pid);
}

Test(destroy_device, one_that_a_program_holds_is_refused)
{
	int fd = open(loop.device, O_RDONLY | O_EXCL | O_CLOEXEC);

	cr_assert(fd >= 0);
	expect_busy(loop.device, "or by a program that wants it for itself");
	close(fd);
	fd = open(loop.device, O_RDWR | O_CLOEXEC);
	expect_allowed("", loop.device);
	destroy_release(&destroy);
	close(fd);
}

/* A child in a mount namespace of its own; it ends with us. */
static pid_t child_start(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert(!pipe(ready));
	pid = fork();
	cr_assert(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!unshare(CLONE_NEWNS) && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

Test(destroy_device, one_that_is_mounted_in_another_namespace_is_refused)
{
	char part[96];
	pid_t pid;

	mount_ext4(loop.device, "/mnt/a");
	pid = child_start();
	cr_assert(!umount("/mnt/a"));
	snprintf(part, sizeof(part), "is mounted in the namespace of pid %d (",
		 (int)pid);
	expect_busy(loop.device, part);
	child_end(pid);
}

/* Partition @number, of 1 MiB; its device is at @path. */
static void partition_make(int number, char path[48])
{
	struct blkpg_partition partition = { .start = (long long)MIB * number,
					     .length = (long long)MIB,
					     .pno = number };
	struct blkpg_ioctl_arg add = { .op = BLKPG_ADD_PARTITION,
				       .datalen = sizeof(partition),
				       .data = &partition };

	if (ioctl(loop.fd, BLKPG, &add) < 0)
		cr_skip_test("needs loop devices with partitions");
	snprintf(path, 48, "%sp%d", loop.device, number);
	if (access(path, F_OK) < 0)
		cr_skip_test("needs a /dev that is kept");
}

static void partitions_begin(void)
{
	unsetenv("RAWREAD_DESTROY_DATA");
	scratch_begin(&base);
	scratch_loop_attach(IMAGE, IMAGE_BYTES, LO_FLAGS_PARTSCAN, &loop);
}

/* Partitions that were told outlive a loop device that is detached. */
static void partitions_end(void)
{
	struct blkpg_partition partition = { 0 };
	struct blkpg_ioctl_arg take = { .op = BLKPG_DEL_PARTITION,
					.datalen = sizeof(partition),
					.data = &partition };

	umount("/mnt/a");
	for (partition.pno = 1; partition.pno <= 2; partition.pno++)
		ioctl(loop.fd, BLKPG, &take);
}

TestSuite(destroy_part, .init = partitions_begin, .fini = partitions_end);

Test(destroy_part, a_disk_with_a_mounted_partition_is_refused)
{
	char one[48], two[48], part[128];

	partition_make(1, one);
	partition_make(2, two);
	mount_ext4(one, "/mnt/a");
	snprintf(part, sizeof(part),
		 "%s is the disk of %s, which is mounted on /mnt/a; unmount it "
		 "first",
		 loop.device, one + strlen("/dev/"));
	expect_busy(loop.device, part);
	expect_busy(one, "is mounted on /mnt/a");
	/* Its neighbour is nobody's. */
	expect_allowed("", two);
	destroy_release(&destroy);
}

Test(destroy_part, a_partition_of_a_mounted_disk_is_refused)
{
	char one[48], part[128];

	partition_make(1, one);
	mount_ext4(loop.device, "/mnt/a");
	snprintf(part, sizeof(part),
		 "%s is a part of %s, which is mounted on /mnt/a", one,
		 loop.name);
	expect_busy(one, part);
}

Test(destroy_part, targets_that_share_bytes_are_refused)
{
	char one[48], two[48];

	partition_make(1, one);
	partition_make(2, two);
	cr_expect_eq(claim_two("", loop.device, one), -EBUSY);
	expect_said("has bytes in common with another target");
	cr_expect_eq(claim_two("", one, loop.device), -EBUSY);
	expect_said("has bytes in common with another target");
	cr_expect(can_be_held(loop.device));
	cr_expect_eq(claim_two("", one, two), 0, "%s", err.text);
	cr_expect_eq(destroy.count, 2);
	destroy_release(&destroy);
}

Test(destroy_device, two_over_one_file_are_one)
{
	struct scratch_loop second;
	char part[128];

	scratch_loop_attach(IMAGE, IMAGE_BYTES, 0, &second);
	expect_allowed("", second.device);
	cr_expect_not(can_be_held(loop.device));
	destroy_release(&destroy);
	cr_expect_eq(claim_two("", loop.device, second.device), -EBUSY);
	expect_said("has bytes in common with another target");

	mount_ext4(loop.device, "/mnt/a");
	snprintf(part, sizeof(part),
		 "%s is another way to %s, which is mounted on /mnt/a; unmount "
		 "it first",
		 second.device, loop.name);
	expect_busy(second.device, part);
}

Test(destroy_device, two_over_one_file_are_one_when_the_file_has_no_name)
{
	struct scratch_loop second;

	scratch_loop_attach(IMAGE, IMAGE_BYTES, 0, &second);
	cr_assert(!unlink(IMAGE));
	mount_ext4(loop.device, "/mnt/a");
	expect_busy(second.device, "which is mounted on /mnt/a");
}

/* Where the mount of the other one cannot be seen, the kernel knows it. */
Test(destroy_device, another_way_that_is_held_out_of_sight_is_refused)
{
	struct scratch_loop second;
	int fd;

	scratch_loop_attach(IMAGE, IMAGE_BYTES, 0, &second);
	mount_ext4(loop.device, "/mnt/a");
	fd = open("/mnt/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert(!umount2("/mnt/a", MNT_DETACH));
	expect_busy(second.device, "is held by a mount that cannot be seen");
	close(fd);
}

Test(destroy_device, one_over_a_mounted_device_is_refused)
{
	struct scratch_loop upper;
	char part[128];

	scratch_loop_attach(loop.device, 0, 0, &upper);
	expect_allowed("", upper.device);
	cr_expect_not(can_be_held(loop.device));
	destroy_release(&destroy);
	snprintf(part, sizeof(part), "%s is the backing device of %s; detach",
		 loop.device, upper.name);
	expect_busy(loop.device, part);
	mount_ext4(loop.device, "/mnt/a");
	snprintf(part, sizeof(part),
		 "%s is another way to %s, which is mounted on /mnt/a",
		 upper.device, loop.name);
	expect_busy(upper.device, part);
}

Test(destroy_device, the_file_below_one_is_refused_also_when_it_is_marked)
{
	char part[128];
	int fd = open(IMAGE, O_RDWR | O_CLOEXEC);

	cr_assert(fd >= 0);
	cr_assert(!prepared_write(fd, 1, &err), "%s", err.text);
	close(fd);
	snprintf(part, sizeof(part), IMAGE " is the backing file of %s; detach",
		 loop.name);
	expect_busy(IMAGE, part);
	cr_assert(!link(IMAGE, SCRATCH_BASE "/hardlink"));
	expect_busy(SCRATCH_BASE "/hardlink", "is the backing file of loop");
}

Test(destroy_device, each_device_of_a_btrfs_is_refused)
{
	struct scratch_loop one, two;
	char command[128];

	scratch_loop_attach(SCRATCH_BASE "/one", 256 * MIB, 0, &one);
	scratch_loop_attach(SCRATCH_BASE "/two", 256 * MIB, 0, &two);
	snprintf(command, sizeof(command),
		 "mkfs.btrfs -q -f -K %s %s 2>/dev/null", one.device,
		 two.device);
	if (system(command))
		cr_skip_test("needs mkfs.btrfs");
	cr_assert(!mkdir("/mnt/a", 0700));
	snprintf(command, sizeof(command), "device=%s,device=%s", one.device,
		 two.device);
	if (mount(one.device, "/mnt/a", "btrfs", MS_RDONLY, command) < 0)
		cr_skip_test("this kernel has no btrfs");
	expect_busy(one.device, "is mounted on /mnt/a");
	expect_busy(two.device, "is a member of the mounted btrfs ");
	cr_assert(!umount("/mnt/a"));
	expect_allowed("", two.device);
	destroy_release(&destroy);
}

Test(destroy_device, one_that_is_read_only_is_refused)
{
	struct scratch_loop read_only;

	close(scratch_file_make(SCRATCH_BASE "/ro", MIB));
	scratch_loop_attach(SCRATCH_BASE "/ro", 0, LO_FLAGS_READ_ONLY,
			    &read_only);
	expect_refused("", read_only.device, -EROFS, "Read-only file system");
}

Test(destroy_device, all_of_several_are_held_or_none)
{
	struct scratch_loop other;

	scratch_loop_attach(SCRATCH_BASE "/other", IMAGE_BYTES, 0, &other);
	cr_expect_eq(claim_two("", loop.device, other.device), 0, "%s",
		     err.text);
	cr_expect_eq(destroy.count, 2);
	destroy_release(&destroy);
	mount_ext4(other.device, "/mnt/a");
	cr_expect_eq(claim_two("", loop.device, other.device), -EBUSY);
	cr_expect_eq(destroy.count, 0);
	cr_expect(can_be_held(loop.device));
}

/* Of three loop devices over two files: the third is out of reach. */
Test(destroy_device, a_second_target_of_which_a_way_is_held_is_refused)
{
	struct scratch_loop one, two;
	pid_t pid;

	scratch_loop_attach(SCRATCH_BASE "/other", IMAGE_BYTES, 0, &one);
	scratch_loop_attach(SCRATCH_BASE "/other", IMAGE_BYTES, 0, &two);
	pid = holder_start(two.device);
	cr_expect_eq(claim_two("", loop.device, one.device), -EBUSY);
	expect_said("is held by a mount that cannot be seen");
	cr_expect_eq(destroy.count, 0);
	cr_expect(can_be_held(loop.device));
	child_end(pid);
}

/* In a /dev that was filled by hand there is what was put there. */
Test(destroy_device, a_file_in_the_place_of_a_node_holds_nothing)
{
	struct scratch_loop second;

	scratch_loop_attach(IMAGE, IMAGE_BYTES, 0, &second);
	close(scratch_file_make("/mnt/node", 4096));
	cr_assert(!mknod("/mnt/target", S_IFBLK | 0600, loop.dev));
	cr_assert(!mount("/mnt/node", second.device, NULL, MS_BIND, NULL));
	expect_refused("", loop.device, -ENODEV, "another file");
	cr_assert(!umount(second.device));
	expect_allowed("", loop.device);
	destroy_release(&destroy);
}

Test(destroy_device, consent_may_name_the_mount_as_the_target_does)
{
	scratch_mount("tmpfs", "tmpfs", "/mnt/a", NULL);
	close(scratch_file_make("/mnt/a/foo", 64 * KIB));
	scratch_mount("tmpfs", "tmpfs", "/mnt/b", NULL);
	close(scratch_file_make("/mnt/b/foo", 64 * KIB));
	expect_allowed("/mnt/a", "/mnt/a");
	expect_allowed("/mnt/a", "/mnt/a/foo");
	expect_allowed("/mnt/a/foo", "/mnt/a");
	cr_expect_eq(claim_two("/mnt/b", "/mnt/a", NULL), -EINVAL);
	expect_said("--destroy-data=/mnt/b is another file than the target "
		    "/mnt/a/foo");
	setenv("RAWREAD_DESTROY_DATA", "/mnt/a", 1);
	expect_allowed(NULL, "/mnt/a");
}

/* For a plan, everything else being equal. */
Test(destroy_device, what_is_only_looked_at_is_neither_held_nor_written)
{
	const char *const devices[] = { loop.device, "/mnt/link" };
	struct targets targets;
	size_t i;

	cr_assert(!symlink(loop.device, "/mnt/link"));
	cr_assert(!params_init(&params, FORM_READ, &err));
	params.test = &tests[1];
	params.target_count = params.modulo = 1;
	for (i = 0; i < 2; i++) {
		char *paths[] = { (char *)devices[i] };

		params.targets = paths;
		params.destroy_data = NULL;
		cr_assert(!targets_open(&params, &targets, &err));
		cr_expect_eq(destroy_check(&params, &targets, &err), -EINVAL);
		expect_said("give --destroy-data");
		params.destroy_data = (char *)"";
		cr_expect_eq(destroy_check(&params, &targets, &err), 0, "%s",
			     err.text);
		cr_expect(can_be_held(loop.device));
		targets_close(&targets);
	}
	params.destroy_data = NULL;
	params.targets = NULL;
	params.target_count = 0;
	params_free(&params);
}

/* The path may lead through another mount by now. */
Test(destroy_device, the_right_to_write_is_that_of_the_file_that_is_open)
{
	char path[] = "/mnt/b/file", *paths[] = { path };
	struct targets through_one, through_both;

	close(scratch_file_make(SCRATCH_BASE "/file", 64 * KIB));
	cr_assert(!mkdir("/mnt/b", 0700));
	cr_assert(!mount(SCRATCH_BASE, "/mnt/b", NULL, MS_BIND, NULL));
	cr_assert(!params_init(&params, FORM_READ, &err));
	params.test = &tests[1];
	params.target_count = params.modulo = 1;
	params.targets = paths;
	params.destroy_data = path;
	cr_assert(!targets_open(&params, &through_one, &err));
	cr_assert(!mount(SCRATCH_BASE, "/mnt/b", NULL, MS_BIND, NULL));
	cr_assert(!mount(NULL, "/mnt/b", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY,
			 NULL));
	cr_assert(!targets_open(&params, &through_both, &err));
	cr_expect_eq(destroy_check(&params, &through_one, &err), 0, "%s",
		     err.text);
	cr_assert(!umount2("/mnt/b", MNT_DETACH));
	cr_expect_eq(destroy_check(&params, &through_both, &err), -EROFS);
	expect_said("open /mnt/b/file for writing");
	targets_close(&through_both);
	targets_close(&through_one);
	params.destroy_data = NULL;
	params.targets = NULL;
	params.target_count = 0;
	params_free(&params);
}

/* As Linux 6.12 mounts erofs: by a path, and without a loop device. */
Test(destroy_device, an_image_that_is_mounted_as_a_file_is_refused)
{
	pid_t pid;

	cr_assert(!chdir(SCRATCH_BASE));
	cr_assert(!mkdir("tree", 0700) && !mkdir("/mnt/a", 0700));
	/* Others on this machine may have one mounted: this has a size alone.
	 */
	close(scratch_file_make("tree/file",
				(64 + 4 * ((uint64_t)getpid() % 512)) * KIB));
	if (system("mkfs.erofs erofs tree >/dev/null 2>&1"))
		cr_skip_test("needs mkfs.erofs");
	if (mount(SCRATCH_BASE "/erofs", "/mnt/a", "erofs", MS_RDONLY, NULL) <
	    0)
		cr_skip_test("needs an erofs that mounts files");
	expect_busy("erofs", "erofs is mounted on /mnt/a; unmount it first");
	pid = child_start();
	cr_assert(!umount("/mnt/a"));
	expect_busy("erofs", "erofs is mounted in the namespace of pid ");
	child_end(pid);
	expect_allowed("erofs", "erofs");

	cr_assert(!mount("erofs", "/mnt/a", "erofs", MS_RDONLY, NULL));
	expect_busy("erofs", "erofs is perhaps the image that is mounted on "
			     "/mnt/a, which is told as 'erofs'");
	/* What is no such image was not mounted, and another one was not. */
	close(scratch_file_make("tree/more", 64 * KIB));
	cr_assert(!system("mkfs.erofs another tree >/dev/null 2>&1"));
	expect_allowed("another", "another");
	close(scratch_file_make("file", 64 * KIB));
	expect_allowed("file", "file");

	/* One that went to another name, and one that another may be of. */
	cr_assert(!umount("/mnt/a") && !mkdir("/mnt/b", 0700));
	cr_assert(!system("mv erofs one && cp one two"));
	cr_assert(!mount(SCRATCH_BASE "/one", "/mnt/a", "erofs", MS_RDONLY,
			 NULL));
	cr_assert(!system("mv one was && cp two one"));
	expect_busy("was", "was is perhaps the image that is mounted on "
			   "/mnt/a, which is told as '" SCRATCH_BASE "/one'");
	cr_assert(!rename("was", "one"));
	pid = child_start();
	cr_assert(!umount("/mnt/a"));
	cr_assert(!mount("two", "/mnt/b", "erofs", MS_RDONLY, NULL));
	expect_busy("one", "one is mounted in the namespace of pid ");
	child_end(pid);
}

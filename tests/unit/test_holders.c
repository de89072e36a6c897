// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/holders.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/system/mounts.h"
#include "tests/unit/scratch_fs.h"

static struct mount_entry mount_a;
static struct err err;

/* A tmpfs at /mnt/a, in a namespace that ends with the process. */
static void private_mount(void)
{
	scratch_namespace();
	cr_assert_eq(mkdir("/mnt/a", 0700), 0);
	cr_assert_eq(mount("a", "/mnt/a", "tmpfs", 0, NULL), 0);
	cr_assert_eq(mount_find("/mnt/a", &mount_a, &err), 0, "%s", err.text);
}

static void release(void)
{
	mount_free(&mount_a);
}

static void expect_told(const char *part, bool told)
{
	char *text = holders_describe(&mount_a);

	cr_assert_not_null(text);
	cr_expect_eq(strstr(text, part) != NULL, told, "'%s' in: %s", part,
		     text);
	free(text);
}

static void expect_holder(const char *before, pid_t pid)
{
	char part[128];

	snprintf(part, sizeof(part), "%spid %d (", before, (int)pid);
	expect_told(part, true);
}

/* Somebody else may mount something that gets the same number by now. */
static void expect_gone(pid_t pid)
{
	char part[128];

	snprintf(part, sizeof(part), "pid %d (", (int)pid);
	expect_told(part, false);
}

/* A child that did @hold and waits, not longer than we live. */
static pid_t child_start(void (*hold)(void))
{
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	cr_assert(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		hold();
		if (write(ready[1], "", 1) == 1)
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

TestSuite(holders, .init = private_mount, .fini = release);

Test(holders, a_mount_that_nobody_uses_has_none)
{
	char *text = holders_describe(&mount_a);

	cr_assert_not_null(text);
	cr_expect(!strncmp(text, "nobody that can be seen", 23), "%s", text);
	free(text);
}

static void open_two_files(void)
{
	open("/mnt/a/one", O_RDWR | O_CREAT, 0600);
	open("/mnt/a/two", O_RDWR | O_CREAT, 0600);
}

Test(holders, open_files_are_counted_for_each_process)
{
	char comm[64] = "", part[160];
	FILE *in = fopen("/proc/self/comm", "re");
	pid_t pid;

	cr_assert(in && fgets(comm, sizeof(comm), in));
	fclose(in);
	comm[strcspn(comm, "\n")] = '\0';
	pid = child_start(open_two_files);
	snprintf(part, sizeof(part), "pid %d (%s), 2 files", (int)pid, comm);
	expect_told(part, true);
	child_end(pid);
	expect_told("nobody that can be seen", true);
}

static void stand_in_it(void)
{
	if (chdir("/mnt/a") < 0)
		_exit(1);
}

Test(holders, a_working_directory_holds_too)
{
	pid_t pid = child_start(stand_in_it);

	expect_holder("", pid);
	expect_told("), its directory", true);
	child_end(pid);
}

Test(holders, a_mount_below_is_named)
{
	cr_assert_eq(mkdir("/mnt/a/b", 0700), 0);
	cr_assert_eq(mount("b", "/mnt/a/b", "tmpfs", 0, NULL), 0);
	expect_told("/mnt/a/b is mounted below it", true);
}

static void copy_the_namespace(void)
{
	if (unshare(CLONE_NEWNS) < 0)
		_exit(1);
}

Test(holders, another_namespace_that_has_it_mounted_is_named_by_a_pid)
{
	pid_t pid = child_start(copy_the_namespace);

	cr_assert_eq(mount_detach(&mount_a, &err), 0, "%s", err.text);
	expect_holder("mounted in the namespace of ", pid);
	child_end(pid);
	expect_gone(pid);
}

Test(holders, files_left_on_a_lazily_unmounted_file_system_are_found)
{
	pid_t pid = child_start(open_two_files);

	cr_assert_eq(umount2("/mnt/a", MNT_DETACH), 0);
	expect_holder("", pid);
	expect_told("), 2 files", true);
	child_end(pid);
}

Test(holders, a_second_mount_of_an_unmounted_one_is_named)
{
	cr_assert_eq(mkdir("/mnt/my disk", 0700), 0);
	cr_assert_eq(mount("/mnt/a", "/mnt/my disk", NULL, MS_BIND, NULL), 0);
	cr_assert_eq(mount_detach(&mount_a, &err), 0, "%s", err.text);
	expect_told("also mounted at /mnt/my disk", true);
}

Test(holders, who_makes_it_busy_stands_before_who_only_mounted_it)
{
	pid_t pid = child_start(open_two_files);
	pid_t copy = child_start(copy_the_namespace);

	expect_holder("", pid);
	expect_told("mounted in the namespace", false);
	child_end(pid);
	expect_holder("mounted in the namespace of ", copy);
	child_end(copy);
}

Test(holders, after_eight_the_rest_is_counted)
{
	pid_t pids[12];
	int i;

	for (i = 0; i < 12; i++)
		pids[i] = child_start(open_two_files);
	expect_told("; and 4 more", true);
	for (i = 0; i < 12; i++)
		child_end(pids[i]);
}

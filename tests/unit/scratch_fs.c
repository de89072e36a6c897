// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/scratch_fs.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* mkfs.xfs refuses less than 300 MB; the image is sparse. */
#define FS_BYTES   (UINT64_C(400) << 20)
#define BASE_BYTES (UINT64_C(2) << 30)

static const char *temporary_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && *directory ? directory : "/tmp";
}

static int unnamed_file(void)
{
	char *path = NULL;
	int fd;

	cr_assert(asprintf(&path, "%s/rawread-unit.%d", temporary_directory(),
			   (int)getpid()) > 0);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	cr_assert(fd >= 0, "%s: %s", path, strerror(errno));
	unlink(path);
	free(path);
	return fd;
}

static void loop_attach_fd(int image, uint32_t flags, struct scratch_loop *loop)
{
	struct loop_config config = { .fd = (uint32_t)image };
	int control, number, tries = 0;
	struct stat st;

	config.info.lo_flags = LO_FLAGS_AUTOCLEAR | flags;
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		cr_skip_test("needs loop devices");
	do {
		number = ioctl(control, LOOP_CTL_GET_FREE);
		cr_assert(number >= 0, "free loop: %s", strerror(errno));
		snprintf(loop->name, sizeof(loop->name), "loop%d", number);
		snprintf(loop->device, sizeof(loop->device), "/dev/loop%d",
			 number);
		loop->fd = open(loop->device, O_RDWR | O_CLOEXEC);
		if (loop->fd < 0)
			cr_skip_test("needs loop devices");
		if (!ioctl(loop->fd, LOOP_CONFIGURE, &config))
			break;
		/* Another process was faster. */
		cr_assert(errno == EBUSY && ++tries < 64, "%s: %s",
			  loop->device, strerror(errno));
		close(loop->fd);
	} while (true);
	close(control);
	cr_assert(!fstat(loop->fd, &st));
	loop->dev = st.st_rdev;
}

void scratch_loop_attach(const char *image, uint64_t size_bytes, uint32_t flags,
			 struct scratch_loop *loop)
{
	struct stat st;
	int fd;

	fd = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	cr_assert(fd >= 0, "%s: %s", image, strerror(errno));
	cr_assert(!fstat(fd, &st));
	if ((uint64_t)st.st_size < size_bytes)
		cr_assert(!ftruncate(fd, (off_t)size_bytes));
	loop_attach_fd(fd, flags, loop);
	close(fd);
}

void scratch_mkfs(const char *type, const char *device)
{
	bool ext4 = !strcmp(type, "ext4");
	char program[32];
	/* mkfs.ext4 picks 1 KiB blocks below 512 MB. */
	char *const argv[] = { program,
			       ext4 ? (char *)"-Fqb4096"
				    : (char *)(strcmp(type, "xfs") ? "-fq"
								   : "-fqK"),
			       (char *)device, NULL };
	posix_spawn_file_actions_t quiet;
	int status, rc;
	pid_t pid;

	cr_assert(!posix_spawn_file_actions_init(&quiet));
	cr_assert(!posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null",
						    O_WRONLY, 0));
	snprintf(program, sizeof(program), "mkfs.%s", type);
	rc = posix_spawnp(&pid, program, &quiet, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&quiet);
	if (rc == ENOENT)
		cr_skip_test("needs mkfs.%s", type);
	cr_assert(!rc, "%s: %s", program, strerror(rc));
	cr_assert(waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		cr_skip_test("needs mkfs.%s", type);
	cr_assert(!status, "%s %s: status %x", program, device,
		  (unsigned int)status);
}

void scratch_mount(const char *type, const char *source, const char *target,
		   const char *options)
{
	mkdir(target, 0755);
	if (mount(source, target, type, 0, options) < 0) {
		if (errno == ENODEV)
			cr_skip_test("this kernel has no %s", type);
		cr_assert_fail("mount %s at %s: %s", source, target,
			       strerror(errno));
	}
}

void scratch_namespace(void)
{
	if (geteuid())
		cr_skip_test("needs root");
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("rawread-unit", "/mnt", "tmpfs", 0, NULL) < 0)
		cr_skip_test("needs a private mount namespace");
}

void scratch_begin(struct scratch_loop *base)
{
	int image;

	scratch_namespace();
	image = unnamed_file();
	cr_assert(!ftruncate(image, (off_t)BASE_BYTES));
	loop_attach_fd(image, LO_FLAGS_DIRECT_IO, base);
	close(image);
	scratch_mkfs("ext4", base->device);
	scratch_mount("ext4", base->device, SCRATCH_BASE, NULL);
}

void scratch_fs_make(const char *type, const char *options,
		     struct scratch_loop *loop)
{
	char image[64], target[64];

	snprintf(image, sizeof(image), SCRATCH_BASE "/%s.img", type);
	snprintf(target, sizeof(target), "/mnt/%s", type);
	scratch_loop_attach(image, FS_BYTES, LO_FLAGS_DIRECT_IO, loop);
	scratch_mkfs(type, loop->device);
	scratch_mount(type, loop->device, target, options);
}

static void noise_write(int fd, uint64_t size_bytes)
{
	size_t room = 256;
	char noise[256];

	for (; size_bytes; size_bytes -= room) {
		if (room > size_bytes)
			room = (size_t)size_bytes;
		cr_assert(getrandom(noise, room, 0) == (ssize_t)room);
		cr_assert(write(fd, noise, room) == (ssize_t)room, "%s",
			  strerror(errno));
	}
	cr_assert(!fsync(fd));
}

int scratch_file_make(const char *path, uint64_t size_bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	cr_assert(fd >= 0, "%s: %s", path, strerror(errno));
	noise_write(fd, size_bytes);
	return fd;
}

int scratch_file_anonymous(uint64_t size_bytes)
{
	int fd = unnamed_file();

	noise_write(fd, size_bytes);
	return fd;
}

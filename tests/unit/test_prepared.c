// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/prepared.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "tests/unit/scratch_fs.h"

#define SIZE_BYTES 10000

static struct prepared mark;
static struct err err;
static int fd = -1;

/* A new file where such attributes can be kept, or the test is skipped. */
static void file_begin(void)
{
	fd = scratch_file_anonymous(SIZE_BYTES);
	if (fsetxattr(fd, "user.rawread.test", "1", 1, 0) < 0)
		cr_skip_test("needs user attributes in TMPDIR");
}

static void file_end(void)
{
	if (fd >= 0)
		close(fd);
}

TestSuite(prepared, .init = file_begin, .fini = file_end);

static void write_mark(void)
{
	cr_assert_eq(prepared_write(fd, UINT64_C(0xfedcba9876543210), &err), 0,
		     "%s", err.text);
}

static void expect_none(const char *why)
{
	cr_expect_eq(prepared_read(fd, &mark, &err), -ENODATA, "%s", err.text);
	cr_expect(strstr(err.text, why), "'%s' lacks '%s'", err.text, why);
	cr_expect_eq(mark.seed, 0);
}

Test(prepared, a_mark_is_read_as_it_was_written)
{
	struct stat st;

	cr_assert(!fstat(fd, &st));
	write_mark();
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
	cr_expect_eq(mark.seed, UINT64_C(0xfedcba9876543210));
	cr_expect_eq(mark.size_bytes, SIZE_BYTES);
	cr_expect_eq(mark.inode, st.st_ino);
}

/* It is kept on disks, so it stays what it is. */
Test(prepared, the_text_of_a_mark_is_for_people_too)
{
	char text[256] = "", wanted[256];
	struct statx stx;
	int length;

	cr_assert(!statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &stx));
	if (!(stx.stx_mask & STATX_BTIME))
		cr_skip_test("needs times of birth in TMPDIR");
	write_mark();
	cr_assert(fgetxattr(fd, "user.rawread.prepared", text, sizeof(text)) >
		  0);
	length = snprintf(wanted, sizeof(wanted),
			  "2 seed=fedcba9876543210 size=10000 inode=%llu "
			  "born=%lld.%09u fs=",
			  (unsigned long long)stx.stx_ino,
			  (long long)stx.stx_btime.tv_sec,
			  stx.stx_btime.tv_nsec);
	text[length] = '\0';
	cr_expect_str_eq(text, wanted);
}

Test(prepared, a_file_without_a_mark_has_none)
{
	expect_none("has no mark of 'rawread prepare'");
}

Test(prepared, the_mark_stays_when_the_data_is_written_over)
{
	write_mark();
	cr_assert_eq(pwrite(fd, "other data", 10, 5000), 10);
	cr_assert(!fsync(fd));
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
}

Test(prepared, a_file_of_another_length_is_not_ours)
{
	write_mark();
	cr_assert_eq(pwrite(fd, "x", 1, SIZE_BYTES), 1);
	expect_none("has another size than 'rawread prepare' gave it");
	cr_assert(!ftruncate(fd, SIZE_BYTES - 1));
	expect_none("has another size");
	cr_assert(!ftruncate(fd, SIZE_BYTES));
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
}

Test(prepared, a_copy_that_took_the_mark_along_is_not_ours)
{
	char text[192];
	ssize_t length;
	int original = fd;

	write_mark();
	length = fgetxattr(fd, PREPARED_NAME, text, sizeof(text));
	cr_assert(length > 0);
	fd = scratch_file_anonymous(SIZE_BYTES);
	cr_assert(!fsetxattr(fd, PREPARED_NAME, text, (size_t)length, 0));
	expect_none("is a copy of a file that 'rawread prepare' made");
	close(original);
}

/* The mark of @fd, with @born and @fs in the place of what is there. */
static void mark_as(const char *born, const char *fs)
{
	char text[192];
	struct stat st;

	cr_assert(!fstat(fd, &st));
	snprintf(text, sizeof(text),
		 "2 seed=0000000000000001 size=10000 inode=%llu born=%s fs=%s",
		 (unsigned long long)st.st_ino, born, fs);
	cr_assert(!fsetxattr(fd, PREPARED_NAME, text, strlen(text), 0));
}

/* As on a fresh file system, where the first file has the same inode. */
Test(prepared, a_copy_that_has_the_inode_too_is_not_ours)
{
	struct statx stx;

	cr_assert(!statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx));
	if (!(stx.stx_mask & STATX_BTIME))
		cr_skip_test("needs times of birth in TMPDIR");
	mark_as("1.000000000", "-");
	expect_none("is a copy of a file that 'rawread prepare' made");
}

/* A copy on the same file system may have the inode of a file that has gone. */
Test(prepared, a_mark_whose_birth_cannot_be_compared_is_weak)
{
	char text[192] = "", *fs;

	write_mark();
	cr_assert(fgetxattr(fd, PREPARED_NAME, text, sizeof(text) - 1) > 0);
	fs = strstr(text, " fs=");
	cr_assert(fs);
	mark_as("-", fs + 4);
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
	cr_expect(mark.is_weak);
	mark_as("-", "-");
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
	cr_expect(mark.is_weak);
	write_mark();
	cr_expect_eq(prepared_read(fd, &mark, &err), 0, "%s", err.text);
	cr_expect_not(mark.is_weak);
}

Test(prepared, a_mark_of_an_earlier_version_says_what_to_do)
{
	static const char old[] = "1 seed=0000000000000001 size=10000 inode=1";

	cr_assert(!fsetxattr(fd, PREPARED_NAME, old, strlen(old), 0));
	expect_none("has a mark of an earlier version, which its copies would "
		    "have too; take it away, and prepare it again");
}

Test(prepared, garbage_is_no_mark)
{
	static const char *const garbage[] = {
		"",
		"2",
		"3 seed=0000000000000001 size=10000 inode=%llu born=- fs=-",
		"2 seed=0000000000000001 size=10000 inode=",
		"2 seed=0000000000000001 size=10000 inode=%llu",
		"2 seed=0000000000000001 size=10000 inode=%llu born=- fs=",
		"2 seed=0000000000000001 size=10000 inode=%llu born=- fs=- 1",
		"2 seed=0000000000000001 size=10000 inode=%llu born=- fs=-\n",
		"2 seed=x size=10000 inode=%llu born=- fs=-",
		"yes",
	};
	char text[192], room[256];
	struct stat st;
	size_t i;

	cr_assert(!fstat(fd, &st));
	for (i = 0; i < sizeof(garbage) / sizeof(*garbage); i++) {
		const char *at = strstr(garbage[i], "%llu");
		int length = at ? (int)(at - garbage[i])
				: (int)strlen(garbage[i]);

		snprintf(text, sizeof(text), "%.*s", length, garbage[i]);
		if (at)
			snprintf(text + length, sizeof(text) - (size_t)length,
				 "%llu%s", (unsigned long long)st.st_ino,
				 at + 4);
		cr_assert(!fsetxattr(fd, PREPARED_NAME, text, strlen(text), 0));
		expect_none("does not write");
	}
	/* Longer than any, and with a zero inside. */
	memset(room, '1', sizeof(room));
	cr_assert(!fsetxattr(fd, PREPARED_NAME, room, sizeof(room), 0));
	expect_none("does not write");
	cr_assert(!fsetxattr(fd, PREPARED_NAME, "1\0seed", 6, 0));
	expect_none("does not write");
}

Test(prepared_without, a_file_system_without_attributes_is_told_apart)
{
	scratch_namespace();
	scratch_mount("ramfs", "ramfs", "/mnt/plain", NULL);
	fd = scratch_file_make("/mnt/plain/foo", SIZE_BYTES);
	cr_expect_eq(prepared_write(fd, 1, &err), -EOPNOTSUPP, "%s", err.text);
	cr_expect_eq(prepared_read(fd, &mark, &err), -EOPNOTSUPP, "%s",
		     err.text);
	cr_expect(strstr(err.text, "/mnt/plain/foo can have no mark"), "%s",
		  err.text);
	close(fd);
}

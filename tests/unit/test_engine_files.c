// SPDX-License-Identifier: GPL-2.0-or-later
/* What the engines ask of their descriptors besides reading. */
#include "rawread/engine_files.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/units.h"
#include "lib/system/residency.h"
#include "tests/unit/engine_rig.h"
#include "tests/unit/scratch_fs.h"

static uint64_t resident_bytes(int fd, uint64_t offset, uint64_t size)
{
	struct residency residency;
	struct err err;

	cr_assert(!residency_read(fd, offset, size, &residency, &err), "%s",
		  err.text);
	cr_assert(residency.known, "%s", residency.reason);
	return residency.resident_bytes;
}

/* One call would ask for no more than the device's read-ahead. */
Test(engine_files, readahead_asks_for_all_of_the_range_and_no_more)
{
	const struct rig_want want = { .path = "/mnt/ext4/foo",
				       .offset_bytes = MIB,
				       .range_bytes = 20 * MIB,
				       .readahead = true };
	struct scratch_loop base, loop;
	struct engine_rig rig;
	struct err err;
	int fd;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	fd = scratch_file_make(want.path, 24 * MIB);
	cr_assert(!residency_drop(fd, &err), "%s", err.text);
	rig_begin(&rig, &engine_pread, &want);
	cr_expect_eq(resident_bytes(fd, MIB, 20 * MIB), 20 * MIB, "%lu",
		     resident_bytes(fd, MIB, 20 * MIB));
	cr_expect_eq(resident_bytes(fd, 22 * MIB, 2 * MIB), 0);
	rig_end(&rig);
	close(fd);
}

static unsigned int looks; /* before it is over */

static bool is_over_after(const void *run)
{
	(void)run;
	return !looks--;
}

Test(engine_files, readahead_ends_when_the_run_is_over)
{
	const struct rig_want want = { .path = "/mnt/ext4/foo",
				       .range_bytes = 20 * MIB,
				       .readahead = true };
	struct scratch_loop base, loop;
	struct engine_rig rig;
	struct err err;
	int fd;

	scratch_begin(&base);
	scratch_fs_make("ext4", NULL, &loop);
	fd = scratch_file_make(want.path, 24 * MIB);
	cr_assert(!residency_drop(fd, &err), "%s", err.text);
	cr_assert(!rig_open(&rig, &engine_pread, &want), "%s", rig.err.text);
	rig.job.is_over = is_over_after;
	looks = 3;
	cr_expect_eq(engine_pread.begin(rig.state, &err), 0);
	cr_expect_eq(resident_bytes(fd, 0, 24 * MIB), 3 * 128 * KIB, "%lu",
		     resident_bytes(fd, 0, 24 * MIB));
	rig_end(&rig);
	close(fd);
}

Test(engine_files, a_hint_that_is_refused_names_file_and_call)
{
	struct engine_rig rig;
	struct err err;

	rig_begin(&rig, &engine_read, &(struct rig_want){ 0 });
	rig.file.advice = 4711;
	cr_expect_eq(engine_read.begin(rig.state, &err), -EINVAL);
	cr_expect(strstr(err.text, "posix_fadvise ") &&
			  strstr(err.text, rig.path),
		  "%s", err.text);
	rig_end(&rig);
	rig_begin(&rig, &engine_write,
		  &(struct rig_want){ .open_flags = O_WRONLY });
	rig.file.advice = -1;
	rig.file.readahead = true;
	/* It reads, and this is open for writing. */
	cr_expect_eq(engine_write.finish(rig.state, &err), 0);
	cr_expect_eq(engine_read.begin(rig.state, &err), -EBADF);
	cr_expect(strstr(err.text, "readahead ") && strstr(err.text, rig.path),
		  "%s", err.text);
	rig_end(&rig);
}

/* The path was made to lead elsewhere after the run was planned. */
static void expect_stale(const struct engine_ops *ops, int open_flags)
{
	struct engine_rig rig;
	void *state = NULL;
	struct stat st;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .open_flags = open_flags,
				      .is_write = open_flags });
	cr_assert(!stat(rig.path, &st));
	rig.file.id = (struct file_id){ st.st_dev, st.st_ino };
	cr_expect_eq(ops->open(&rig.job, &state, &rig.err), 0, "%s: %s",
		     ops->name, rig.err.text);
	ops->close(state);
	rig.file.id.inode++;
	cr_expect_eq(ops->open(&rig.job, &state, &rig.err), -ESTALE, "%s",
		     ops->name);
	cr_expect(strstr(rig.err.text, "became another file meanwhile"),
		  "%s: %s", ops->name, rig.err.text);
	/* Nor is it that block device. */
	rig.file.id = (struct file_id){ st.st_dev, 0 };
	cr_expect_eq(ops->open(&rig.job, &state, &rig.err), -ESTALE, "%s",
		     ops->name);
	/* A FIFO that nobody else opens would be waited for. */
	rig.file.id = (struct file_id){ st.st_dev, st.st_ino };
	cr_assert(!unlink(rig.path) && !mkfifo(rig.path, 0600));
	cr_expect_eq(ops->open(&rig.job, &state, &rig.err), -ESTALE, "%s: %s",
		     ops->name, rig.err.text);
	cr_expect(strstr(rig.err.text, "became another file meanwhile"),
		  "%s: %s", ops->name, rig.err.text);
	rig_end(&rig);
}

static void reader_is_stale(const struct engine_ops *ops)
{
	expect_stale(ops, O_RDONLY);
}

static void writer_is_stale(const struct engine_ops *ops)
{
	expect_stale(ops, O_WRONLY);
}

/* The timeout is for one that waits. */
Test(engine_files, no_engine_opens_another_file_than_was_planned, .timeout = 60)
{
	rig_each_reader(reader_is_stale);
	rig_each_writer(writer_is_stale);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/warm.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "lib/system/residency.h"
#include "rawread/targets.h"
#include "tests/unit/planned.h"
#include "tests/unit/scratch_fs.h"

#define FILE_BYTES (5 * 1024 * 1024 + 77)
#define MOST_FILES 2

static char paths[MOST_FILES][32] = { SCRATCH_BASE "/a", SCRATCH_BASE "/b" };
static struct target targets[MOST_FILES];
static char *contents[MOST_FILES]; /* as it was made */
static struct err err;

static void read_all(int fd, char *bytes)
{
	cr_assert_eq(pread(fd, bytes, FILE_BYTES, 0), FILE_BYTES);
}

/* Files of noise on an ext4, known here byte for byte. */
static void files_make(unsigned int count)
{
	static struct scratch_loop base;
	unsigned int i;

	scratch_begin(&base);
	for (i = 0; i < count; i++) {
		targets[i] = (struct target){
			.path = paths[i],
			.fd = scratch_file_make(paths[i], FILE_BYTES),
		};
		contents[i] = malloc(FILE_BYTES);
		cr_assert(contents[i]);
		read_all(targets[i].fd, contents[i]);
	}
}

static void files_free(void)
{
	unsigned int i;

	planned_free();
	for (i = 0; i < MOST_FILES; i++)
		free(contents[i]);
}

TestSuite(warm, .fini = files_free);

static struct plan plan_of(unsigned int count, uint64_t offset_bytes,
			   uint64_t range_bytes)
{
	const struct plan_file files[] = {
		{ .path = paths[0], .size_bytes = FILE_BYTES },
		{ .path = paths[1], .size_bytes = FILE_BYTES }
	};
	struct run_params params = planned_params(FORM_READ, count, count);

	params.offset_bytes = offset_bytes;
	params.range_bytes = range_bytes;
	return planned_make(&params, files);
}

static struct residency residency_of(int fd, uint64_t offset_bytes,
				     uint64_t size_bytes)
{
	struct residency residency;

	cr_assert(!residency_read(fd, offset_bytes, size_bytes, &residency,
				  &err));
	cr_assert(residency.known, "%s", residency.reason);
	return residency;
}

/* As it was made: in the cache, and on the disk below it. */
static void expect_content(unsigned int i)
{
	char *bytes = malloc(FILE_BYTES);
	struct stat st;

	cr_assert(bytes);
	cr_expect(!fstat(targets[i].fd, &st));
	cr_expect_eq(st.st_size, FILE_BYTES);
	read_all(targets[i].fd, bytes);
	cr_expect(!memcmp(bytes, contents[i], FILE_BYTES), "in the cache");
	cr_assert(!residency_drop(targets[i].fd, &err));
	cr_assert_eq(residency_of(targets[i].fd, 0, FILE_BYTES).resident_bytes,
		     0);
	read_all(targets[i].fd, bytes);
	cr_expect(!memcmp(bytes, contents[i], FILE_BYTES), "on disk");
	free(bytes);
}

static void expect_filled(enum warm warm, uint64_t offset_bytes,
			  uint64_t range_bytes)
{
	struct plan plan = plan_of(1, offset_bytes, range_bytes);
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t first = offset_bytes / page;
	uint64_t end = (offset_bytes + range_bytes + page - 1) / page;
	struct residency residency;

	cr_assert_eq(warm_fill(warm, &plan, targets, &err), 0, "%s", err.text);
	residency = residency_of(targets[0].fd, offset_bytes, range_bytes);
	cr_expect_eq(residency.resident_bytes, (end - first) * page,
		     "%s, %lu bytes from %lu: %lu resident", warm_name(warm),
		     range_bytes, offset_bytes, residency.resident_bytes);
	cr_expect_eq(residency.dirty_bytes, 0, "%lu", residency.dirty_bytes);
	expect_content(0);
}

static void expect_each_range(enum warm warm)
{
	/* Pages, whole and not; chunks, whole and not; up to the end. */
	static const struct {
		uint64_t offset_bytes, range_bytes;
	} ranges[] = {
		{ 0, FILE_BYTES },
		{ 4096, 2 * WARM_CHUNK_BYTES },
		{ 4097, 2 * WARM_CHUNK_BYTES + 1 },
		{ 12345, 3 * WARM_CHUNK_BYTES - 1 },
		{ 5000, 1 },
		{ FILE_BYTES - 1, 1 },
		{ FILE_BYTES - 100000, 100000 },
	};
	size_t i;

	files_make(1);
	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		expect_filled(warm, ranges[i].offset_bytes,
			      ranges[i].range_bytes);
}

Test(warm, reading_fills_the_range_and_nothing_is_dirty)
{
	expect_each_range(WARM_FILL_READ);
}

Test(warm, writing_fills_the_range_with_what_was_there)
{
	expect_each_range(WARM_FILL_WRITE);
}

Test(warm, all_targets_are_filled)
{
	struct plan plan;
	unsigned int i;

	files_make(2);
	plan = plan_of(2, 0, 0);
	cr_assert_eq(warm_fill(WARM_FILL_WRITE, &plan, targets, &err), 0, "%s",
		     err.text);
	for (i = 0; i < 2; i++)
		cr_expect_geq(residency_of(targets[i].fd, 0, FILE_BYTES)
				      .resident_bytes,
			      FILE_BYTES);
	expect_content(0);
	expect_content(1);
}

/* In folios of one page, so that none reaches beyond a range. */
static void read_in_pages(int fd)
{
	char bytes[4096];
	off_t at;

	cr_assert(!residency_drop(fd, &err));
	cr_assert(!posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
	for (at = 0; at < FILE_BYTES; at += (off_t)sizeof(bytes))
		cr_assert_gt(pread(fd, bytes, sizeof(bytes), at), 0);
}

/* The rest of the file was somebody else's, and nobody asked for it. */
Test(warm, what_is_beyond_the_range_stays_in_the_cache)
{
	struct plan plan;

	files_make(1);
	plan = plan_of(1, WARM_CHUNK_BYTES + 5, WARM_CHUNK_BYTES);
	read_in_pages(targets[0].fd);
	cr_assert_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), 0, "%s",
		     err.text);
	cr_expect_geq(residency_of(targets[0].fd, 0, FILE_BYTES).resident_bytes,
		      FILE_BYTES);
}

/* As a library or a database would: it would be in folios of their making. */
Test(warm, what_another_maps_cannot_be_emptied_and_is_no_warm_run)
{
	const enum warm ways[] = { WARM_FILL_READ, WARM_FILL_WRITE };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *map;
	struct plan plan;
	char part[128];
	size_t i;

	files_make(1);
	plan = plan_of(1, 0, 0);
	read_in_pages(targets[0].fd);
	map = mmap(NULL, 3 * page, PROT_READ, MAP_SHARED | MAP_POPULATE,
		   targets[0].fd, 0);
	cr_assert(map != MAP_FAILED);
	snprintf(part, sizeof(part),
		 "--warm: " SCRATCH_BASE "/a: %zu bytes of the range cannot "
		 "be taken out of the page cache, 0 of them dirty; they are "
		 "mapped",
		 3 * page);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		cr_expect_eq(warm_fill(ways[i], &plan, targets, &err), -EBUSY);
		cr_expect(strstr(err.text, part), "%s", err.text);
	}
	/* Beyond the range it is in nobody's way. */
	plan = plan_of(1, WARM_CHUNK_BYTES, WARM_CHUNK_BYTES);
	cr_expect_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), 0, "%s",
		     err.text);
	cr_expect(!munmap((void *)map, 3 * page));
}

Test(warm, a_target_that_went_away_is_named)
{
	struct plan plan;

	files_make(1);
	plan = plan_of(1, 0, 0);
	cr_assert(!unlink(paths[0]));
	cr_expect_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), -ENOENT);
	cr_expect_str_eq(err.text,
			 "fill the cache: open " SCRATCH_BASE
			 "/a: No such file or directory",
			 "%s", err.text);
}

Test(warm, a_file_that_became_shorter_is_named_with_the_offset)
{
	struct plan plan;

	files_make(1);
	plan = plan_of(1, 0, 0);
	cr_assert(!ftruncate(targets[0].fd, 2 * WARM_CHUNK_BYTES + 5));
	cr_expect_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), -ENODATA);
	cr_expect(strstr(err.text, SCRATCH_BASE "/a at offset 2097157"), "%s",
		  err.text);
}

Test(warm, a_signal_ends_it)
{
	struct plan plan;

	files_make(1);
	plan = plan_of(1, 0, 0);
	stop_install();
	cr_assert(!raise(SIGTERM));
	cr_expect_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), -EINTR);
	cr_expect_str_eq(err.text, "interrupted");
}

Test(warm, a_cache_that_cannot_be_looked_at_is_not_taken_for_full)
{
	struct residency residency;
	struct plan plan;
	int rc;

	files_make(1);
	plan = plan_of(1, 0, 0);
	/* Who may write it may look. */
	close(targets[0].fd);
	targets[0].fd = open(paths[0], O_RDONLY | O_CLOEXEC);
	cr_assert(!chmod(paths[0], 0444));
	cr_assert(!seteuid(65534));
	cr_assert(!residency_read(targets[0].fd, 0, FILE_BYTES, &residency,
				  &err));
	rc = warm_fill(WARM_FILL_READ, &plan, targets, &err);
	cr_assert(!seteuid(0));
	if (residency.known)
		cr_skip_test("this kernel tells everyone what is resident");
	cr_expect_eq(rc, -EPERM, "%s", err.text);
	cr_expect(strstr(err.text, "--warm: " SCRATCH_BASE "/a: whether it is "
				   "in the page cache cannot be told: "),
		  "%s", err.text);
}

Test(warm, another_file_in_the_place_of_a_target_is_left_alone)
{
	struct plan plan;
	struct stat st;

	files_make(2);
	plan = plan_of(1, 0, 0);
	cr_assert(!fstat(targets[0].fd, &st));
	targets[0].dev = st.st_dev;
	targets[0].inode = st.st_ino;
	cr_assert(!rename(paths[1], paths[0]));
	cr_expect_eq(warm_fill(WARM_FILL_WRITE, &plan, targets, &err), -ESTALE);
	cr_expect_str_eq(err.text, SCRATCH_BASE "/a became another file "
						"meanwhile; start again");
	expect_content(1);
}

Test(warm, a_fifo_in_the_place_of_a_target_is_not_waited_for, .timeout = 60)
{
	struct plan plan;
	struct stat st;

	files_make(1);
	plan = plan_of(1, 0, 0);
	cr_assert(!fstat(targets[0].fd, &st));
	targets[0].dev = st.st_dev;
	targets[0].inode = st.st_ino;
	cr_assert(!unlink(paths[0]) && !mkfifo(paths[0], 0600));
	cr_expect_eq(warm_fill(WARM_FILL_READ, &plan, targets, &err), -ESTALE);
	cr_expect_eq(warm_fill(WARM_FILL_WRITE, &plan, targets, &err), -ESTALE);
}

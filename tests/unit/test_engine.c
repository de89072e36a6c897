// SPDX-License-Identifier: GPL-2.0-or-later
/* Conformance: the same tests for every engine of the table. */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"

#define FILE_BYTES  100001
#define BLOCK_BYTES 4096

/* A file whose every byte tells where it is, and what reads it. */
struct rig {
	char path[64];
	char buffer[8 * BLOCK_BYTES];
	struct engine_file file;
	struct engine_job job;
	const struct engine_ops *ops;
	void *state;
};

static char byte_at(uint64_t offset)
{
	return (char)(offset * 31 + offset / 251);
}

static void rig_begin(struct rig *rig, const struct engine_ops *ops,
		      unsigned int iovecs)
{
	static char bytes[FILE_BYTES];
	struct err err;
	size_t i;
	int fd;

	memset(rig, 0, sizeof(*rig));
	sprintf(rig->path, "/tmp/rawread-engine.%d", getpid());
	fd = open(rig->path, O_RDWR | O_CREAT | O_EXCL, 0600);
	cr_assert_geq(fd, 0);
	for (i = 0; i < FILE_BYTES; i++)
		bytes[i] = byte_at(i);
	cr_assert_eq(write(fd, bytes, FILE_BYTES), FILE_BYTES);
	close(fd);
	rig->ops = ops;
	rig->file = (struct engine_file){ .path = rig->path,
					  .open_flags = O_RDONLY,
					  .advice = POSIX_FADV_SEQUENTIAL,
					  .range_bytes = FILE_BYTES };
	rig->job = (struct engine_job){ .files = &rig->file,
					.file_count = 1,
					.buffer = rig->buffer,
					.iovec_bytes = BLOCK_BYTES,
					.iovecs = iovecs };
	cr_assert(!ops->open(&rig->job, &rig->state, &err), "%s: %s", ops->name,
		  err.text);
	if (ops->begin)
		cr_assert(!ops->begin(rig->state, &err), "%s", err.text);
}

static void rig_end(struct rig *rig)
{
	rig->ops->close(rig->state);
	unlink(rig->path);
}

static int64_t submit(struct rig *rig, uint64_t offset, uint64_t size,
		      uint64_t skip)
{
	struct io_op op = { .offset_bytes = offset,
			    .size_bytes = size,
			    .skip_bytes = skip };

	cr_assert_eq(rig->ops->submit(rig->state, &op), 0);
	cr_expect_eq(op.offset_bytes, offset);
	cr_expect_eq(op.size_bytes, size);
	return op.result;
}

/* Of one iovec: @size bytes at @skip of the buffer are those of @offset. */
static void expect_bytes(const struct rig *rig, uint64_t offset, uint64_t size,
			 uint64_t skip)
{
	uint64_t i;

	for (i = 0; i < size; i++)
		cr_assert_eq(rig->buffer[skip + i], byte_at(offset + i),
			     "%s: byte %lu of offset %lu", rig->ops->name, i,
			     offset);
}

static void each_engine(void (*test)(const struct engine_ops *ops))
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (!engines[i]->reads_nothing)
			test(engines[i]);
}

static void reads_where_it_is_told(const struct engine_ops *ops)
{
	const uint64_t offsets[] = { 0,	   4096,  4096, 8192, 50000,
				     4096, 95905, 0,	0 };
	struct rig rig;
	size_t i;

	rig_begin(&rig, ops, 1);
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		cr_expect_eq(submit(&rig, offsets[i], BLOCK_BYTES, 0),
			     BLOCK_BYTES);
		expect_bytes(&rig, offsets[i], BLOCK_BYTES, 0);
	}
	rig_end(&rig);
}

Test(engine, each_reads_where_it_is_told)
{
	each_engine(reads_where_it_is_told);
}

static void tells_short_reads(const struct engine_ops *ops)
{
	struct rig rig;

	rig_begin(&rig, ops, 1);
	cr_expect_eq(submit(&rig, 98304, BLOCK_BYTES, 0), 1697);
	expect_bytes(&rig, 98304, 1697, 0);
	cr_expect_eq(submit(&rig, FILE_BYTES, BLOCK_BYTES, 0), 0);
	cr_expect_eq(submit(&rig, FILE_BYTES + 4096, BLOCK_BYTES, 0), 0);
	/* And finds back. */
	cr_expect_eq(submit(&rig, 0, 100, 0), 100);
	expect_bytes(&rig, 0, 100, 0);
	rig_end(&rig);
}

Test(engine, each_tells_what_arrived_at_and_behind_the_end)
{
	each_engine(tells_short_reads);
}

static void continues(const struct engine_ops *ops)
{
	struct rig rig;

	rig_begin(&rig, ops, 1);
	memset(rig.buffer, 0, sizeof(rig.buffer));
	cr_expect_eq(submit(&rig, 1000, 96, 1000), 96);
	expect_bytes(&rig, 1000, 96, 1000);
	cr_expect_eq(rig.buffer[999], 0);
	cr_expect_eq(rig.buffer[1096], 0);
	rig_end(&rig);
}

Test(engine, each_continues_into_the_middle_of_the_buffer)
{
	each_engine(continues);
}

static void says_what_it_cannot_open(const struct engine_ops *ops)
{
	const struct engine_file file = { .path = "/no/such/file",
					  .open_flags = O_RDONLY,
					  .advice = -1 };
	const struct engine_job job = { .files = &file,
					.file_count = 1,
					.iovecs = 1 };
	void *state = &state;
	struct err err;

	cr_expect_eq(ops->open(&job, &state, &err), -ENOENT, "%s", ops->name);
	cr_expect_str_eq(err.text,
			 "open /no/such/file: No such file or directory");
	cr_expect_null(state);
	ops->close(NULL);
}

Test(engine, each_says_which_file_it_cannot_open)
{
	each_engine(says_what_it_cannot_open);
}

static void hands_errors_on(const struct engine_ops *ops)
{
	struct io_op op = { .size_bytes = 100 };
	const struct engine_file file = { .path = "/tmp",
					  .open_flags = O_RDONLY | O_DIRECTORY,
					  .advice = -1 };
	char buffer[100];
	const struct engine_job job = { .files = &file,
					.file_count = 1,
					.buffer = buffer,
					.iovec_bytes = 100,
					.iovecs = 1 };
	struct err err;
	void *state;
	int rc;

	cr_assert(!ops->open(&job, &state, &err), "%s", err.text);
	rc = ops->submit(state, &op);
	cr_expect(rc == -EISDIR || op.result == -EISDIR, "%s: %d %ld",
		  ops->name, rc, op.result);
	ops->close(state);
}

Test(engine, each_hands_the_errno_on)
{
	each_engine(hands_errors_on);
}

Test(engine, iovecs_lie_two_lengths_apart)
{
	struct rig rig;
	unsigned int i;

	rig_begin(&rig, &engine_readv, 4);
	memset(rig.buffer, 0, sizeof(rig.buffer));
	cr_expect_eq(submit(&rig, 512, 4 * BLOCK_BYTES, 0), 4 * BLOCK_BYTES);
	for (i = 0; i < 4; i++) {
		expect_bytes(&rig, 512 + i * BLOCK_BYTES, BLOCK_BYTES,
			     2 * i * BLOCK_BYTES);
		if (i < 3)
			cr_expect_eq(rig.buffer[(2 * i + 1) * BLOCK_BYTES], 0);
	}
	rig_end(&rig);
}

/* 4 iovecs: a read that is shorter, and one that goes on in the second. */
Test(engine, readv_is_cut_and_continued_across_iovecs)
{
	struct rig rig;

	rig_begin(&rig, &engine_readv, 4);
	memset(rig.buffer, 0, sizeof(rig.buffer));
	cr_expect_eq(submit(&rig, 0, BLOCK_BYTES + 10, 0), BLOCK_BYTES + 10);
	expect_bytes(&rig, 0, BLOCK_BYTES, 0);
	expect_bytes(&rig, BLOCK_BYTES, 10, 2 * BLOCK_BYTES);
	cr_expect_eq(rig.buffer[2 * BLOCK_BYTES + 10], 0);
	cr_expect_eq(submit(&rig, BLOCK_BYTES + 10, 3 * BLOCK_BYTES - 10,
			    BLOCK_BYTES + 10),
		     3 * BLOCK_BYTES - 10);
	expect_bytes(&rig, BLOCK_BYTES, BLOCK_BYTES, 2 * BLOCK_BYTES);
	expect_bytes(&rig, 2 * BLOCK_BYTES, BLOCK_BYTES, 4 * BLOCK_BYTES);
	expect_bytes(&rig, 3 * BLOCK_BYTES, BLOCK_BYTES, 6 * BLOCK_BYTES);
	rig_end(&rig);
}

Test(engine, two_files_of_one_job_keep_their_positions_apart)
{
	size_t i;

	for (i = 0; engines[i]; i++) {
		struct engine_file files[2];
		struct engine_job job;
		struct rig rig;
		struct err err;
		void *state;
		unsigned int turn;

		if (engines[i]->reads_nothing)
			continue;
		rig_begin(&rig, engines[i], 1);
		files[0] = files[1] = rig.file;
		job = rig.job;
		job.files = files;
		job.file_count = 2;
		cr_assert(!engines[i]->open(&job, &state, &err));
		for (turn = 0; turn < 6; turn++) {
			struct io_op op = {
				.file = turn % 2,
				.size_bytes = 100,
				.offset_bytes =
					(turn % 2) * 50000 + turn / 2 * 100,
			};

			engines[i]->submit(state, &op);
			cr_expect_eq(op.result, 100);
			expect_bytes(&rig, op.offset_bytes, 100, 0);
		}
		engines[i]->close(state);
		rig_end(&rig);
	}
}

Test(engine, null_says_it_read_all_and_touches_nothing)
{
	const struct engine_file file = { .path = "/no/such/file" };
	const struct engine_job job = { .files = &file, .file_count = 1 };
	struct io_op op = { .size_bytes = 12345 };
	struct err err;
	void *state;

	cr_assert(!engine_null.open(&job, &state, &err));
	cr_expect_eq(engine_null.submit(state, &op), 0);
	cr_expect_eq(op.result, 12345);
	cr_expect(engine_null.reads_nothing);
	engine_null.close(state);
}

Test(engine, is_found_by_name_or_refused_with_those_there_are)
{
	const struct engine_ops *ops;
	struct err err;
	size_t i;

	for (i = 0; engines[i]; i++) {
		cr_expect_eq(engine_find(engines[i]->name, &ops, &err), 0);
		cr_expect_eq(ops, engines[i]);
		cr_expect(engines[i]->summary && *engines[i]->summary);
	}
	cr_expect_eq(engine_find("mmap", &ops, &err), -EINVAL);
	cr_expect_str_eq(err.text, "engine 'mmap' is not in this version, "
				   "which has read readv pread null");
	cr_expect_null(ops);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The table, and what is one engine's own and small. */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "tests/unit/engine_rig.h"

#define BLOCK_BYTES 4096

static void each_vectored_reader(void (*test)(const struct engine_ops *ops))
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (engines[i]->is_vectored && engines[i]->fills_buffer)
			test(engines[i]);
}

static void lie_apart(const struct engine_ops *ops)
{
	struct engine_rig rig;
	unsigned int i;

	rig_begin(&rig, ops, &(struct rig_want){ .iovecs = 4 });
	cr_expect_eq(rig_io(&rig, 512, 4 * BLOCK_BYTES, 0), 4 * BLOCK_BYTES);
	for (i = 0; i < 4; i++) {
		rig_expect(&rig, 512 + i * BLOCK_BYTES, BLOCK_BYTES,
			   2 * i * BLOCK_BYTES);
		cr_expect_eq(rig.job.buffer[(2 * i + 1) * BLOCK_BYTES], 0, "%s",
			     ops->name);
	}
	rig_end(&rig);
}

Test(engine, iovecs_lie_two_lengths_apart)
{
	each_vectored_reader(lie_apart);
}

/* A read that is shorter, and one that goes on in the second iovec. */
static void are_cut(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops, &(struct rig_want){ .iovecs = 4 });
	cr_expect_eq(rig_io(&rig, 0, BLOCK_BYTES + 10, 0), BLOCK_BYTES + 10);
	rig_expect(&rig, 0, BLOCK_BYTES, 0);
	rig_expect(&rig, BLOCK_BYTES, 10, 2 * BLOCK_BYTES);
	cr_expect_eq(rig.job.buffer[2 * BLOCK_BYTES + 10], 0);
	cr_expect_eq(rig_io(&rig, BLOCK_BYTES + 10, 3 * BLOCK_BYTES - 10,
			    BLOCK_BYTES + 10),
		     3 * BLOCK_BYTES - 10);
	rig_expect(&rig, BLOCK_BYTES, BLOCK_BYTES, 2 * BLOCK_BYTES);
	rig_expect(&rig, 2 * BLOCK_BYTES, BLOCK_BYTES, 4 * BLOCK_BYTES);
	rig_expect(&rig, 3 * BLOCK_BYTES, BLOCK_BYTES, 6 * BLOCK_BYTES);
	rig_end(&rig);
}

Test(engine, iovecs_are_cut_and_continued)
{
	each_vectored_reader(are_cut);
}

Test(engine, writev_writes_from_iovecs_two_lengths_apart)
{
	char found[3 * BLOCK_BYTES];
	struct engine_rig rig;
	unsigned int i;
	int fd;

	rig_begin(&rig, &engine_writev,
		  &(struct rig_want){ .iovecs = 3,
				      .open_flags = O_WRONLY,
				      .is_write = true });
	for (i = 0; i < 3; i++)
		memset(rig.job.buffer + 2 * i * BLOCK_BYTES, 'a' + (int)i,
		       BLOCK_BYTES);
	cr_expect_eq(rig_io(&rig, 4096, sizeof(found), 0), sizeof(found));
	fd = open(rig.path, O_RDONLY);
	cr_assert_eq(pread(fd, found, sizeof(found), 4096), sizeof(found));
	close(fd);
	for (i = 0; i < sizeof(found); i++)
		cr_assert_eq(found[i], 'a' + (char)(i / BLOCK_BYTES));
	rig_end(&rig);
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
	char expected[512] =
		"engine 'telepathy' is not in this version, which has";
	const struct engine_ops *ops;
	struct err err;
	size_t i;

	for (i = 0; engines[i]; i++) {
		cr_expect_eq(engine_find(engines[i]->name, &ops, &err), 0);
		cr_expect_eq(ops, engines[i]);
		strcat(strcat(expected, " "), engines[i]->name);
	}
	cr_expect_eq(engine_find("telepathy", &ops, &err), -EINVAL);
	cr_expect_str_eq(err.text, expected);
	cr_expect_null(ops);
}

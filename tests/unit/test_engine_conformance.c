// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same tests for every engine of the table: a new one is tested without a
 * line here. What they do with disks that fail is in
 * test_engine_conformance_disk.c.
 */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/base/content.h"
#include "tests/unit/engine_rig.h"

static const uint64_t blocks[] = { 1024, 4096, 65536 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int count = 0;

	cr_assert(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void reads_all(const struct engine_ops *ops)
{
	size_t i;

	for (i = 0; i < COUNT(blocks); i++) {
		struct engine_rig rig;
		uint64_t at = 0, total = 0;

		rig_begin(&rig, ops,
			  &(struct rig_want){ .block_bytes = blocks[i] });
		for (; at < RIG_FILE_BYTES; at += blocks[i]) {
			int64_t got = rig_io(&rig, at, blocks[i], 0);

			cr_assert_gt(got, 0, "%s: %ld at %lu", ops->name, got,
				     at);
			rig_expect(&rig, at, (uint64_t)got, 0);
			total += (uint64_t)got;
		}
		cr_expect_eq(total, RIG_FILE_BYTES, "%s: %lu", ops->name,
			     total);
		rig_end(&rig);
	}
}

Test(engine_conformance, each_reads_the_same_bytes_in_blocks_of_any_size)
{
	rig_each_reader(reads_all);
}

static void reads_where_it_is_told(const struct engine_ops *ops)
{
	const uint64_t offsets[] = { 0,	   4096,  4096, 8192, 50000,
				     4096, 95905, 0,	0 };
	struct engine_rig rig;
	size_t i;

	rig_begin(&rig, ops, &(struct rig_want){ 0 });
	for (i = 0; i < COUNT(offsets); i++) {
		cr_expect_eq(rig_io(&rig, offsets[i], 4096, 0), 4096);
		rig_expect(&rig, offsets[i], 4096, 0);
	}
	rig_end(&rig);
}

Test(engine_conformance, each_reads_where_it_is_told)
{
	rig_each_reader(reads_where_it_is_told);
}

static void reads_a_part(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .offset_bytes = 5000,
				      .range_bytes = 10000,
				      .block_bytes = 8192 });
	cr_expect_eq(rig_io(&rig, 5000, 8192, 0), 8192, "%s", ops->name);
	rig_expect(&rig, 5000, 8192, 0);
	cr_expect_eq(rig_io(&rig, 13192, 1808, 0), 1808, "%s", ops->name);
	rig_expect(&rig, 13192, 1808, 0);
	rig_end(&rig);
}

Test(engine_conformance, each_reads_a_range_that_begins_and_ends_inside_pages)
{
	rig_each_reader(reads_a_part);
}

static void reads_a_large_block(const struct engine_ops *ops)
{
	const uint64_t size = (3 << 20) + 77;
	struct engine_rig rig;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .file_bytes = size,
				      .block_bytes = 4 << 20 });
	cr_expect_eq(rig_io(&rig, 77, 3 << 20, 0), 3 << 20, "%s", ops->name);
	rig_expect(&rig, 77, 3 << 20, 0);
	cr_expect_eq(rig_io(&rig, 0, 4 << 20, 0), size, "%s", ops->name);
	rig_expect(&rig, 0, size, 0);
	rig_end(&rig);
}

Test(engine_conformance, each_reads_a_block_of_megabytes_in_one_operation)
{
	rig_each_reader(reads_a_large_block);
}

static void tells_short_reads(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops, &(struct rig_want){ 0 });
	cr_expect_eq(rig_io(&rig, 98304, 4096, 0), 1697, "%s", ops->name);
	rig_expect(&rig, 98304, 1697, 0);
	cr_expect_eq(rig_io(&rig, RIG_FILE_BYTES, 4096, 0), 0, "%s", ops->name);
	cr_expect_eq(rig_io(&rig, RIG_FILE_BYTES + 4096, 4096, 0), 0, "%s",
		     ops->name);
	/* And finds back. */
	cr_expect_eq(rig_io(&rig, 0, 100, 0), 100, "%s", ops->name);
	rig_expect(&rig, 0, 100, 0);
	rig_end(&rig);
}

Test(engine_conformance, each_tells_what_arrived_at_and_behind_the_end)
{
	rig_each_reader(tells_short_reads);
}

static void reads_an_empty_file(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .is_empty = true, .range_bytes = 8192 });
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 0, "%s", ops->name);
	cr_expect_eq(rig_io(&rig, 4096, 4096, 0), 0, "%s", ops->name);
	rig_end(&rig);
}

Test(engine_conformance, each_reads_nothing_of_an_empty_file)
{
	rig_each_reader(reads_an_empty_file);
}

static void continues(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(&rig, ops, &(struct rig_want){ 0 });
	cr_expect_eq(rig_io(&rig, 1000, 96, 1000), 96);
	rig_expect(&rig, 1000, 96, 1000);
	cr_expect_eq(rig.job.buffer[999], 0, "%s", ops->name);
	cr_expect_eq(rig.job.buffer[1096], 0, "%s", ops->name);
	rig_end(&rig);
}

Test(engine_conformance, each_continues_into_the_middle_of_the_buffer)
{
	rig_each_reader(continues);
}

static void cannot_open(const struct engine_ops *ops)
{
	unsigned int before = open_descriptors();
	struct engine_rig rig;
	int rc;

	rc = rig_open(&rig, ops,
		      &(struct rig_want){ .path = "/no/such/file",
					  .range_bytes = 1 });
	cr_expect_eq(rc, -ENOENT, "%s: %d", ops->name, rc);
	cr_expect_str_eq(rig.err.text,
			 "open /no/such/file: No such file or directory");
	cr_expect_null(rig.state);
	rig_end(&rig); /* which closes NULL */
	cr_expect_eq(open_descriptors(), before, "%s: %u, and before %u",
		     ops->name, open_descriptors(), before);
}

Test(engine_conformance, each_says_which_file_it_cannot_open_and_leaves_none)
{
	rig_each_reader(cannot_open);
	rig_each_writer(cannot_open);
}

/* The second of two files: what was done for the first is undone. */
static void cannot_open_the_second(const struct engine_ops *ops)
{
	unsigned int before;
	struct engine_rig rig;
	void *state = &state;

	rig_begin(&rig, ops, &(struct rig_want){ 0 });
	before = open_descriptors();
	rig.job.files =
		(struct engine_file[]){ rig.file, { .path = "/no/such/file" } };
	rig.job.file_count = 2;
	cr_expect_eq(ops->open(&rig.job, &state, &rig.err), -ENOENT);
	cr_expect_null(state);
	cr_expect_eq(open_descriptors(), before, "%s", ops->name);
	rig.job.file_count = 1;
	cr_expect_eq(rig_io(&rig, 0, 100, 0), 100);
	rig_end(&rig);
}

Test(engine_conformance, each_closes_the_first_file_when_the_second_is_missing)
{
	rig_each_reader(cannot_open_the_second);
}

/* Which errno it is depends on the call. */
static void hands_errors_on(const struct engine_ops *ops)
{
	struct engine_rig rig;
	int64_t got = rig_open(&rig, ops,
			       &(struct rig_want){ .path = "/tmp",
						   .open_flags = O_DIRECTORY });

	if (!got)
		got = rig_io(&rig, 0, 100, 0);
	cr_expect(got == -EISDIR || got == -EINVAL || got == -EOPNOTSUPP,
		  "%s: %ld", ops->name, got);
	rig_end(&rig);
}

Test(engine_conformance, each_hands_the_errno_on)
{
	rig_each_reader(hands_errors_on);
}

static void keeps_files_apart(const struct engine_ops *ops)
{
	struct engine_file files[2];
	struct engine_rig rig;
	unsigned int turn;

	rig_begin(&rig, ops, &(struct rig_want){ 0 });
	ops->close(rig.state);
	files[0] = files[1] = rig.file;
	rig.job.files = files;
	rig.job.file_count = 2;
	cr_assert(!ops->open(&rig.job, &rig.state, &rig.err));
	for (turn = 0; turn < 6; turn++) {
		struct io_op op = {
			.file = turn % 2,
			.size_bytes = 100,
			.offset_bytes = (turn % 2) * 50000 + turn / 2 * 100,
		};

		cr_expect_eq(rig_do(&rig, &op), 100);
		rig_expect(&rig, op.offset_bytes, 100, 0);
	}
	rig_end(&rig);
}

Test(engine_conformance, each_keeps_the_positions_of_two_files_apart)
{
	rig_each_reader(keeps_files_apart);
}

static void reads_in_flight(const struct engine_ops *ops)
{
	struct io_op ops_of[8] = { 0 };
	struct engine_rig rig;
	unsigned int i;

	if (!ops->reap)
		return;
	rig_begin(&rig, ops, &(struct rig_want){ .slots = COUNT(ops_of) });
	for (i = 0; i < COUNT(ops_of); i++) {
		ops_of[i] = (struct io_op){ .slot = i,
					    .offset_bytes = 12288 * (7 - i),
					    .size_bytes = 4096 };
		cr_assert_eq(ops->submit(rig.state, &ops_of[i]), 1);
	}
	rig_reap_all(&rig, COUNT(ops_of));
	for (i = 0; i < COUNT(ops_of); i++) {
		cr_expect_eq(ops_of[i].result, 4096);
		rig_expect(&rig, ops_of[i].offset_bytes, 4096,
			   i * rig.job.slot_bytes);
	}
	rig_end(&rig);
}

Test(engine_conformance, each_puts_what_is_in_flight_into_its_own_slot)
{
	rig_each_reader(reads_in_flight);
}

static void drops_what_is_in_flight(const struct engine_ops *ops)
{
	struct io_op ops_of[4] = { 0 };
	struct io_op *done[COUNT(ops_of)];
	unsigned int before = open_descriptors(), i;
	struct engine_rig rig;

	if (!ops->reap)
		return;
	rig_begin(&rig, ops, &(struct rig_want){ .slots = COUNT(ops_of) });
	for (i = 0; i < COUNT(ops_of); i++) {
		ops_of[i] = (struct io_op){ .slot = i,
					    .offset_bytes = 4096 * i,
					    .size_bytes = 4096 };
		ops->submit(rig.state, &ops_of[i]);
	}
	/* Starts them, and waits for none. */
	cr_expect_geq(ops->reap(rig.state, done, 0, 1), 0);
	rig_end(&rig);
	cr_expect_eq(open_descriptors(), before, "%s", ops->name);
}

Test(engine_conformance, each_drops_what_is_in_flight_when_it_is_closed)
{
	rig_each_reader(drops_what_is_in_flight);
}

static volatile sig_atomic_t signals;

static void count_signal(int signal_number)
{
	(void)signal_number;
	signals++;
}

/* Waits are broken off (there is no SA_RESTART), and nothing is lost. */
static void stands_signals(const struct engine_ops *ops)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } },
			       never = { 0 };
	struct sigaction action = { .sa_handler = count_signal };
	struct engine_rig rig;
	uint64_t at = 0;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .open_flags = O_DIRECT, .slots = 8 });
	signals = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (signals < 20) {
		int64_t got = rig_io(&rig, at, 4096, 0);

		if (got == -EINTR)
			continue;
		cr_assert_eq(got, 4096, "%s: %ld", ops->name, got);
		rig_expect(&rig, at, 4096, 0);
		at = (at + 4096) % 98304;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	rig_end(&rig);
}

Test(engine_conformance, each_loses_nothing_when_signals_come)
{
	char *path = rig_path("direct");
	int fd = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);

	unlink(path);
	free(path);
	if (fd < 0)
		cr_skip_test("no direct I/O in TMPDIR");
	close(fd);
	rig_each_reader(stands_signals);
}

/* One block, of which the first 100 bytes go in a write of their own. */
static void write_block(struct engine_rig *rig, uint64_t at, uint64_t size)
{
	uint64_t i;

	for (i = 0; i < size; i++)
		rig->job.buffer[i] = rig_byte(at + i);
	cr_assert_eq(rig_io(rig, at, 100, 0), 100, "%s", rig->ops->name);
	cr_assert_eq(rig_io(rig, at + 100, size - 100, 100),
		     (int64_t)size - 100, "%s", rig->ops->name);
}

static void writes_all(const struct engine_ops *ops)
{
	static char found[RIG_FILE_BYTES + 1];
	struct engine_rig rig;
	size_t i;
	int fd;

	for (i = 0; i < COUNT(blocks); i++) {
		uint64_t last = RIG_FILE_BYTES / blocks[i], n, at;

		rig_begin(&rig, ops,
			  &(struct rig_want){ .block_bytes = blocks[i],
					      .open_flags = O_WRONLY,
					      .is_write = true });
		/* Zeros of the same length. */
		cr_assert(!truncate(rig.path, 0) &&
			  !truncate(rig.path, RIG_FILE_BYTES));
		write_block(&rig, last * blocks[i],
			    RIG_FILE_BYTES - last * blocks[i]);
		for (n = 0; n < last; n++)
			write_block(&rig, n * blocks[i], blocks[i]);
		cr_assert(ops->finish, "%s", ops->name);
		cr_assert(!ops->finish(rig.state, &rig.err), "%s",
			  rig.err.text);
		fd = open(rig.path, O_RDONLY);
		cr_assert_eq(read(fd, found, sizeof(found)), RIG_FILE_BYTES,
			     "%s", ops->name);
		for (at = 0; at < RIG_FILE_BYTES; at++)
			cr_assert_eq(found[at], rig_byte(at), "%s: byte %lu",
				     ops->name, at);
		close(fd);
		rig_end(&rig);
	}
}

Test(engine_conformance, each_writes_every_byte_and_none_beyond_the_end)
{
	rig_each_writer(writes_all);
}

/* Of 512 bytes; all of them different, in the buffer as well. */
#define PIECES 128

static void writes_no_piece_twice(const struct engine_ops *ops)
{
	static uint64_t pieces[PIECES][64];
	const unsigned int iovecs = ops->is_vectored ? 2 : 1;
	const uint64_t block = (uint64_t)iovecs * sizeof(pieces[0]);
	struct engine_rig rig;
	unsigned int i, j;
	uint64_t at;
	int fd;

	rig_begin(&rig, ops,
		  &(struct rig_want){ .block_bytes = sizeof(pieces[0]),
				      .iovecs = iovecs,
				      .open_flags = O_WRONLY,
				      .is_write = true,
				      .roll_mask = 2 * sizeof(pieces) - 1 });
	content_fill(1, 0, (uint64_t *)(void *)rig.job.buffer,
		     (2 * sizeof(pieces) + 2 * block) / sizeof(uint64_t));
	/* Each in two parts, which are of the same data. */
	for (at = 0; at < sizeof(pieces); at += block) {
		cr_assert_eq(rig_io(&rig, at, 100, 0), 100, "%s", ops->name);
		cr_assert_eq(rig_io(&rig, at + 100, block - 100, 100),
			     (int64_t)block - 100, "%s", ops->name);
	}
	fd = open(rig.path, O_RDONLY);
	cr_assert_eq(read(fd, pieces, sizeof(pieces)), sizeof(pieces));
	close(fd);
	for (i = 0; i < PIECES; i++) {
		cr_expect(memmem(rig.job.buffer, 2 * sizeof(pieces) + 2 * block,
				 pieces[i], sizeof(pieces[i])),
			  "%s: piece %u is none of the buffer", ops->name, i);
		for (j = 0; j < i; j++)
			cr_expect(memcmp(pieces[i], pieces[j],
					 sizeof(pieces[i])) != 0,
				  "%s: pieces %u and %u", ops->name, i, j);
	}
	rig_end(&rig);
}

Test(engine_conformance, each_writes_no_piece_of_its_buffer_twice)
{
	rig_each_writer(writes_no_piece_twice);
}

static void hands_write_errors_on(const struct engine_ops *ops)
{
	struct engine_rig rig;

	rig_begin(
		&rig, ops,
		&(struct rig_want){ .open_flags = O_WRONLY, .is_write = true });
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 4096, "%s", ops->name);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 8192, RLIM_INFINITY });
	cr_expect_eq(rig_io(&rig, 8192, 4096, 0), -EFBIG, "%s", ops->name);
	setrlimit(RLIMIT_FSIZE,
		  &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
	rig_end(&rig);
}

Test(engine_conformance, each_tells_that_no_more_may_be_written)
{
	signal(SIGXFSZ, SIG_IGN);
	rig_each_writer(hands_write_errors_on);
}

Test(engine_conformance, each_has_a_name_a_line_and_a_direction)
{
	size_t i;

	for (i = 0; engines[i]; i++) {
		const struct engine_ops *ops = engines[i];

		cr_expect(*ops->name && *ops->summary, "%s", ops->name);
		cr_expect(ops->reads || ops->writes, "%s", ops->name);
		cr_expect(!ops->fills_buffer || ops->reads, "%s", ops->name);
		cr_expect(ops->open && ops->submit && ops->close);
		cr_expect(!ops->writes || ops->reads_nothing || ops->finish,
			  "%s", ops->name);
	}
}

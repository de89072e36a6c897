// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "rawread/engine.h"

/* A file that can be read and not spliced. */
#define PATH "/proc/self/environ"

static bool splices(void)
{
	int fd = open(PATH, O_RDONLY | O_CLOEXEC), ends[2];
	bool splices;

	cr_assert(fd >= 0 && !pipe(ends));
	splices = splice(fd, NULL, ends[1], NULL, 16, 0) >= 0 ||
		  errno != EINVAL;
	close(ends[0]);
	close(ends[1]);
	close(fd);
	return splices;
}

Test(engine_splice, a_file_system_that_does_not_splice_is_not_available)
{
	const struct engine_file file = { .path = PATH,
					  .advice = -1,
					  .memory_advice = -1 };
	const struct engine_job job = { .files = &file,
					.file_count = 1,
					.slots = 1,
					.slot_bytes = 4096,
					.iovec_bytes = 4096,
					.iovecs = 1 };
	struct io_op op = { .size_bytes = 16 };
	void *state;
	struct err err;

	if (splices())
		cr_skip_test(PATH " can be spliced here");
	cr_assert(!engine_splice.open(&job, &state, &err), "%s", err.text);
	cr_expect_eq(engine_splice.submit(state, &op), 0);
	cr_expect_eq(op.result, -EOPNOTSUPP);
	cr_expect(engine_splice.explain(state, &op, (int)op.result, &err));
	cr_expect(strstr(err.text, "n/a: " PATH), "%s", err.text);
	engine_splice.close(state);
}

/* As large as the limit lets it be, whatever the block. */
Test(engine_splice, a_block_beyond_all_pipes_gets_the_largest)
{
	static const uint64_t blocks[] = { UINT64_C(1) << 30, INT32_MAX,
					   UINT64_C(5) << 30 };
	const struct engine_file file = { .path = "/proc/self/exe",
					  .advice = -1,
					  .memory_advice = -1 };
	uint64_t most;
	struct err err;
	size_t i;

	cr_assert(
		!file_read_u64("", "/proc/sys/fs/pipe-max-size", &most, &err));
	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		const struct engine_job job = { .files = &file,
						.file_count = 1,
						.iovec_bytes = blocks[i] };
		int next = dup(STDIN_FILENO); /* what its pipe gets */
		void *state;

		close(next);
		cr_assert(!engine_splice.open(&job, &state, &err), "%s",
			  err.text);
		cr_expect_geq(fcntl(next, F_GETPIPE_SZ), (int)most, "%lu: %d",
			      blocks[i], fcntl(next, F_GETPIPE_SZ));
		engine_splice.close(state);
	}
}

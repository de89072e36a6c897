// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
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

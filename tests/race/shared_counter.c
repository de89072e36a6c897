// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that share a counter take each block once, in whatever order. */
#include <stdatomic.h>

#include "tests/race/race.h"

#define BLOCKS 977 /* of 1024 bytes, the last of them 577 */

static atomic_uint taken[BLOCKS];

static int counting_open(const struct engine_job *job, void **state,
			 struct err *err)
{
	(void)job;
	(void)err;
	*state = NULL;
	return 0;
}

static int counting_submit(void *state, struct io_op *op)
{
	(void)state;
	atomic_fetch_add(&taken[op->offset_bytes / 1024], 1);
	op->result = (int64_t)op->size_bytes;
	return 0;
}

static void counting_close(void *state)
{
	(void)state;
}

static const struct engine_ops engine_counting = {
	.name = "counting",
	.open = counting_open,
	.submit = counting_submit,
	.close = counting_close,
};

int main(void)
{
	static const char *const words[] = {
		"-p 8 --layout shared -s 1024 --pin none",
		"-p 8 --layout shared -s 1024 -t randpread",
	};
	const char *path = race_file();
	unsigned int i, b;

	for (i = 0; i < 40; i++) {
		struct run_samples samples;
		uint64_t bytes, reads;
		struct setup setup;
		struct err err;
		int rc;

		rc = race_run(words[i % 2], path, &engine_counting, &setup,
			      &samples, &err);
		CHECK(!rc, "%s", err.text);
		race_sum(&samples, &bytes, &reads);
		CHECK(bytes == FILE_BYTES, "%lu bytes", bytes);
		CHECK(reads == BLOCKS, "%lu reads", reads);
		for (b = 0; b < BLOCKS; b++)
			CHECK(taken[b] == i + 1, "block %u %u times", b,
			      taken[b] - i);
		run_samples_free(&samples);
		setup_free(&setup);
	}
	unlink(path);
	return 0;
}

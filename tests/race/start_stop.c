// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads start together and each ends at its own end, again and again. */
#include "tests/race/race.h"

int main(void)
{
	static const char *const words[] = {
		"-p 8 --engine null -s 4096 --pin none",
		"-p 8 --engine null -s 4096",
		"-p 3 --engine pread -s 16k",
		"-p 3 -t randread -s 16k",
		"-p 2 -t seqreadv -i 4 -s 4k",
		"-p 8 --layout stripe --engine null -s 1k",
		"-p 3 --layout stripe --pattern reverse -s 16k",
		"-p 8 --latency --engine null -s 1k",
		"-p 3 --latency --layout shared -s 16k",
	};
	const char *path = race_file();
	unsigned int i;

	for (i = 0; i < 63; i++) {
		struct run_samples samples;
		uint64_t bytes, reads;
		struct setup setup;
		struct err err;
		int rc;

		rc = race_run(words[i % 9], path, NULL, &setup, &samples, &err);
		CHECK(!rc, "%s", err.text);
		race_sum(&samples, &bytes, &reads);
		CHECK(bytes == FILE_BYTES, "%s: %lu bytes", words[i % 9],
		      bytes);
		CHECK(reads == setup.plan.targets[0].blocks, "%lu", reads);
		run_samples_free(&samples);
		setup_free(&setup);
	}
	unlink(path);
	return 0;
}

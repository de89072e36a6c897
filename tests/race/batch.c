// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that each drive two targets, to their ends and beyond. */
#include "lib/base/histogram.h"
#include "tests/race/race.h"

#define BLOCKS 977 /* of 1024 bytes, the last of them 577 */

/* The other target, of the same size. */
static char second[40];

static void second_make(const char *path)
{
	int fd;

	snprintf(second, sizeof(second), "%s.2", path);
	fd = open(second, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(fd >= 0, "%s", second);
	CHECK(!ftruncate(fd, FILE_BYTES), "%s", second);
	close(fd);
}

static void check_batch(const char *options, const char *path, bool is_whole)
{
	struct run_samples samples;
	uint64_t bytes, reads;
	struct setup setup;
	char words[256];
	struct err err;
	unsigned int i;
	int rc;

	snprintf(words, sizeof(words), "--engine null -s 1k %s %s", options,
		 second);
	rc = race_run(words, path, NULL, &setup, &samples, &err);
	CHECK(!rc, "%s: %s", words, err.text);
	CHECK(samples.lane_count == 2 * samples.thread_count, "%u of %u",
	      samples.lane_count, samples.thread_count);
	race_sum(&samples, &bytes, &reads);
	if (is_whole) {
		CHECK(bytes == 2 * FILE_BYTES, "%s: %lu bytes", words, bytes);
		CHECK(reads == 2 * BLOCKS, "%s: %lu reads", words, reads);
	}
	for (i = 0; i < samples.lane_count; i++)
		CHECK(samples.lanes[i].reads >= setup.plan.least_reads,
		      "%s: lane %u: %lu reads", words, i,
		      samples.lanes[i].reads);
	if (samples.latency)
		CHECK(samples.latency->count == reads, "%s: %lu of %lu", words,
		      samples.latency->count, reads);
	run_samples_free(&samples);
	setup_free(&setup);
}

int main(void)
{
	const char *path = race_file();
	unsigned int i;

	second_make(path);
	for (i = 0; i < 15; i++) {
		check_batch("-t 16 -p 8", path, true);
		check_batch("-t 20 -p 8 --layout shared --latency", path, true);
		check_batch("-t 18 -p 6 --layout stripe", path, true);
		check_batch("-t 22 -p 6 --layout shared -n 400", path, false);
		check_batch("-t 20 -p 8 --time 5ms --ramp 5ms --latency", path,
			    false);
	}
	unlink(second);
	unlink(path);
	return 0;
}

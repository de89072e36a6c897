// SPDX-License-Identifier: GPL-2.0-or-later
/* With -n nobody ends before all have their least number of reads. */
#include "tests/race/race.h"

static void check_least(const char *words, const char *path, uint64_t least)
{
	struct run_samples samples;
	struct setup setup;
	struct err err;
	unsigned int i;
	int rc;

	rc = race_run(words, path, NULL, &setup, &samples, &err);
	CHECK(!rc, "%s", err.text);
	for (i = 0; i < samples.thread_count; i++) {
		CHECK(samples.threads[i].elapsed_ns <= samples.span_ns,
		      "thread %u", i);
	}
	for (i = 0; i < samples.lane_count; i++) {
		CHECK(samples.lanes[i].reads >= least, "lane %u has %lu reads",
		      i, samples.lanes[i].reads);
	}
	CHECK(samples.first_done_ns <= samples.span_ns, "first after last");
	run_samples_free(&samples);
	setup_free(&setup);
}

int main(void)
{
	const char *path = race_file();
	unsigned int i;

	for (i = 0; i < 20; i++) {
		check_least("-p 8 -n 500 --layout shared -s 1k --engine null",
			    path, 500);
		check_least("-p 5 -n 50 -l 4 -s 1k --engine null", path, 200);
		check_least("-p 4 -n 300 --layout shared -s 1k -t seqpread",
			    path, 300);
		check_least("-p 4 -n 1 -s 64k -t seqread", path, 1);
	}
	unlink(path);
	return 0;
}

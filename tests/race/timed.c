// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs with a time, a ramp, latencies; the phase changes under the threads. */
#include <errno.h>

#include "lib/base/clock.h"
#include "lib/base/histogram.h"
#include "tests/race/race.h"

static void check_timed(const char *words, const char *path)
{
	struct run_samples samples;
	uint64_t bytes, reads;
	struct setup setup;
	struct err err;
	unsigned int i;
	int rc;

	rc = race_run(words, path, NULL, &setup, &samples, &err);
	/* Where no thread gets a CPU for so long. */
	if (rc == -ENODATA) {
		setup_free(&setup);
		return;
	}
	CHECK(!rc, "%s: %s", words, err.text);
	race_sum(&samples, &bytes, &reads);
	/* Nobody is stopped before the time is up, however slow the machine. */
	CHECK(samples.span_ns >= 5 * NS_PER_MS, "%s: %lu ns", words,
	      samples.span_ns);
	for (i = 0; i < samples.thread_count; i++)
		CHECK(samples.threads[i].elapsed_ns >= 5 * NS_PER_MS,
		      "%s: thread %u", words, i);
	CHECK(bytes <= reads * setup.plan.read_bytes, "%s: %lu bytes", words,
	      bytes);
	if (samples.latency)
		CHECK(samples.latency->count == reads, "%s: %lu of %lu", words,
		      samples.latency->count, reads);
	run_samples_free(&samples);
	setup_free(&setup);
}

int main(void)
{
	static const char *const words[] = {
		"-p 8 -s 1k --engine null --time 5ms",
		"-p 8 -s 1k --engine null --time 5ms --ramp 5ms",
		"-p 8 -s 1k --engine null --time 5ms --ramp 1ms --latency",
		"-p 4 -s 1k --time 5ms --ramp 5ms --layout shared",
		"-p 4 -s 1k --time 5ms --ramp 5ms --layout stripe",
		"-p 4 -s 4k --time 5ms --ramp 5ms --layout each --latency",
		"-p 4 -s 4k --time 5ms --pattern reverse --layout shared",
		"-p 4 -s 1k -t randread --pattern random-repeat --time 5ms "
		"--ramp 5ms --layout shared",
	};
	const char *path = race_file();
	unsigned int i;

	for (i = 0; i < 64; i++)
		check_timed(words[i % 8], path);
	unlink(path);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: threads made, released together, joined. Main thread only.
 */
#ifndef RAWREAD_RUN_H
#define RAWREAD_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct buffers;
struct engine_ops;
struct err;
struct histogram;
struct observation;
struct placement;
struct plan;
struct target;
struct topology;

/* What a run is made from; all of it const while it runs. */
struct run_setup {
	const struct plan *plan;
	/* Those of the plan, which threads open anew; NULL: whatever is there.
	 */
	const struct target *targets;
	const struct engine_ops *ops;
	const struct placement *placement;
	const struct topology *topology; /* NULL when nothing is pinned */
	const struct buffers *buffers;
	unsigned int iovecs;
	uint64_t iovec_bytes;
	int open_flags;
	int advice;	   /* POSIX_FADV_*, or -1 */
	int memory_advice; /* MADV_*, or -1 */
	bool readahead;
	unsigned int rwf; /* RWF_FLAG_* */
	bool is_write;
	bool waits_for_all;    /* in flight, before it starts new ones */
	bool latency;	       /* time each read */
	const uint64_t *seeds; /* of the targets' content; NULL: not verified */
};

/* What one thread did to one of its targets: as the plan's lanes. */
struct lane_sample {
	uint64_t bytes;
	uint64_t reads;
	uint64_t short_reads;
	uint64_t retries;
	uint64_t unique_bytes; /* of its own part of the range */
	/* Before those. */
	uint64_t ramp_reads, ramp_unique_bytes;
};

struct thread_sample {
	uint64_t elapsed_ns; /* since the span began */
	uint64_t cpu_ns;
	uint64_t voluntary_switches, involuntary_switches;
	uint64_t minor_faults, major_faults;
	bool is_moved; /* found on another CPU than planned */
};

struct run_samples {
	bool opened; /* the barrier, for threads that were all ready */
	struct lane_sample *lanes;
	struct thread_sample *threads;
	unsigned int lane_count, thread_count;
	uint64_t span_ns; /* barrier, or end of the ramp, to last byte */
	uint64_t first_done_ns;
	unsigned int moved_threads;
	unsigned int moved_buffers;
	struct histogram *latency; /* of all threads; NULL: not measured */
};

void run_samples_free(struct run_samples *samples);

/*
 * The only place that starts threads. @observation (NULL: none) is told when
 * the span is about to begin and when the last byte has come.
 *
 * Returns 0; -EINTR when stop_asked() ended it; -EAGAIN when a thread could
 * not be made (those that were are gone again), with the limits; -errno of
 * the read that failed first, file and offset named. Threads have ended and
 * files are closed in every case.
 */
int run_execute(const struct run_setup *setup, struct observation *observation,
		struct run_samples *samples, struct err *err);

#endif

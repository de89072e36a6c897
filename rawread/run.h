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
struct observation;
struct placement;
struct plan;
struct topology;

/* What a run is made from; all of it const while it runs. */
struct run_setup {
	const struct plan *plan;
	const struct engine_ops *ops;
	const struct placement *placement;
	const struct topology *topology; /* NULL when nothing is pinned */
	const struct buffers *buffers;
	unsigned int iovecs;
	uint64_t iovec_bytes;
	int open_flags;
	int advice; /* POSIX_FADV_*, or -1 */
};

/* What one thread did. */
struct thread_sample {
	uint64_t bytes;
	uint64_t reads;
	uint64_t short_reads;
	uint64_t unique_bytes; /* of its own part of the range */
	uint64_t elapsed_ns;   /* since the barrier opened */
	uint64_t cpu_ns;
};

struct run_samples {
	bool opened; /* the barrier, for threads that were all ready */
	struct thread_sample *threads;
	unsigned int thread_count;
	uint64_t span_ns; /* barrier to last byte */
	uint64_t first_done_ns;
	unsigned int moved_threads;
	unsigned int moved_buffers;
};

void run_samples_free(struct run_samples *samples);

/*
 * The only place that starts threads. @observation (NULL: none) is told when
 * the barrier is about to open and when the last byte has come.
 *
 * Returns 0; -EINTR when stop_asked() ended it; -EAGAIN when a thread could
 * not be made (those that were are gone again), with the limits; -errno of
 * the read that failed first, file and offset named. Threads have ended and
 * files are closed in every case.
 */
int run_execute(const struct run_setup *setup, struct observation *observation,
		struct run_samples *samples, struct err *err);

/*
 * What 1000 turns of the loop cost in ns, with the engine that reads nothing
 * and the first thread's part of @plan, on this thread. 0: not measured.
 */
uint64_t run_loop_cost_ns(const struct plan *plan);

#endif

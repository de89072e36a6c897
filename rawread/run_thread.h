/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread of a run, from its first instruction to its last: private to run.c.
 */
#ifndef RAWREAD_RUN_THREAD_H
#define RAWREAD_RUN_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "rawread/gate.h"
#include "rawread/run.h"
#include "rawread/worker.h"

struct run_thread {
	struct worker worker;
	struct run *run;
	unsigned int index;
	pthread_t id;
	struct engine_file *files; /* one for each lane */
	struct engine_job job;
	uint64_t done_ns; /* clock, after the last byte */
	struct thread_sample used;
};

/* What threads share; the arrays are one allocation for all of them. */
struct run {
	const struct run_setup *setup;
	struct gate gate;
	struct worker_shared shared;
	struct run_thread *threads;
	struct lane *lanes; /* as the plan's */
	struct engine_file *files;
	struct io_op **done;
	struct histogram *latencies;	   /* of each thread, or NULL */
	struct sequence_counter *counters; /* one for each target */
	unsigned int started;
	bool opened;	   /* for threads that were all ready */
	uint64_t begun_ns; /* the span */
};

/* Makes thread @index of @run ready to be started. */
void run_thread_init(struct run *run, unsigned int index);

/* For pthread_create(); @thread is a struct run_thread. */
void *run_thread_main(void *thread);

#endif

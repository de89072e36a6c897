/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The barrier of a run. Unlike pthread's it need not know how many threads
 * will come, so that those that could be made go home when one could not. It
 * also wakes the main thread for each that has arrived or is done, and for a
 * signal.
 */
#ifndef RAWREAD_GATE_H
#define RAWREAD_GATE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct gate {
	/* The main thread writes, the threads only read: all go at once. */
	pthread_rwlock_t lock;
	int event_fd;	 /* counts threads that arrived, then those done */
	sigset_t before; /* signals that were blocked before */
};

/*
 * Shuts the gate, and blocks the signals of lib/base/stop.h, also for the
 * threads made from now on. Main thread. Returns 0 or -errno.
 */
int gate_init(struct gate *gate, struct err *err);
void gate_destroy(struct gate *gate);

/* A thread: tells that it is ready, and waits until the gate is open. */
void gate_pass(struct gate *gate);

/* A thread: tells that it is done. */
void gate_leave(struct gate *gate);

/* Main thread: all that wait go. */
void gate_open(struct gate *gate);

/*
 * Main thread: waits until @count threads have told since the last call, and
 * returns true; false as soon as a signal asked for the end, @count then being
 * those still to come.
 */
bool gate_wait(struct gate *gate, unsigned int *count);

/* The same, and false also at @until_ns of clock_now_ns(). */
bool gate_wait_until(struct gate *gate, unsigned int *count, uint64_t until_ns);

#endif

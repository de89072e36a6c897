/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread of the floor that make bench compares with, and its loops. It
 * belongs to the main thread before the start and after the join.
 */
#ifndef TESTS_BENCH_FLOOR_H
#define TESTS_BENCH_FLOOR_H

#include <libaio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

struct floor {
	/* Set by main(). */
	pthread_t id;
	pthread_barrier_t *barrier; /* NULL: the only thread */
	const struct floor_call *call;
	const char *path;
	size_t block_bytes;
	int iovec_count;
	uint64_t reads;
	off_t begin, end;	   /* its part of the file */
	_Atomic uint64_t *counter; /* shared by the threads */
	uint64_t total_reads;	   /* theirs, by that counter */
	off_t size_bytes;	   /* of the file */
	int cpu;

	/* Made before the clock is read. */
	int fd;
	char *buffer;
	struct iovec *iovecs;
	const char *mapping; /* of the whole file */
	int pipe_fds[2], null_fd;
	io_context_t context;

	uint64_t cpu_ns; /* result, with reads */
};

struct floor_call {
	const char *name;
	void (*loop)(struct floor *floor);
};

/* Ends in a name of NULL. */
extern const struct floor_call floor_calls[];

/* Says why, and exits. */
_Noreturn void floor_die(const char *what);

#endif

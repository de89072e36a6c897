// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_floor CALL FILE BLOCK_BYTES IOVECS READS CPU...
 *
 * The floor that tests/bench.sh compares with: the bare call, read, pread or
 * readv, in a loop that does nothing else, one pinned thread for each CPU,
 * each in its own part of the file and wrapping there. Prints "NS READS", CPU
 * time summed over the threads, and reads.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/clock.h"

struct floor {
	pthread_t id;
	pthread_barrier_t *barrier;
	const char *call;
	const char *path;
	size_t block_bytes;
	int iovecs;
	uint64_t reads;
	off_t begin, end;
	int cpu;
	uint64_t cpu_ns;
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void loop_read(const struct floor *f, int fd, char *buffer)
{
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (read(fd, buffer, f->block_bytes) != (ssize_t)f->block_bytes)
			die("read");
		at += (off_t)f->block_bytes;
		if (at == f->end) {
			at = f->begin;
			lseek(fd, at, SEEK_SET);
		}
	}
}

static void loop_pread(const struct floor *f, int fd, char *buffer)
{
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (pread(fd, buffer, f->block_bytes, at) !=
		    (ssize_t)f->block_bytes)
			die("pread");
		at += (off_t)f->block_bytes;
		if (at == f->end)
			at = f->begin;
	}
}

static void loop_readv(const struct floor *f, int fd,
		       const struct iovec *iovecs)
{
	ssize_t size = (ssize_t)f->block_bytes * f->iovecs;
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (readv(fd, iovecs, f->iovecs) != size)
			die("readv");
		at += size;
		if (at == f->end) {
			at = f->begin;
			lseek(fd, at, SEEK_SET);
		}
	}
}

static void pin(int cpu)
{
	size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);

	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	if (sched_setaffinity(0, size, set) < 0)
		die("sched_setaffinity");
	CPU_FREE(set);
}

static void *run(void *argument)
{
	struct floor *f = argument;
	size_t size = f->block_bytes * 2 * (size_t)f->iovecs;
	struct iovec *iovecs = calloc((size_t)f->iovecs, sizeof(*iovecs));
	char *buffer;
	int fd, i;

	/* Descriptors that threads share cost each read a reference. */
	unshare(CLONE_FILES);
	fd = open(f->path, O_RDONLY | O_CLOEXEC);
	pin(f->cpu);
	buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fd < 0 || buffer == MAP_FAILED || !iovecs)
		die(f->path);
	memset(buffer, 0xa5, size);
	for (i = 0; i < f->iovecs; i++) {
		iovecs[i].iov_base = buffer + 2 * (size_t)i * f->block_bytes;
		iovecs[i].iov_len = f->block_bytes;
	}
	lseek(fd, f->begin, SEEK_SET);
	if (f->barrier)
		pthread_barrier_wait(f->barrier);
	f->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!strcmp(f->call, "read"))
		loop_read(f, fd, buffer);
	else if (!strcmp(f->call, "pread"))
		loop_pread(f, fd, buffer);
	else
		loop_readv(f, fd, iovecs);
	f->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - f->cpu_ns;
	munmap(buffer, size);
	free(iovecs);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc - 6, i;
	pthread_barrier_t barrier;
	struct floor *floors;
	uint64_t ns = 0, reads = 0;
	struct stat st;
	off_t part;

	if (threads < 1) {
		fprintf(stderr, "bench_floor CALL FILE BLOCK_BYTES IOVECS "
				"READS CPU...\n");
		return 2;
	}
	floors = calloc((size_t)threads, sizeof(*floors));
	if (!floors || stat(argv[2], &st) < 0)
		die(argv[2]);
	part = st.st_size / threads;
	pthread_barrier_init(&barrier, NULL, (unsigned int)threads);
	for (i = 0; i < threads; i++)
		floors[i] = (struct floor){
			.barrier = threads > 1 ? &barrier : NULL,
			.call = argv[1],
			.path = argv[2],
			.block_bytes = strtoul(argv[3], NULL, 10),
			.iovecs = atoi(argv[4]),
			.reads = strtoull(argv[5], NULL, 10),
			.begin = part * i,
			.end = part * (i + 1),
			.cpu = atoi(argv[6 + i]),
		};
	/* One thread is the process itself: nothing is barer. */
	if (threads == 1)
		run(&floors[0]);
	for (i = 0; threads > 1 && i < threads; i++)
		if (pthread_create(&floors[i].id, NULL, run, &floors[i]))
			die("pthread_create");
	for (i = 0; i < threads; i++) {
		if (threads > 1)
			pthread_join(floors[i].id, NULL);
		ns += floors[i].cpu_ns;
		reads += floors[i].reads;
	}
	printf("%llu %llu\n", (unsigned long long)ns,
	       (unsigned long long)reads);
	free(floors);
	return 0;
}

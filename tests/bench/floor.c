// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor CALL FILE BLOCK_BYTES IOVECS READS CPU...
 *
 * The floor that tests/bench.sh compares with: the bare call in a loop, one
 * pinned thread for each CPU, each in its own part of the file and wrapping
 * there (call "shared": pread, all in the whole file). Prints "NS READS", CPU
 * time summed over the threads, and reads.
 */
#include "tests/bench/floor.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/clock.h"

struct shared_counter {
	_Alignas(128) _Atomic uint64_t taken;
};

_Noreturn void floor_die(const char *what)
{
	perror(what);
	exit(2);
}

static void pin(int cpu)
{
	size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);

	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	if (sched_setaffinity(0, size, set) < 0)
		floor_die("sched_setaffinity");
	CPU_FREE(set);
}

static void make_buffer(struct floor *f)
{
	size_t size = f->block_bytes * 2 * (size_t)f->iovec_count;
	int i;

	f->iovecs = calloc((size_t)f->iovec_count, sizeof(*f->iovecs));
	f->buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f->buffer == MAP_FAILED || !f->iovecs)
		floor_die("buffer");
	memset(f->buffer, 0xa5, size);
	for (i = 0; i < f->iovec_count; i++) {
		f->iovecs[i].iov_base =
			f->buffer + 2 * (size_t)i * f->block_bytes;
		f->iovecs[i].iov_len = f->block_bytes;
	}
}

static void open_own(struct floor *f)
{
	int rc;

	f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || lseek(f->fd, f->begin, SEEK_SET) < 0)
		floor_die(f->path);
	f->mapping = mmap(NULL, (size_t)f->size_bytes, PROT_READ, MAP_SHARED,
			  f->fd, 0);
	if (f->mapping == MAP_FAILED)
		floor_die("mmap");
	f->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (f->null_fd < 0 || pipe2(f->pipe_fds, O_CLOEXEC) < 0 ||
	    fcntl(f->pipe_fds[1], F_SETPIPE_SZ,
		  (int)f->block_bytes + getpagesize()) < 0)
		floor_die("pipe");
	rc = io_setup(1, &f->context);
	if (rc < 0) {
		errno = -rc;
		floor_die("io_setup");
	}
}

static void *run(void *argument)
{
	struct floor *f = argument;

	/* Descriptors that threads share cost each read a reference. */
	unshare(CLONE_FILES);
	pin(f->cpu);
	make_buffer(f);
	open_own(f);
	if (f->barrier)
		pthread_barrier_wait(f->barrier);
	f->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	f->call->loop(f);
	f->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - f->cpu_ns;
	return NULL;
}

static const struct floor_call *find_call(const char *name)
{
	const struct floor_call *call = floor_calls;

	while (call->name && strcmp(call->name, name) != 0)
		call++;
	if (!call->name)
		floor_die(name);
	return call;
}

int main(int argc, char **argv)
{
	static struct shared_counter counter;
	int threads = argc - 6, i;
	pthread_barrier_t barrier;
	struct floor *floors;
	uint64_t ns = 0, reads = 0;
	struct stat st;
	off_t part;

	if (threads < 1) {
		fprintf(stderr, "floor CALL FILE BLOCK_BYTES IOVECS READS "
				"CPU...\n");
		return 2;
	}
	floors = calloc((size_t)threads, sizeof(*floors));
	if (!floors || stat(argv[2], &st) < 0)
		floor_die(argv[2]);
	part = st.st_size / threads;
	pthread_barrier_init(&barrier, NULL, (unsigned int)threads);
	for (i = 0; i < threads; i++) {
		uint64_t each = strtoull(argv[5], NULL, 10);

		floors[i] = (struct floor){
			.barrier = threads > 1 ? &barrier : NULL,
			.call = find_call(argv[1]),
			.path = argv[2],
			.block_bytes = strtoul(argv[3], NULL, 10),
			.iovec_count = atoi(argv[4]),
			.reads = each,
			.begin = part * i,
			.end = part * (i + 1),
			.counter = &counter.taken,
			.total_reads = each * (uint64_t)threads,
			.size_bytes = st.st_size,
			.cpu = atoi(argv[6 + i]),
		};
	}
	/* One thread is the process itself: nothing is barer. */
	if (threads == 1)
		run(&floors[0]);
	for (i = 0; threads > 1 && i < threads; i++)
		if (pthread_create(&floors[i].id, NULL, run, &floors[i]))
			floor_die("pthread_create");
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

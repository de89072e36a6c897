// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bare calls, each in a loop that does nothing else. A size that the
 * compiler knew would be another call: it comes from the command line, as that
 * of rawread does.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/floor.h"

static void loop_read(struct floor *f)
{
	ssize_t size = (ssize_t)f->block_bytes;
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (read(f->fd, f->buffer, f->block_bytes) != size)
			floor_die("read");
		at += size;
		if (at == f->end) {
			at = f->begin;
			lseek(f->fd, at, SEEK_SET);
		}
	}
}

static void loop_pread(struct floor *f)
{
	ssize_t size = (ssize_t)f->block_bytes;
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (pread(f->fd, f->buffer, f->block_bytes, at) != size)
			floor_die("pread");
		at += size;
		if (at == f->end)
			at = f->begin;
	}
}

/* Offsets from one counter for all threads, as in the layout of that name. */
static void loop_shared(struct floor *f)
{
	uint64_t blocks = (uint64_t)f->size_bytes / f->block_bytes, block;
	ssize_t size = (ssize_t)f->block_bytes;

	f->reads = 0;
	for (;;) {
		block = atomic_fetch_add_explicit(f->counter, 1,
						  memory_order_relaxed);
		if (block >= f->total_reads)
			break;
		if (pread(f->fd, f->buffer, f->block_bytes,
			  (off_t)(block % blocks) * size) != size)
			floor_die("pread");
		f->reads++;
	}
}

static void loop_readv(struct floor *f)
{
	ssize_t size = (ssize_t)f->block_bytes * f->iovec_count;
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (readv(f->fd, f->iovecs, f->iovec_count) != size)
			floor_die("readv");
		at += size;
		if (at == f->end) {
			at = f->begin;
			lseek(f->fd, at, SEEK_SET);
		}
	}
}

static void loop_preadv2(struct floor *f)
{
	ssize_t size = (ssize_t)f->block_bytes * f->iovec_count;
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (preadv2(f->fd, f->iovecs, f->iovec_count, at, 0) != size)
			floor_die("preadv2");
		at += size;
		if (at == f->end)
			at = f->begin;
	}
}

static void loop_mmap(struct floor *f)
{
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		memcpy(f->buffer, f->mapping + at, f->block_bytes);
		/* Somebody looks at each copy. */
		__asm__ volatile("" : : "r"(f->buffer) : "memory");
		at += (off_t)f->block_bytes;
		if (at == f->end)
			at = f->begin;
	}
}

static void loop_splice(struct floor *f)
{
	ssize_t size = (ssize_t)f->block_bytes;
	off64_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		if (splice(f->fd, &at, f->pipe_fds[1], NULL, f->block_bytes,
			   0) != size ||
		    splice(f->pipe_fds[0], NULL, f->null_fd, NULL,
			   f->block_bytes, 0) != size)
			floor_die("splice");
		if (at == f->end)
			at = f->begin;
	}
}

static void loop_libaio(struct floor *f)
{
	struct io_event event;
	struct iocb iocb, *iocbs[] = { &iocb };
	off_t at = f->begin;
	uint64_t i;

	for (i = 0; i < f->reads; i++) {
		io_prep_pread(&iocb, f->fd, f->buffer, f->block_bytes, at);
		if (io_submit(f->context, 1, iocbs) != 1 ||
		    io_getevents(f->context, 1, 1, &event, NULL) != 1 ||
		    event.res != f->block_bytes)
			floor_die("libaio");
		at += (off_t)f->block_bytes;
		if (at == f->end)
			at = f->begin;
	}
}

const struct floor_call floor_calls[] = {
	{ "read", loop_read },
	{ "pread", loop_pread },
	{ "readv", loop_readv },
	{ "preadv2", loop_preadv2 },
	{ "mmap", loop_mmap },
	{ "shared", loop_shared },
	{ "splice", loop_splice },
	{ "libaio", loop_libaio },
	{ NULL, NULL },
};

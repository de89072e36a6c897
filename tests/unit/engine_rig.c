// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/engine_rig.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char rig_byte(uint64_t offset_bytes)
{
	return (char)(offset_bytes * 31 + offset_bytes / 251);
}

char *rig_path(const char *name)
{
	const char *directory = getenv("TMPDIR");
	char *path = NULL;

	cr_assert(asprintf(&path, "%s/rawread-%s.%d",
			   directory && *directory ? directory : "/tmp", name,
			   (int)getpid()) > 0);
	return path;
}

void rig_make_file(const char *path, uint64_t size_bytes)
{
	char *bytes = malloc(size_bytes + 1);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	uint64_t i;

	cr_assert(bytes && fd >= 0, "%s: %s", path, strerror(errno));
	for (i = 0; i < size_bytes; i++)
		bytes[i] = rig_byte(i);
	cr_assert_eq(write(fd, bytes, size_bytes), (ssize_t)size_bytes);
	cr_assert(!fsync(fd));
	close(fd);
	free(bytes);
}

static void rig_fill(struct engine_rig *rig, const struct engine_ops *ops,
		     const struct rig_want *want)
{
	uint64_t block = want->block_bytes ? want->block_bytes : 4096;
	unsigned int iovecs = want->iovecs ? want->iovecs : 1;
	unsigned int slots = want->slots ? want->slots : 1;
	uint64_t size = 2 * block * iovecs * slots + want->roll_mask + 1;
	void *buffer = NULL;

	rig->ops = ops;
	rig->file = (struct engine_file){ .path = rig->path,
					  .open_flags = want->open_flags,
					  .advice = POSIX_FADV_SEQUENTIAL,
					  .memory_advice = -1,
					  .readahead = want->readahead,
					  .offset_bytes = want->offset_bytes,
					  .range_bytes = want->range_bytes };
	rig->job = (struct engine_job){ .files = &rig->file,
					.file_count = 1,
					.slot_bytes = 2 * block * iovecs,
					.slots = slots,
					.iovec_bytes = block,
					.iovecs = iovecs,
					.rwf = want->rwf,
					.is_write = want->is_write,
					.roll_mask = want->roll_mask };
	cr_assert(!posix_memalign(&buffer, 4096, size));
	memset(buffer, 0, size);
	rig->job.buffer = buffer;
}

int rig_open(struct engine_rig *rig, const struct engine_ops *ops,
	     const struct rig_want *want)
{
	uint64_t size = want->file_bytes ? want->file_bytes : RIG_FILE_BYTES;
	struct stat st;

	memset(rig, 0, sizeof(*rig));
	rig->path = want->path ? strdup(want->path) : rig_path("engine");
	rig->is_own = !want->path;
	if (rig->is_own)
		rig_make_file(rig->path, want->is_empty ? 0 : size);
	rig_fill(rig, ops, want);
	/* 1 TB is longer than any, and all that they can be asked. */
	if (!rig->file.range_bytes)
		rig->file.range_bytes =
			stat(rig->path, &st) || !S_ISREG(st.st_mode)
				? UINT64_C(1) << 40
				: (uint64_t)st.st_size - want->offset_bytes;
	return ops->open(&rig->job, &rig->state, &rig->err);
}

void rig_begin(struct engine_rig *rig, const struct engine_ops *ops,
	       const struct rig_want *want)
{
	cr_assert(!rig_open(rig, ops, want), "%s: %s", ops->name,
		  rig->err.text);
	if (ops->begin)
		cr_assert(!ops->begin(rig->state, &rig->err), "%s: %s",
			  ops->name, rig->err.text);
}

void rig_end(struct engine_rig *rig)
{
	rig->ops->close(rig->state);
	if (rig->is_own)
		unlink(rig->path);
	free(rig->path);
	free(rig->job.buffer);
}

void rig_reap_all(struct engine_rig *rig, unsigned int count)
{
	struct io_op *done[64];

	while (count) {
		int got = rig->ops->reap(rig->state, done, count, count);

		cr_assert(got >= 0 && (unsigned int)got <= count, "%s: %d",
			  rig->ops->name, got);
		count -= (unsigned int)got;
	}
}

int64_t rig_do(struct engine_rig *rig, struct io_op *op)
{
	const struct io_op asked = *op;
	int rc = rig->ops->submit(rig->state, op);

	if (rc < 0)
		return rc;
	if (rc) {
		cr_assert(rig->ops->reap, "%s", rig->ops->name);
		rig_reap_all(rig, 1);
	}
	cr_assert_eq(op->offset_bytes, asked.offset_bytes);
	cr_assert_eq(op->size_bytes, asked.size_bytes);
	cr_assert_eq(op->skip_bytes, asked.skip_bytes);
	return op->result;
}

int64_t rig_io(struct engine_rig *rig, uint64_t offset_bytes,
	       uint64_t size_bytes, uint64_t skip_bytes)
{
	struct io_op op = { .offset_bytes = offset_bytes,
			    .size_bytes = size_bytes,
			    .skip_bytes = skip_bytes };

	return rig_do(rig, &op);
}

void rig_expect(const struct engine_rig *rig, uint64_t offset_bytes,
		uint64_t size_bytes, uint64_t skip_bytes)
{
	const char *at = rig->job.buffer + skip_bytes;
	uint64_t i;

	if (!rig->ops->fills_buffer)
		return;
	for (i = 0; i < size_bytes && at[i] == rig_byte(offset_bytes + i); i++)
		;
	cr_assert_eq(i, size_bytes, "%s: byte %lu of what is at %lu",
		     rig->ops->name, i, offset_bytes);
}

void rig_each_reader(void (*test)(const struct engine_ops *ops))
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (engines[i]->reads && !engines[i]->reads_nothing)
			test(engines[i]);
}

void rig_each_writer(void (*test)(const struct engine_ops *ops))
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (engines[i]->writes && !engines[i]->reads_nothing)
			test(engines[i]);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mapping of each file's range, copied to the buffer block by block. What a
 * read call answers with a count or an error comes as SIGBUS here: see
 * engine_mmap_fault.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"
#include "rawread/engine_files.h"
#include "rawread/engine_mmap_fault.h"
#include "rawread/worker_loops.h"

struct mmap_state {
	const struct engine_job *job;
	char *buffer;
	struct mapped_files mapped;
	bool are_open;		/* the files */
	struct engine_fd fds[]; /* one for each file of the job */
};

static void mmap_close(void *state)
{
	struct mmap_state *ms = state;
	unsigned int i;

	if (!ms)
		return;
	mapped_forget(&ms->mapped);
	for (i = 0; i < ms->mapped.count; i++)
		if (ms->mapped.files[i].start)
			munmap(ms->mapped.files[i].start,
			       ms->mapped.files[i].mapped_bytes);
	if (ms->are_open)
		engine_files_close(ms->job, ms->fds);
	free(ms->mapped.files);
	free(ms);
}

/* Of a file or a block device, which both can be sought in. */
static int size_of(int fd, uint64_t *size_bytes)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return -errno;
	*size_bytes = (uint64_t)end;
	return 0;
}

static int map_file(const struct engine_file *file, int fd,
		    struct mapped_file *mapped, struct err *err)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t end = file->offset_bytes + file->range_bytes, size = 0;
	struct stat st;
	void *start;
	int rc;

	if (fstat(fd, &st) < 0)
		return err_set(err, -errno, "stat %s", file->path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, -EISDIR, "mmap %s", file->path);
	rc = size_of(fd, &size);
	if (rc < 0)
		return err_set(err, rc, "size of %s", file->path);
	if (end > size)
		end = size;
	mapped->begin_bytes = file->offset_bytes / page_bytes * page_bytes;
	mapped->end_bytes = end;
	if (end <= file->offset_bytes) {
		mapped->end_bytes = 0; /* nothing to read, and no mapping */
		return 0;
	}
	mapped->mapped_bytes = end - mapped->begin_bytes;
	start = mmap(NULL, mapped->mapped_bytes, PROT_READ, MAP_SHARED, fd,
		     (off_t)mapped->begin_bytes);
	if (start == MAP_FAILED && errno == ENODEV)
		return err_say(err, -EOPNOTSUPP,
			       "n/a: %s: its file system does not map files",
			       file->path);
	if (start == MAP_FAILED)
		return err_set(err, -errno, "mmap %s", file->path);
	mapped->start = start;
	return 0;
}

static int mmap_open(const struct engine_job *job, void **state,
		     struct err *err)
{
	struct mmap_state *ms;
	unsigned int i;
	int rc;

	*state = NULL;
	ms = calloc(1, sizeof(*ms) + job->file_count * sizeof(ms->fds[0]));
	if (!ms)
		return err_set(err, -ENOMEM, "engine mmap");
	ms->job = job;
	ms->buffer = job->buffer;
	ms->mapped.files = calloc(job->file_count, sizeof(*ms->mapped.files));
	rc = ms->mapped.files ? mapped_catch_faults(err)
			      : err_set(err, -ENOMEM, "engine mmap");
	if (!rc)
		rc = engine_files_open(job, ms->fds, err);
	ms->are_open = !rc;
	for (i = 0; !rc && i < job->file_count; i++) {
		ms->mapped.count = i + 1;
		rc = map_file(&job->files[i], ms->fds[i].fd,
			      &ms->mapped.files[i], err);
	}
	if (rc < 0)
		mmap_close(ms);
	else
		*state = ms;
	return rc;
}

static int mmap_begin(void *state, struct err *err)
{
	const struct mmap_state *ms = state;
	unsigned int i;
	int rc = engine_files_advise(ms->job, ms->fds, err);

	for (i = 0; !rc && i < ms->mapped.count; i++) {
		const struct mapped_file *mapped = &ms->mapped.files[i];
		const struct engine_file *file = &ms->job->files[i];

		if (file->memory_advice >= 0 && mapped->start &&
		    madvise(mapped->start, mapped->mapped_bytes,
			    file->memory_advice) < 0)
			rc = err_set(err, -errno, "madvise %s", file->path);
	}
	return rc;
}

/* Puts the file back where the handler put zeros. */
static int map_again(const struct mmap_state *ms, unsigned int index,
		     uint64_t from_bytes)
{
	const struct mapped_file *mapped = &ms->mapped.files[index];
	uint64_t skipped = from_bytes - mapped->begin_bytes;

	return mmap(mapped->start + skipped, mapped->mapped_bytes - skipped,
		    PROT_READ, MAP_SHARED | MAP_FIXED, ms->fds[index].fd,
		    (off_t)from_bytes) == MAP_FAILED
		       ? -errno
		       : 0;
}

/*
 * What was before the first page that failed has arrived; a read that begins
 * there meets the error, or the end of a file that became shorter. A file
 * that ends inside a page is not found out until a page behind it is read.
 */
static __attribute__((noinline)) int settle_fault(struct mmap_state *ms,
						  struct io_op *op)
{
	struct mapped_file *mapped = &ms->mapped.files[op->file];
	uint64_t bad = mapped->begin_bytes + ms->mapped.fault_bytes;
	uint64_t begin = op->offset_bytes, end = mapped->end_bytes;
	int rc;

	ms->mapped.has_fault = false;
	rc = map_again(ms, op->file, bad);
	if (!rc)
		rc = size_of(ms->fds[op->file].fd, &end);
	if (rc < 0)
		return rc;
	if (end < mapped->end_bytes)
		mapped->end_bytes = end;
	if (end <= begin)
		op->result = 0;
	else if (bad <= begin)
		op->result = -EIO;
	else
		op->result = (int64_t)((bad < end ? bad : end) - begin);
	return 0;
}

static int mmap_submit(void *state, struct io_op *op);

/* As a read call does: what is there, and 0 at the end. */
static __attribute__((noinline)) int read_to_end(struct mmap_state *ms,
						 struct io_op *op)
{
	uint64_t end = ms->mapped.files[op->file].end_bytes;
	uint64_t asked = op->size_bytes;
	int rc = 0;

	op->result = 0;
	if (op->offset_bytes >= end)
		return 0;
	op->size_bytes = end - op->offset_bytes;
	rc = mmap_submit(ms, op);
	op->size_bytes = asked;
	return rc;
}

static int mmap_submit(void *state, struct io_op *op)
{
	struct mmap_state *ms = state;
	const struct mapped_file *mapped = &ms->mapped.files[op->file];

	if (op->offset_bytes + op->size_bytes > mapped->end_bytes)
		return read_to_end(ms, op);
	mapped_current = &ms->mapped;
	memcpy(ms->buffer + op->skip_bytes,
	       mapped->start + (op->offset_bytes - mapped->begin_bytes),
	       op->size_bytes);
	if (ms->mapped.has_fault)
		return settle_fault(ms, op);
	op->result = (int64_t)op->size_bytes;
	return 0;
}

static void mmap_loop(struct worker *worker, uint64_t reads)
{
	worker_go_round(worker, reads, mmap_submit);
}

static bool mmap_explain(const void *state, const struct io_op *op, int code,
			 struct err *err)
{
	const struct mmap_state *ms = state;

	if (code != -EIO)
		return false;
	err_say(err, code,
		"read %s at offset %" PRIu64
		": bad block below the mapping (SIGBUS)",
		ms->job->files[op->file].path, op->offset_bytes);
	return true;
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.summary = "a copy from a mapping, without a system call",
	.reads = true,
	.fills_buffer = true,
	.open = mmap_open,
	.begin = mmap_begin,
	.loop = mmap_loop,
	.submit = mmap_submit,
	.explain = mmap_explain,
	.close = mmap_close,
};

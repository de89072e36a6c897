// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * splice(2) from the file into a pipe and from there to /dev/null: the pages
 * are passed on and no byte is copied, so nothing stands in the buffer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "rawread/engine.h"
#include "rawread/engine_call.h"
#include "rawread/engine_files.h"

struct splice_state {
	const struct engine_job *job;
	int pipe_fds[2]; /* read, write */
	int null_fd;
	struct engine_fd fds[]; /* one for each file of the job */
};

static void close_own(const struct splice_state *ss)
{
	if (ss->pipe_fds[0] >= 0)
		close(ss->pipe_fds[0]);
	if (ss->pipe_fds[1] >= 0)
		close(ss->pipe_fds[1]);
	if (ss->null_fd >= 0)
		close(ss->null_fd);
}

static void splice_close(void *state)
{
	struct splice_state *ss = state;

	if (!ss)
		return;
	engine_files_close(ss->job, ss->fds);
	close_own(ss);
	free(ss);
}

/*
 * A block that begins inside a page takes one page more. Where the pipe cannot
 * be so large it stays smaller, and a block takes several turns.
 */
static void enlarge_pipe(int fd, uint64_t block_bytes)
{
	uint64_t wanted = block_bytes + (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t most;

	if (file_read_u64("", "/proc/sys/fs/pipe-max-size", &most, NULL) < 0)
		return;
	if (wanted > most)
		wanted = most;
	if (wanted <= INT32_MAX)
		fcntl(fd, F_SETPIPE_SZ, (int)wanted);
}

static int open_own(struct splice_state *ss, struct err *err)
{
	if (pipe2(ss->pipe_fds, O_CLOEXEC) < 0)
		return err_set(err, -errno, "pipe of engine splice");
	enlarge_pipe(ss->pipe_fds[1], ss->job->iovec_bytes);
	ss->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (ss->null_fd < 0)
		return err_set(err, -errno, "open /dev/null");
	return 0;
}

static int splice_open(const struct engine_job *job, void **state,
		       struct err *err)
{
	struct splice_state *ss;
	int rc;

	*state = NULL;
	ss = calloc(1, sizeof(*ss) + job->file_count * sizeof(ss->fds[0]));
	if (!ss)
		return err_set(err, -ENOMEM, "engine splice");
	ss->job = job;
	ss->pipe_fds[0] = ss->pipe_fds[1] = ss->null_fd = -1;
	rc = open_own(ss, err);
	if (!rc)
		rc = engine_files_open(job, ss->fds, err);
	if (rc < 0) {
		close_own(ss);
		free(ss);
	} else {
		*state = ss;
	}
	return rc;
}

static int splice_begin(void *state, struct err *err)
{
	const struct splice_state *ss = state;

	return engine_files_advise(ss->job, ss->fds, err);
}

/*
 * EINVAL is also what a misaligned direct read gets from every engine, and an
 * offset that is none.
 */
static int64_t fault_of(const struct splice_state *ss, const struct io_op *op,
			int code)
{
	bool is_direct = ss->job->files[op->file].open_flags & O_DIRECT;

	return code == -EINVAL && !is_direct && op->offset_bytes <= INT64_MAX
		       ? -EOPNOTSUPP
		       : code;
}

/* All of it, since the next block wants the pipe empty. */
static int drain(const struct splice_state *ss, uint64_t size_bytes)
{
	while (size_bytes) {
		int64_t gone = engine_call_splice(ss->pipe_fds[0], NULL,
						  ss->null_fd, size_bytes);

		if (gone == -EINTR)
			continue;
		/* It is in the pipe, and would be asked for without end. */
		if (gone <= 0)
			return gone ? (int)gone : -EIO;
		size_bytes -= (uint64_t)gone;
	}
	return 0;
}

static int splice_submit(void *state, struct io_op *op)
{
	const struct splice_state *ss = state;
	off64_t at = (off64_t)op->offset_bytes;
	uint64_t done = 0;
	int rc;

	op->result = 0;
	while (done < op->size_bytes) {
		int64_t got = engine_call_splice(ss->fds[op->file].fd, &at,
						 ss->pipe_fds[1],
						 op->size_bytes - done);

		if (got < 0 && !done)
			op->result = fault_of(ss, op, (int)got);
		/* The end, or an error that the next read will meet first. */
		if (got <= 0)
			break;
		rc = drain(ss, (uint64_t)got);
		if (rc < 0)
			return rc;
		done += (uint64_t)got;
		op->result = (int64_t)done;
	}
	return 0;
}

static bool splice_explain(const void *state, const struct io_op *op, int code,
			   struct err *err)
{
	const struct splice_state *ss = state;

	if (code != -EOPNOTSUPP)
		return false;
	err_say(err, code,
		"n/a: %s: its file system does not splice(2) to a pipe",
		ss->job->files[op->file].path);
	return true;
}

const struct engine_ops engine_splice = {
	.name = "splice",
	.summary = "splice(2) to a pipe and on to /dev/null, without a copy",
	.reads = true,
	.open = splice_open,
	.begin = splice_begin,
	.submit = splice_submit,
	.explain = splice_explain,
	.close = splice_close,
};

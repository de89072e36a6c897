// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"

/* Which limit a descriptor too many ran into, and where it can be raised. */
static int say_too_many(const char *path, struct err *err)
{
	return err_say(err, -EMFILE,
		       "open %s: all %ld descriptors of this process are in "
		       "use; raise 'ulimit -n' or lower -p",
		       path, sysconf(_SC_OPEN_MAX));
}

int engine_files_open(const struct engine_job *job, struct engine_fd *fds,
		      struct err *err)
{
	unsigned int i;
	int rc;

	for (i = 0; i < job->file_count; i++)
		fds[i] = (struct engine_fd){ .fd = -1 };
	for (i = 0; i < job->file_count; i++) {
		const struct engine_file *file = &job->files[i];

		rc = file_id_open(file->path, file->open_flags, &file->id, err);
		if (rc == -EMFILE)
			say_too_many(file->path, err);
		if (rc < 0) {
			engine_files_close(job, fds);
			return rc;
		}
		fds[i].fd = rc;
	}
	return 0;
}

void engine_files_close(const struct engine_job *job,
			const struct engine_fd *fds)
{
	unsigned int i;

	for (i = 0; i < job->file_count; i++)
		if (fds[i].fd >= 0)
			close(fds[i].fd);
}

/*
 * One call reads no more than the larger of the device's read-ahead and its
 * largest request, says nothing of it, and leaves the rest out. No device that
 * people measure takes less than this.
 */
#define READAHEAD_STEP_BYTES (UINT64_C(128) << 10)

static bool is_over(const struct engine_job *job)
{
	return job->is_over && job->is_over(job->run);
}

static int read_ahead(const struct engine_job *job,
		      const struct engine_file *file, int fd, struct err *err)
{
	uint64_t at = file->offset_bytes;
	uint64_t end = at + file->range_bytes;

	/* Of a large file all of them take minutes. */
	for (; at < end && !is_over(job); at += READAHEAD_STEP_BYTES) {
		uint64_t step = end - at;

		if (step > READAHEAD_STEP_BYTES)
			step = READAHEAD_STEP_BYTES;
		if (readahead(fd, (off64_t)at, step) < 0)
			return err_set(err, -errno,
				       "readahead %s at offset %" PRIu64,
				       file->path, at);
	}
	return 0;
}

/* One call each, as programs do: for WILLNEED the kernel reads no more than
 * one call of readahead(2) does, however much is asked for.
 */
static int advise(const struct engine_file *file, int fd, struct err *err)
{
	int code;

	if (file->advice < 0)
		return 0;
	code = posix_fadvise(fd, (off_t)file->offset_bytes,
			     (off_t)file->range_bytes, file->advice);
	return code ? err_set(err, -code, "posix_fadvise %s", file->path) : 0;
}

int engine_files_advise(const struct engine_job *job,
			const struct engine_fd *fds, struct err *err)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < job->file_count; i++) {
		rc = advise(&job->files[i], fds[i].fd, err);
		if (!rc && job->files[i].readahead)
			rc = read_ahead(job, &job->files[i], fds[i].fd, err);
	}
	return rc;
}

int engine_files_sync(const struct engine_job *job, const struct engine_fd *fds,
		      struct err *err)
{
	unsigned int i;

	for (i = 0; i < job->file_count; i++)
		if (fsync(fds[i].fd) < 0)
			return err_set(err, -errno, "fsync %s",
				       job->files[i].path);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/engine.h"

/* Which limit a descriptor too many ran into, and where it can be raised. */
static int say_open_fault(const char *path, int code, struct err *err)
{
	if (code == -EMFILE)
		return err_say(err, code,
			       "open %s: all %ld descriptors of this process "
			       "are in use; raise 'ulimit -n' or lower -p",
			       path, sysconf(_SC_OPEN_MAX));
	return err_set(err, code, "open %s", path);
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

		fds[i].fd = open(file->path, file->open_flags | O_CLOEXEC);
		if (fds[i].fd < 0) {
			rc = say_open_fault(file->path, -errno, err);
			engine_files_close(job, fds);
			return rc;
		}
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

int engine_files_advise(const struct engine_job *job,
			const struct engine_fd *fds, struct err *err)
{
	unsigned int i;
	int code;

	for (i = 0; i < job->file_count; i++) {
		const struct engine_file *file = &job->files[i];

		if (file->advice < 0)
			continue;
		code = posix_fadvise(fds[i].fd, (off_t)file->offset_bytes,
				     (off_t)file->range_bytes, file->advice);
		if (code)
			return err_set(err, -code, "posix_fadvise %s",
				       file->path);
	}
	return 0;
}

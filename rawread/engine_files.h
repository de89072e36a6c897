/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors of one worker's targets, for engines that read from such. */
#ifndef RAWREAD_ENGINE_FILES_H
#define RAWREAD_ENGINE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "rawread/engine.h"

struct err;

/*
 * An open file of the job. Engines keep them in one piece with what else a
 * read needs, since a system call leaves little of it in the nearest cache.
 */
struct engine_fd {
	int fd;		   /* -1: not open */
	uint64_t position; /* where read(2) would go on */
};

/*
 * Before a call that has no offset: moves the kernel's position where the last
 * one did not leave it there. False: errno says why not.
 */
static inline bool engine_fd_seek(struct engine_fd *file,
				  const struct io_op *op)
{
	if (file->position != op->offset_bytes) {
		if (lseek(file->fd, (off_t)op->offset_bytes, SEEK_SET) < 0)
			return false;
		file->position = op->offset_bytes;
	}
	return true;
}

/* After it: as the kernel moves on by what arrived, and not by an error. */
static inline void engine_fd_advance(struct engine_fd *file,
				     const struct io_op *op)
{
	if (op->result > 0)
		file->position += (uint64_t)op->result;
}

/*
 * Opens all files of @job into @fds, which are as many. Returns 0; -ESTALE
 * when one is another file than was planned; -errno. After a failure none is
 * open.
 */
int engine_files_open(const struct engine_job *job, struct engine_fd *fds,
		      struct err *err);

/* Closes those that are open. */
void engine_files_close(const struct engine_job *job,
			const struct engine_fd *fds);

/*
 * Gives each file's advice, then reads ahead of what asks for it, until the run
 * is over. Returns 0 or -errno.
 */
int engine_files_advise(const struct engine_job *job,
			const struct engine_fd *fds, struct err *err);

/* What was written to each lasts when this has returned 0; else -errno. */
int engine_files_sync(const struct engine_job *job, const struct engine_fd *fds,
		      struct err *err);

#endif

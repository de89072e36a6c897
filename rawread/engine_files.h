/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors of one worker's targets, for engines that read from such. */
#ifndef RAWREAD_ENGINE_FILES_H
#define RAWREAD_ENGINE_FILES_H

#include <stdint.h>

struct engine_job;
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
 * Gives each file's advice, then reads ahead of what asks for it. Returns 0
 * or -errno.
 */
int engine_files_advise(const struct engine_job *job,
			const struct engine_fd *fds, struct err *err);

/* What was written to each lasts when this has returned 0; else -errno. */
int engine_files_sync(const struct engine_job *job, const struct engine_fd *fds,
		      struct err *err);

#endif

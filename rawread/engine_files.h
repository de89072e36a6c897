/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors of one worker's targets, for engines that read from such. */
#ifndef RAWREAD_ENGINE_FILES_H
#define RAWREAD_ENGINE_FILES_H

struct engine_job;
struct err;

/* Opens all files of @job. Returns 0 or -errno; free with the one below. */
int engine_files_open(const struct engine_job *job, int **fds, struct err *err);
void engine_files_close(const struct engine_job *job, int *fds);

/* Gives each file's advice. Returns 0 or -errno. */
int engine_files_advise(const struct engine_job *job, const int *fds,
			struct err *err);

#endif

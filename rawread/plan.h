/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run is going to do: which blocks of which target each thread reads,
 * and when it stops. Made by a pure function of the parameters and of what
 * was found out about the targets, and complete before the first thread
 * exists. Const from then on; the paths in it are the caller's.
 */
#ifndef RAWREAD_PLAN_H
#define RAWREAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "rawread/sequence.h"

struct err;
struct run_params;

/* A target as it was found. */
struct plan_file {
	const char *path;
	uint64_t size_bytes;
	/* What direct I/O has to be a multiple of; 0: not told, or no -z. */
	uint32_t direct_offset_bytes, direct_memory_bytes;
};

struct plan_target {
	const char *path;
	uint64_t size_bytes;
	uint64_t offset_bytes, range_bytes;
	uint64_t blocks; /* of read_bytes; the last may be shorter */
	unsigned int threads;
	/* What is asked for to get a shorter last block: more than it where
	 * direct I/O wants it, and then the end of the file cuts it.
	 */
	uint64_t last_asked_bytes;
};

struct plan_thread {
	unsigned int target;
	unsigned int rank; /* among the threads of its target */
	struct sequence_part part;
	uint64_t bytes; /* that it reads; with -n the least */
};

struct plan {
	struct plan_target *targets;
	unsigned int target_count;
	struct plan_thread *threads;
	unsigned int thread_count;
	uint64_t read_bytes; /* of one read, all its iovecs */
	bool is_shared;	     /* the threads of a target take from a counter */
	/* Each thread reads at least so often and all stop together; 0: each
	 * stops at its own end.
	 */
	uint64_t least_reads;
	uint64_t bytes; /* of all threads; with least_reads the least */
	/* The one range of the classic form, or 0: each target has its own. */
	uint64_t common_range_bytes;
	char **notes; /* sentences that the user should see */
	unsigned int note_count;
};

/*
 * @params went through params_finish(), and @files are its modulo targets.
 * Returns 0; -EINVAL or -ERANGE when it cannot be done, the target and the
 * sizes named; -EOPNOTSUPP when the target cannot do it with these blocks
 * (a row that is n/a); -ENOMEM. Free with plan_free().
 */
int plan_make(const struct run_params *params, const struct plan_file *files,
	      struct plan *plan, struct err *err);
void plan_free(struct plan *plan);

/* How long the last block of the range is. */
uint64_t plan_last_bytes(const struct plan *plan,
			 const struct plan_target *target);

/* Adds a sentence. Returns 0 or -ENOMEM. */
int plan_add_note(struct plan *plan, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

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

#include "lib/record/params.h"
#include "rawread/sequence.h"

struct err;

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
	uint64_t blocks;    /* of read_bytes; the last may be shorter */
	uint64_t every;	    /* with a stride one of so many is read, else 1 */
	uint64_t positions; /* blocks until all that are read were */
	uint64_t limit;	    /* positions to be taken, or SEQUENCE_ENDLESS */
	unsigned int threads;
	/* What is asked for to get a shorter last block: more than it where
	 * direct I/O wants it, and then the end of the file cuts it.
	 */
	uint64_t last_asked_bytes;
};

/* What one thread reads of one target. */
struct plan_lane {
	unsigned int target;
	unsigned int rank; /* among the lanes of its target */
	struct sequence_part part;
	/* Exact in a plain order. Where blocks are permuted or drawn, a short
	 * last one is counted as if it were whole; so it is with -n, of the
	 * least reads. 0 with --time.
	 */
	uint64_t bytes;
};

struct plan_thread {
	unsigned int target; /* of its first lane */
	struct plan_lane *lanes;
	unsigned int lane_count; /* 1 but for the batch tests */
};

struct plan {
	struct plan_target *targets;
	unsigned int target_count;
	struct plan_thread *threads;
	unsigned int thread_count;
	struct plan_lane *lanes; /* of all threads, one after the other */
	unsigned int lane_count;
	uint64_t read_bytes; /* of one read, all its iovecs */
	enum layout layout;
	/* Each thread reads at least so often and all stop together, or all
	 * stop after ramp_ns and then time_ns; both 0: each stops at its own
	 * end.
	 */
	uint64_t least_reads;
	uint64_t time_ns, ramp_ns;
	/* Of all threads, as their lanes'; and exact also for a permuted range
	 * that is read whole.
	 */
	uint64_t bytes;
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

/* Bytes of the positions of @target, each read once. */
uint64_t plan_cycle_bytes(const struct plan *plan,
			  const struct plan_target *target);

/*
 * The piece of the target that all blocks of @lane lie in: what is read ahead
 * or mapped for it. The first block for one that reads none.
 */
void plan_reach(const struct plan *plan, const struct plan_lane *lane,
		uint64_t *offset_bytes, uint64_t *range_bytes);

/* Whether @lane gets no block; of a counter's, should the others be early. */
bool plan_lane_is_idle(const struct plan *plan, const struct plan_lane *lane);

/* Whether the run ends for all threads at once. */
static inline bool plan_stops_together(const struct plan *plan)
{
	return plan->least_reads || plan->time_ns;
}

/* Adds a sentence. Returns 0 or -ENOMEM. */
int plan_add_note(struct plan *plan, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine says before and after a run: page cache, layout of the
 * files, devices, CPUs. Nothing here reads a byte of a target. Main thread.
 */
#ifndef RAWREAD_OBSERVE_H
#define RAWREAD_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/system/cputime.h"
#include "lib/system/extents.h"
#include "lib/system/residency.h"
#include "lib/system/storage.h"

struct err;
struct plan;
struct target;

/* Counters of one device at the barrier and after the last byte. */
struct device_observation {
	bool known; /* in both */
	struct storage_counters before, after;
};

/* Of the range of one target. */
struct target_observation {
	struct residency before, after;
	char *layer;	  /* see lib/system/storage.h */
	bool has_devices; /* that could be watched */
	bool hidden;
};

/* Of the ranges of all targets together. */
struct observation {
	struct target_observation *targets; /* as the plan's */
	unsigned int target_count;
	struct residency before, after;	   /* summed; the first reason kept */
	struct extent_shares extents;	   /* summed; known when all are */
	char *extents_reason;		   /* the first failure, or NULL */
	struct storage storage;		   /* merged */
	struct device_observation *lowest; /* as storage.lowest */
	struct device_observation *shape;  /* as storage.mount */
	struct cputime cpu_before, cpu_after;
	bool task_known;
	uint64_t task_before_bytes, task_after_bytes;
};

/*
 * Before the threads: page cache, layout, and which devices to watch. Returns
 * 0 or -errno; free with observe_free() in either case.
 */
int observe_targets(const struct plan *plan, const struct target *targets,
		    struct observation *observation, struct err *err);

/* At the barrier, and when the last byte has come: counters only. */
int observe_begin(struct observation *observation, struct err *err);
int observe_end(struct observation *observation, struct err *err);

/* After the join: the page cache again. */
int observe_targets_after(const struct plan *plan, const struct target *targets,
			  struct observation *observation, struct err *err);

/*
 * Bytes that the lowest devices read, or wrote, and those of the mounts
 * themselves; -1 when there are none, or one of them does not tell.
 */
int64_t observe_lowest_bytes(const struct observation *observation,
			     bool written);
int64_t observe_mount_bytes(const struct observation *observation,
			    bool written);

void observe_free(struct observation *observation);

#endif

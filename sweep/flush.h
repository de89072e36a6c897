/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the page cache is emptied before a run, by a table of methods; then it
 * is asked whether it is empty, and if not, what else may be done is done.
 * Main thread.
 */
#ifndef RAWREAD_SWEEP_FLUSH_H
#define RAWREAD_SWEEP_FLUSH_H

#include <stdbool.h>

#include "sweep/remount.h"

struct err;
struct flush;
struct run_flush;
struct sweep_targets;

struct flush_method {
	const char *name; /* for --flush, and in records */
	bool is_cold;	  /* it means to empty the cache */
	/* What is in the way of it; nothing is touched. NULL: nothing. */
	int (*check)(const struct sweep_targets *targets,
		     const char *record_path, struct err *err);
	/* NULL: nothing is to be made ready, or given back. */
	int (*open)(struct flush *flush, struct err *err);
	/* @alive: see remount_cycle(). */
	int (*run)(struct flush *flush, char **alive, struct err *err);
	void (*close)(struct flush *flush);
};

struct flush {
	const struct flush_method *method;
	struct sweep_targets *targets; /* the caller's, outlives this */
	bool may_drop_caches;	       /* the whole machine's, when need be */
	struct remount remount;
	bool is_left; /* the last flush_run() left something in memory */
};

extern const struct flush_method flush_remount, flush_fadvise,
	flush_drop_caches, flush_none;

/* Returns 0; -EINVAL for a name that is not in the table. */
int flush_method_parse(const char *name, const struct flush_method **method,
		       struct err *err);

/*
 * @flush has method, targets and may_drop_caches set. Returns 0 or -errno;
 * end with flush_close() after 0.
 */
int flush_open(struct flush *flush, struct err *err);
void flush_close(struct flush *flush);

/*
 * Empties the cache. @result tells how, in strings that are the caller's; a
 * cache that stayed warm is told there, and is no error. Returns 0, or what
 * the method returned, with @result empty.
 */
int flush_run(struct flush *flush, struct run_flush *result, struct err *err);
void flush_result_free(struct run_flush *result);

#endif

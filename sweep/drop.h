/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Emptying the page cache without unmounting. Main thread. */
#ifndef RAWREAD_SWEEP_DROP_H
#define RAWREAD_SWEEP_DROP_H

struct err;
struct sweep_targets;

/* The pages of each target's file alone. Returns 0 or -errno. */
int drop_files(const struct sweep_targets *targets, struct err *err);

/*
 * All clean pages of the machine, after a sync. Returns 0; -EACCES or -EROFS
 * without the right to, with the cure.
 */
int drop_caches(struct err *err);

/* Whether drop_caches() would be let; touches nothing. */
int drop_caches_check(struct err *err);

#endif

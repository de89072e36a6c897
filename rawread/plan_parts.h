/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of plan_make(), in their order: private to it. Pure. */
#ifndef RAWREAD_PLAN_PARTS_H
#define RAWREAD_PLAN_PARTS_H

struct err;
struct plan;
struct plan_file;
struct plan_target;
struct run_params;

/* The range of each target: what -r says, or as far as the bytes go. */
int plan_ranges(const struct run_params *params, const struct plan_file *files,
		struct plan *plan, struct err *err);

/*
 * Direct I/O reads whole sectors: a last block that the end of the file cuts
 * is asked for in full, one that the range cuts has to be whole sectors.
 */
int plan_direct(const struct run_params *params, const struct plan_file *file,
		const struct plan *plan, struct plan_target *target,
		struct err *err);

/* How many positions each target has, and how many of them are taken. */
int plan_positions(const struct run_params *params, struct plan *plan,
		   struct err *err);

/* Who takes which; the lanes are there and empty. */
int plan_lanes(const struct run_params *params, struct plan *plan,
	       struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a run that left none itself. Main thread. */
#ifndef RAWREAD_SWEEP_ROW_H
#define RAWREAD_SWEEP_ROW_H

struct driver_result;
struct err;
struct run_params;
struct sweep_targets;

/*
 * Makes @result's record: what was asked, of which files, and why nothing
 * came of it. Returns 0 or -ENOMEM.
 */
int row_of_failure(const struct run_params *params,
		   const struct sweep_targets *targets,
		   struct driver_result *result, struct err *err);

#endif

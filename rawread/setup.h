/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All of a run that is decided before a thread exists: parameters, engine,
 * targets, plan, CPUs. "read" and "plan" begin alike. Main thread; const once
 * it is made.
 */
#ifndef RAWREAD_SETUP_H
#define RAWREAD_SETUP_H

#include <stdbool.h>

#include "lib/record/params.h"
#include "rawread/placement.h"
#include "rawread/plan.h"
#include "rawread/targets.h"

struct command;
struct engine_ops;
struct err;
struct topology;

struct setup {
	struct run_params params;
	const struct engine_ops *ops;
	struct targets targets;
	struct plan plan;
	struct topology *topology; /* NULL: nothing is pinned */
	struct placement placement;
	/* Why it was not made: this file or machine cannot do it. */
	bool not_available;
};

/*
 * The words of a command line as parameters. Returns 0; 1 when help was asked
 * for and has been printed; -EINVAL. Free with setup_free() in any case.
 */
int setup_parse(const struct command *command, enum params_form form, int argc,
		char **argv, struct setup *setup, struct err *err);

/*
 * Finds targets and CPUs, and plans. Reads nothing. Returns 0 or -errno.
 */
int setup_make(struct setup *setup, struct err *err);
void setup_free(struct setup *setup);

#endif

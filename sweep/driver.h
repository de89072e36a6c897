/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run is one child: "rawread read …" of this very program, so that anyone
 * can paste the line and get the same run. Its record comes through a pipe.
 * Main thread.
 */
#ifndef RAWREAD_SWEEP_DRIVER_H
#define RAWREAD_SWEEP_DRIVER_H

#include <stdbool.h>

#include "lib/base/spawn.h"
#include "lib/record/record.h"

struct err;
struct run_params;

struct driver_result {
	bool has_record;
	struct run_record record; /* when there is one */
	struct spawn_end end;
	char *complaint; /* the last line it said on stderr, or NULL */
};

/*
 * Starts the run of @params and waits for its end; a signal that asks us to
 * stop is handed on to it once. Returns 0 however it ended; -errno when it
 * could not be started. Free with driver_result_free().
 */
int driver_run(const struct run_params *params, struct driver_result *result,
	       struct err *err);
void driver_result_free(struct driver_result *result);

/* Why there is no record, as a sentence; NULL without memory. */
char *driver_explain(const struct driver_result *result);

#endif

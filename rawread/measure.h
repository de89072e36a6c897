/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run from a setup to figures: what it needs is claimed, set and filled in
 * its order, the run is made and observed, and all is put back. Main thread.
 */
#ifndef RAWREAD_MEASURE_H
#define RAWREAD_MEASURE_H

#include <stdbool.h>

#include "rawread/buffers.h"
#include "rawread/destroy.h"
#include "rawread/loop_cost.h"
#include "rawread/observe.h"
#include "rawread/read_ahead.h"
#include "rawread/run.h"

struct err;
struct setup;

/* What a run leaves behind, to be recorded and told. */
struct measurement {
	char *begun; /* wall clock */
	struct loop_cost cost;
	struct buffers buffers;
	struct destroy destroy;
	struct read_ahead read_ahead;
	struct observation observation;
	struct run_samples samples;
	bool attempted; /* a failure is the run's from then on, and recorded */
	bool not_available; /* this file or machine cannot do it */
};

/*
 * Returns 0; -EINTR when a signal ended it; -errno with the reason. Settings
 * are still in force: measurement_restore() and measurement_free() follow in
 * any case.
 */
int measure(const struct setup *setup, struct measurement *measurement,
	    struct err *err);

/* Puts settings back and lets go of devices. Returns 0 or -errno. */
int measurement_restore(struct measurement *measurement, struct err *err);
void measurement_free(struct measurement *measurement);

#endif

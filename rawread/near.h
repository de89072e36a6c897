/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs are near to the devices that each target is read from. Main
 * thread.
 */
#ifndef RAWREAD_NEAR_H
#define RAWREAD_NEAR_H

#include <stdbool.h>

struct err;
struct plan;
struct targets;
struct topology;

/*
 * (*near)[target * PUs + PU], which the caller frees; the topology was opened
 * with its devices. Of several lowest devices the PUs add up. A target that no
 * PU is near to has none in its row, and a note in @plan says which and why.
 *
 * Returns 0 or -ENOMEM: a device that is not found is no failure.
 */
int near_find(const struct topology *topology, const struct targets *targets,
	      bool **near, struct plan *plan, struct err *err);

#endif

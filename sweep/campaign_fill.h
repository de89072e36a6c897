/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The campaign line of a sweep: this machine, these targets. Main thread. */
#ifndef RAWREAD_SWEEP_CAMPAIGN_FILL_H
#define RAWREAD_SWEEP_CAMPAIGN_FILL_H

struct campaign;
struct err;
struct sweep_plan;
struct sweep_targets;

/*
 * Fills @campaign from @plan, the machine, and each target's mount, device
 * and settings as they are now. What cannot be found out stays NULL or -1.
 * Returns 0 or -errno; free with campaign_free().
 */
int campaign_fill(const struct sweep_plan *plan,
		  const struct sweep_targets *targets,
		  struct campaign *campaign, struct err *err);

/* "2 packages, 4 nodes, 64 cores, 128 PUs"; NULL when hwloc cannot tell. */
char *campaign_topology(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPU each thread goes to: a pure function of the CPUs that may be used
 * and of what --pin says. Main thread.
 */
#ifndef RAWREAD_PLACEMENT_H
#define RAWREAD_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rawread/topology.h"

struct err;

struct placement {
	/* A PU for each thread; NULL: they are not pinned. */
	struct topology_pu *pus;
	unsigned int thread_count;
	unsigned int distinct; /* PUs among them */
};

/*
 * @how is "none", "scatter" or a list as "0,2-5", whose CPUs are taken in the
 * order given. Scatter goes round over the memory nodes, of those over the
 * packages, then over cores; faster cores before slower ones, and second
 * threads of a core last. Threads beyond the CPUs begin again.
 *
 * Returns 0; -EINVAL when @how is none of these, or names a CPU that may not
 * be used (the ones that may are named); -ENOMEM.
 */
int placement_make(const char *how, const struct topology_pu *pus, size_t count,
		   unsigned int thread_count, struct placement *placement,
		   struct err *err);
void placement_free(struct placement *placement);

/*
 * The PUs in the order of scatter. @order is as long as @pus. Returns 0 or
 * -ENOMEM.
 */
int placement_scatter(const struct topology_pu *pus, size_t count,
		      struct topology_pu *order);

/*
 * "0,2,1,3": the PUs used, each once, in the order of the threads. The caller
 * frees it; NULL when not pinned, or without memory.
 */
char *placement_cpus(const struct placement *placement);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPU each thread goes to: a pure function of the CPUs that may be used,
 * of what --pin says, and of which of them are near to what is read. Main
 * thread.
 */
#ifndef RAWREAD_PLACEMENT_H
#define RAWREAD_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rawread/topology.h"

struct err;
struct plan_thread;

struct placement {
	/* A PU for each thread; NULL: they are not pinned. */
	struct topology_pu *pus;
	unsigned int thread_count;
	unsigned int distinct; /* PUs among them */
};

struct placement_request {
	const char *how; /* of --pin */
	const struct topology_pu *pus;
	size_t pu_count;
	unsigned int thread_count;
	/* For near alone: the threads with their targets, and whether
	 * near[target * pu_count + pu]; NULL: of all targets nothing is known.
	 */
	const struct plan_thread *threads;
	unsigned int target_count;
	const bool *near;
};

/*
 * Where the threads go by @how, and threads beyond the CPUs begin again:
 *
 * none     Nowhere; nothing else of the request is looked at.
 * scatter  Round over the memory nodes, of those over the packages, then over
 *          cores; faster cores before slower ones, and second threads of a
 *          core last.
 * compact  On as few memory nodes, then packages, as there can be. A node is
 *          filled before the next: its cores, faster ones first, then their
 *          second threads. Then come the other nodes of its package, then
 *          other packages. The largest node is first, by what may be used of
 *          it, and of equal ones the one with the lowest number. A node that
 *          has several packages is filled package by package.
 * near     Each thread on a PU that is near to its target, the one that has
 *          the fewest threads so far, and of those the first in the order
 *          that scatter has among these PUs. So targets that are near to the
 *          same PUs take them in turn. What is near to nothing is near to
 *          all.
 * 0,2-5    These in the order given, each once.
 *
 * Returns 0; -EINVAL when @how is none of these, or names a CPU that may not
 * be used (the ones that may are named); -ENOMEM.
 */
int placement_make(const struct placement_request *request,
		   struct placement *placement, struct err *err);
void placement_free(struct placement *placement);

/*
 * "0,2,1,3": the PUs used, each once, in the order of the threads. The caller
 * frees it; NULL when not pinned, or without memory.
 */
char *placement_cpus(const struct placement *placement);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The orders that CPUs are taken in: private to rawread/placement*.c. Pure.
 *
 * An order is indexes of PUs, each at most once; the caller has room for all
 * of them in @order.
 */
#ifndef RAWREAD_PLACEMENT_ORDER_H
#define RAWREAD_PLACEMENT_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "rawread/topology.h"

struct err;

/* Those with @only[i], or all where it is NULL. Returns 0 or -ENOMEM. */
int placement_scatter(const struct topology_pu *pus, size_t count,
		      const bool *only, size_t *order, size_t *order_count);
int placement_compact(const struct topology_pu *pus, size_t count,
		      size_t *order);

/*
 * The list as "0,2-5"; @how is quoted when it is none. Returns 0; -EINVAL when
 * it is no list or names a CPU that is not among @pus.
 */
int placement_list(const char *how, const struct topology_pu *pus, size_t count,
		   size_t *order, size_t *order_count, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is inside a struct topology: private to rawread/topology*.c.
 */
#ifndef RAWREAD_TOPOLOGY_HWLOC_H
#define RAWREAD_TOPOLOGY_HWLOC_H

#include <hwloc.h>
#include <stddef.h>

struct err;
struct topology_pu;

struct topology {
	hwloc_topology_t hwloc;
	struct topology_pu *pus; /* by os_index */
	size_t pu_count;
};

/*
 * Finds the PUs of a loaded topology that are in @allowed; NULL: all. Returns
 * 0; -ENODEV when there is none; -ENOMEM.
 */
int topology_find_pus(struct topology *topology, hwloc_const_bitmap_t allowed,
		      struct err *err);

/* The nearest of @object and what it is in that memory nodes hang on. */
hwloc_obj_t topology_place_of_nodes(hwloc_obj_t object);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "rawread/topology.h"
#include "rawread/topology_hwloc.h"

hwloc_obj_t topology_place_of_nodes(hwloc_obj_t object)
{
	while (object && !object->memory_first_child)
		object = object->parent;
	return object;
}

/* The node in a memory child, which may be a cache before it. */
static hwloc_obj_t node_of_child(hwloc_obj_t child)
{
	while (child && child->type != HWLOC_OBJ_NUMANODE)
		child = child->memory_first_child;
	return child;
}

/* Descriptions may leave the sizes of memory out altogether. */
static bool has_memory(hwloc_topology_t hwloc, hwloc_obj_t node)
{
	return node && (node->attr->numanode.local_memory ||
			!hwloc_get_root_obj(hwloc)->total_memory);
}

/* The nearest node that has memory: its own, or one of those around it. */
static uint32_t node_with_memory(hwloc_topology_t hwloc, hwloc_obj_t place)
{
	hwloc_obj_t child, node;
	int index;

	/* Not by nodeset: it has the nodes of the whole machine as well. */
	for (child = place->memory_first_child; child;
	     child = child->next_sibling) {
		node = node_of_child(child);
		if (has_memory(hwloc, node))
			return node->os_index;
	}
	for (place = place->parent; place; place = place->parent)
		for (index = hwloc_bitmap_first(place->nodeset); index >= 0;
		     index = hwloc_bitmap_next(place->nodeset, index)) {
			node = hwloc_get_numanode_obj_by_os_index(
				hwloc, (unsigned int)index);
			if (has_memory(hwloc, node))
				return (uint32_t)index;
		}
	return NODE_NONE;
}

static uint32_t index_of_ancestor(hwloc_topology_t hwloc, hwloc_obj_t pu,
				  hwloc_obj_type_t type, uint32_t otherwise)
{
	hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(hwloc, type, pu);

	return found ? found->logical_index : otherwise;
}

/* 0 for the kind that hwloc ranks as fastest, or where it ranks none. */
static uint32_t slowness_of(hwloc_topology_t hwloc, hwloc_obj_t pu)
{
	int kinds = hwloc_cpukinds_get_nr(hwloc, 0);
	int kind = hwloc_cpukinds_get_by_cpuset(hwloc, pu->cpuset, 0);
	int efficiency = -1;

	if (kinds <= 0 || kind < 0 ||
	    hwloc_cpukinds_get_info(hwloc, (unsigned int)kind, NULL,
				    &efficiency, NULL, NULL, 0) < 0 ||
	    efficiency < 0)
		return 0;
	return (uint32_t)(kinds - 1 - kind);
}

static void fill_pu(hwloc_topology_t hwloc, hwloc_obj_t object,
		    struct topology_pu *pu)
{
	hwloc_obj_t place = topology_place_of_nodes(object);
	hwloc_obj_t nearest = place ? node_of_child(place->memory_first_child)
				    : NULL;

	*pu = (struct topology_pu){
		.os_index = object->os_index,
		.node = place ? node_with_memory(hwloc, place) : NODE_NONE,
		.locality = nearest ? nearest->os_index : NODE_NONE,
		.package =
			index_of_ancestor(hwloc, object, HWLOC_OBJ_PACKAGE, 0),
		.core = index_of_ancestor(hwloc, object, HWLOC_OBJ_CORE,
					  object->logical_index),
		.slowness = slowness_of(hwloc, object),
	};
}

static int compare_os_index(const void *left, const void *right)
{
	const struct topology_pu *a = left, *b = right;

	return (a->os_index > b->os_index) - (a->os_index < b->os_index);
}

int topology_find_pus(struct topology *topology, hwloc_const_bitmap_t allowed,
		      struct err *err)
{
	int count = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PU);
	hwloc_obj_t object = NULL;

	topology->pus =
		calloc(count > 0 ? (size_t)count : 1, sizeof(*topology->pus));
	if (!topology->pus)
		return err_set(err, -ENOMEM, "topology");
	while ((object = hwloc_get_next_obj_by_type(topology->hwloc,
						    HWLOC_OBJ_PU, object))) {
		struct topology_pu *pu = &topology->pus[topology->pu_count];

		if (allowed && !hwloc_bitmap_isset(allowed, object->os_index))
			continue;
		/* In hwloc's order the PUs of a core follow each other. */
		fill_pu(topology->hwloc, object, pu);
		if (topology->pu_count && pu[-1].core == pu->core)
			pu->smt = pu[-1].smt + 1;
		topology->pu_count++;
	}
	if (!topology->pu_count)
		return err_say(err, -ENODEV,
			       "the topology has no CPU that may be used");
	qsort(topology->pus, topology->pu_count, sizeof(*topology->pus),
	      compare_os_index);
	return 0;
}

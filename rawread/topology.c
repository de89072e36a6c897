// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdlib.h>

#include "lib/base/err.h"

struct topology {
	hwloc_topology_t hwloc;
	struct topology_pu *pus;
	size_t pu_count;
};

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	if (topology->hwloc)
		hwloc_topology_destroy(topology->hwloc);
	free(topology->pus);
	free(topology);
}

/* To the CPUs that taskset left; the cpuset hwloc has seen to itself. */
static int restrict_to_affinity(hwloc_topology_t hwloc, struct err *err)
{
	hwloc_bitmap_t bound;
	int rc = 0;

	if (!hwloc_topology_is_thissystem(hwloc))
		return 0;
	bound = hwloc_bitmap_alloc();
	if (!bound)
		return err_set(err, -ENOMEM, "topology");
	if (hwloc_get_cpubind(hwloc, bound, HWLOC_CPUBIND_THREAD) < 0)
		rc = err_set(err, -errno, "affinity of this process");
	else if (hwloc_topology_restrict(hwloc, bound, 0) < 0)
		rc = err_set(err, -errno, "restrict topology to the affinity");
	hwloc_bitmap_free(bound);
	return rc;
}

/* Descriptions may leave the sizes of memory out altogether. */
static bool tells_memory(hwloc_topology_t hwloc)
{
	return hwloc_get_root_obj(hwloc)->total_memory != 0;
}

/* The nearest node that has memory: its own, or one of those around it. */
static uint32_t node_with_memory(hwloc_topology_t hwloc, hwloc_obj_t pu)
{
	hwloc_obj_t around;
	int index;

	for (around = pu; around; around = around->parent)
		for (index = hwloc_bitmap_first(around->nodeset); index >= 0;
		     index = hwloc_bitmap_next(around->nodeset, index)) {
			hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(
				hwloc, (unsigned int)index);

			if (node && (node->attr->numanode.local_memory ||
				     !tells_memory(hwloc)))
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
	int locality = hwloc_bitmap_first(object->nodeset);

	*pu = (struct topology_pu){
		.os_index = object->os_index,
		.node = node_with_memory(hwloc, object),
		.locality = locality < 0 ? NODE_NONE : (uint32_t)locality,
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

static int fill_pus(struct topology *topology, struct err *err)
{
	int count = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PU);
	hwloc_obj_t object = NULL;

	if (count <= 0)
		return err_say(err, -ENODEV, "the topology has no CPU");
	topology->pus = calloc((size_t)count, sizeof(*topology->pus));
	if (!topology->pus)
		return err_set(err, -ENOMEM, "topology");
	while ((object = hwloc_get_next_obj_by_type(topology->hwloc,
						    HWLOC_OBJ_PU, object))) {
		struct topology_pu *pu = &topology->pus[topology->pu_count];

		/* In hwloc's order the PUs of a core follow each other. */
		fill_pu(topology->hwloc, object, pu);
		if (topology->pu_count && pu[-1].core == pu->core)
			pu->smt = pu[-1].smt + 1;
		topology->pu_count++;
	}
	qsort(topology->pus, topology->pu_count, sizeof(*topology->pus),
	      compare_os_index);
	return 0;
}

/* Takes @hwloc over, configured but not loaded. */
/* hwloc reads the file that this variable names in place of the machine. */
static int say_not_loaded(int code, struct err *err)
{
	const char *file = getenv("HWLOC_XMLFILE");

	if (!file || !*file)
		return err_set(err, code, "load the topology");
	return err_say(err, code,
		       "HWLOC_XMLFILE=%s is no topology that hwloc can load; "
		       "name another file or unset it",
		       file);
}

static int load(hwloc_topology_t hwloc, struct topology **topology,
		struct err *err)
{
	struct topology *made = calloc(1, sizeof(*made));
	int rc;

	*topology = NULL;
	if (!made) {
		hwloc_topology_destroy(hwloc);
		return err_set(err, -ENOMEM, "topology");
	}
	made->hwloc = hwloc;
	if (hwloc_topology_load(hwloc) < 0)
		rc = say_not_loaded(errno ? -errno : -EIO, err);
	else
		rc = restrict_to_affinity(hwloc, err);
	if (!rc)
		rc = fill_pus(made, err);
	if (rc < 0)
		topology_close(made);
	else
		*topology = made;
	return rc;
}

/* hwloc looks at these itself too, but goes on without when they are wrong. */
int topology_open(struct topology **topology, struct err *err)
{
	const char *synthetic = getenv("HWLOC_SYNTHETIC");
	const char *xml = getenv("HWLOC_XMLFILE");
	hwloc_topology_t hwloc;

	*topology = NULL;
	if (synthetic && *synthetic)
		return topology_open_synthetic(synthetic, topology, err);
	if (xml && *xml)
		return topology_open_xml(xml, topology, err);
	if (hwloc_topology_init(&hwloc) < 0)
		return err_set(err, -ENOMEM, "topology");
	return load(hwloc, topology, err);
}

int topology_open_synthetic(const char *description, struct topology **topology,
			    struct err *err)
{
	hwloc_topology_t hwloc;
	int rc;

	*topology = NULL;
	if (hwloc_topology_init(&hwloc) < 0)
		return err_set(err, -ENOMEM, "topology");
	if (hwloc_topology_set_synthetic(hwloc, description) < 0) {
		rc = err_set(err, -errno, "topology '%s'", description);
		hwloc_topology_destroy(hwloc);
		return rc;
	}
	return load(hwloc, topology, err);
}

int topology_open_xml(const char *path, struct topology **topology,
		      struct err *err)
{
	hwloc_topology_t hwloc;
	int rc;

	*topology = NULL;
	if (hwloc_topology_init(&hwloc) < 0)
		return err_set(err, -ENOMEM, "topology");
	if (hwloc_topology_set_xml(hwloc, path) < 0) {
		rc = err_set(err, -errno, "topology file %s", path);
		hwloc_topology_destroy(hwloc);
		return rc;
	}
	return load(hwloc, topology, err);
}

bool topology_is_this_system(const struct topology *topology)
{
	return hwloc_topology_is_thissystem(topology->hwloc);
}

const struct topology_pu *topology_pus(const struct topology *topology,
				       size_t *count)
{
	*count = topology->pu_count;
	return topology->pus;
}

int topology_pin_self(const struct topology *topology, uint32_t os_index,
		      struct err *err)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	int rc = 0;

	if (!set || hwloc_bitmap_only(set, os_index) < 0)
		rc = err_set(err, -ENOMEM, "pin a thread to CPU %u", os_index);
	else if (hwloc_set_cpubind(topology->hwloc, set,
				   HWLOC_CPUBIND_THREAD |
					   HWLOC_CPUBIND_STRICT) < 0)
		rc = err_set(err, -errno, "pin a thread to CPU %u", os_index);
	hwloc_bitmap_free(set);
	return rc;
}

bool topology_is_pinned_to(const struct topology *topology, uint32_t os_index)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	bool pinned;

	pinned = set &&
		 !hwloc_get_cpubind(topology->hwloc, set,
				    HWLOC_CPUBIND_THREAD) &&
		 hwloc_bitmap_weight(set) == 1 &&
		 hwloc_bitmap_isset(set, os_index) &&
		 sched_getcpu() == (int)os_index;
	hwloc_bitmap_free(set);
	return pinned;
}

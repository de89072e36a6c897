/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs that this process may use and where they hang, by hwloc; pinning
 * to them and placing memory beside them. The topology is this system's,
 * restricted to cpuset and affinity, or what HWLOC_SYNTHETIC or HWLOC_XMLFILE
 * say, where nothing can be pinned.
 *
 * A struct topology is made on the main thread; loaded it is only read, so
 * any thread may ask. "PU" is a CPU as the kernel numbers them.
 */
#ifndef RAWREAD_TOPOLOGY_H
#define RAWREAD_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct topology;

/* No memory node is near. */
#define NODE_NONE UINT32_MAX

struct topology_pu {
	uint32_t os_index;
	uint32_t node;	   /* nearest with memory, by the kernel's number */
	uint32_t locality; /* nearest node, may it have memory or not */
	uint32_t package, core; /* counted over the machine */
	uint32_t smt;		/* among the PUs of its core */
	uint32_t slowness;	/* kind of core: 0 is the fastest */
};

/* Returns 0 or -errno. Free with topology_close(), which accepts NULL. */
int topology_open(struct topology **topology, struct err *err);

/* With the disks, for topology_near_device(): that takes ten times as long. */
int topology_open_with_devices(struct topology **topology, struct err *err);

/* A machine described by hwloc's synthetic text, which has no devices. */
int topology_open_synthetic(const char *description, struct topology **topology,
			    struct err *err);

/* One described by an XML file, with the devices in it. */
int topology_open_xml(const char *path, struct topology **topology,
		      struct err *err);
void topology_close(struct topology *topology);

/* False: made up, so pinning would do nothing and say it did. */
bool topology_is_this_system(const struct topology *topology);

/* All PUs that may be used, by os_index. The array is the topology's. */
const struct topology_pu *topology_pus(const struct topology *topology,
				       size_t *count);

/*
 * Sets near[i] for each PU i on the memory nodes that the block device @name
 * hangs on, and leaves the others, so that several devices add up. A partition
 * is where its disk is; the disk is known by @dev or by @name.
 *
 * Returns 0, also when none of these PUs may be used; -ENOENT when the device
 * has no place (loop, zram and virtio devices, most of them), or when all
 * nodes are equally near. Any thread.
 */
int topology_near_device(const struct topology *topology, dev_t dev,
			 const char *name, bool *near, struct err *err);

/*
 * Binds the calling thread to PU @os_index. Returns 0, or -errno with the
 * reason.
 */
int topology_pin_self(const struct topology *topology, uint32_t os_index,
		      struct err *err);

/* Whether the calling thread is bound to @os_index alone, and runs on it. */
bool topology_is_pinned_to(uint32_t os_index);

#endif

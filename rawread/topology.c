// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/topology.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "rawread/topology_hwloc.h"

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	if (topology->hwloc)
		hwloc_topology_destroy(topology->hwloc);
	free(topology->pus);
	free(topology);
}

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

/* The CPUs that taskset left; hwloc has seen to the cpuset itself. */
static int find_allowed_pus(struct topology *topology, struct err *err)
{
	hwloc_bitmap_t bound;
	int rc;

	if (!hwloc_topology_is_thissystem(topology->hwloc))
		return topology_find_pus(topology, NULL, err);
	bound = hwloc_bitmap_alloc();
	if (!bound)
		return err_set(err, -ENOMEM, "topology");
	if (hwloc_get_cpubind(topology->hwloc, bound, HWLOC_CPUBIND_THREAD) < 0)
		rc = err_set(err, -errno, "affinity of this process");
	else
		rc = topology_find_pus(topology, bound, err);
	hwloc_bitmap_free(bound);
	return rc;
}

/* Takes @hwloc over, configured but not loaded. */
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
		rc = find_allowed_pus(made, err);
	if (rc < 0)
		topology_close(made);
	else
		*topology = made;
	return rc;
}

/*
 * Disks are found by the bridges they hang on. Of what hwloc can ask about
 * GPUs, which would start their drivers' threads in here, nothing is wanted.
 */
static void keep_devices(hwloc_topology_t hwloc)
{
	static const char *const unwanted[] = { "cuda", "gl",	  "levelzero",
						"nvml", "opencl", "rsmi" };
	size_t i;

	/* Refused for those that this hwloc does not have. */
	for (i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
		hwloc_topology_set_components(
			hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
			unwanted[i]);
	hwloc_topology_set_io_types_filter(hwloc,
					   HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
}

/* hwloc looks at these itself too, but goes on without when they are wrong. */
static int open_system(bool with_devices, struct topology **topology,
		       struct err *err)
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
	if (with_devices)
		keep_devices(hwloc);
	return load(hwloc, topology, err);
}

int topology_open(struct topology **topology, struct err *err)
{
	return open_system(false, topology, err);
}

int topology_open_with_devices(struct topology **topology, struct err *err)
{
	return open_system(true, topology, err);
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
	keep_devices(hwloc);
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

/*
 * CPUs as the kernel takes them, on the stack, with room for more than Linux
 * can be built for (8192). hwloc would allocate it, and does not look whether
 * it could: in the last of too many threads that is where memory ends.
 */
#define MASK_CPUS 65536
#define LONG_BITS (sizeof(unsigned long) * CHAR_BIT)

struct cpu_mask {
	unsigned long bits[MASK_CPUS / LONG_BITS];
};

int topology_pin_self(const struct topology *topology, uint32_t os_index,
		      struct err *err)
{
	struct cpu_mask mask = { 0 };
	long rc = -1;

	errno = EINVAL;
	if (os_index < MASK_CPUS && topology_is_this_system(topology)) {
		mask.bits[os_index / LONG_BITS] = 1UL << os_index % LONG_BITS;
		rc = syscall(SYS_sched_setaffinity, 0, sizeof(mask), &mask);
	}
	return rc < 0 ? err_set(err, -errno, "pin a thread to CPU %u", os_index)
		      : 0;
}

/* Whether the calling thread may run on @os_index, and on no other CPU. */
static bool is_bound_to(uint32_t os_index)
{
	struct cpu_mask mask = { 0 };
	unsigned int weight = 0;
	size_t i;

	if (os_index >= MASK_CPUS ||
	    syscall(SYS_sched_getaffinity, 0, sizeof(mask), &mask) < 0)
		return false;
	for (i = 0; i < MASK_CPUS / LONG_BITS; i++)
		weight += (unsigned int)__builtin_popcountl(mask.bits[i]);
	return weight == 1 &&
	       mask.bits[os_index / LONG_BITS] & 1UL << os_index % LONG_BITS;
}

bool topology_is_pinned_to(uint32_t os_index)
{
	int cpu = sched_getcpu();

	/* Bound to one it runs there, also where getcpu() is not permitted. */
	return is_bound_to(os_index) && (cpu < 0 || (uint32_t)cpu == os_index);
}

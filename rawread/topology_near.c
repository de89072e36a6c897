// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "lib/base/err.h"
#include "rawread/topology.h"
#include "rawread/topology_hwloc.h"

/* Of "nvme0c1n2" the path that reads of "nvme0n2" may take: "n2". */
static const char *namespace_of_path(const char *name, size_t *subsystem_chars)
{
	unsigned int subsystem, controller, number;
	int before = 0, after = 0, all = 0;

	if (sscanf(name, "nvme%u%nc%u%nn%u%n", &subsystem, &before, &controller,
		   &after, &number, &all) != 3 ||
	    name[all])
		return NULL;
	*subsystem_chars = (size_t)before;
	return name + after;
}

/*
 * Whether @name is that of @disk or of a partition of it. The kernel appends
 * the number, after a "p" where the name of the disk ends with a digit.
 */
static bool is_named_after(const char *name, const char *disk)
{
	size_t chars = strlen(disk);

	if (!chars || strncmp(name, disk, chars))
		return false;
	name += chars;
	if (!*name)
		return true;
	if (isdigit((unsigned char)disk[chars - 1]) && *name++ != 'p')
		return false;
	return *name && name[strspn(name, "0123456789")] == '\0';
}

/*
 * hwloc has whole disks only, and of an NVMe disk with several paths the
 * hidden device of each path, without a number, in place of the disk.
 */
static bool is_device(hwloc_obj_t object, dev_t dev, const char *name)
{
	const char *number =
		hwloc_obj_get_info_by_name(object, "LinuxDeviceID");
	unsigned int major_number, minor_number;
	const char *space;
	char disk[64];
	size_t chars;

	if (object->attr->osdev.type != HWLOC_OBJ_OSDEV_BLOCK)
		return false;
	if (number &&
	    sscanf(number, "%u:%u", &major_number, &minor_number) == 2 &&
	    makedev(major_number, minor_number) == dev)
		return true;
	if (!object->name)
		return false;
	space = namespace_of_path(object->name, &chars);
	if (!space)
		return is_named_after(name, object->name);
	snprintf(disk, sizeof(disk), "%.*s%s", (int)chars, object->name, space);
	return is_named_after(name, disk);
}

/* Where the device's nodes hang; NULL: these are all nodes there are. */
static hwloc_obj_t place_of_device(hwloc_topology_t hwloc, hwloc_obj_t object)
{
	hwloc_obj_t place = topology_place_of_nodes(
		hwloc_get_non_io_ancestor_obj(hwloc, object));

	if (!place ||
	    hwloc_bitmap_isequal(place->complete_nodeset,
				 hwloc_get_root_obj(hwloc)->complete_nodeset))
		return NULL;
	return place;
}

int topology_near_device(const struct topology *topology, dev_t dev,
			 const char *name, bool *near, struct err *err)
{
	hwloc_obj_t object = NULL, place;
	bool is_found = false;
	size_t i;

	while ((object = hwloc_get_next_osdev(topology->hwloc, object))) {
		if (!is_device(object, dev, name))
			continue;
		place = place_of_device(topology->hwloc, object);
		if (!place)
			continue;
		is_found = true;
		/* Complete: a cpuset may have emptied the other one. */
		for (i = 0; i < topology->pu_count; i++)
			near[i] |=
				hwloc_bitmap_isset(place->complete_cpuset,
						   topology->pus[i].os_index);
	}
	if (is_found)
		return 0;
	return err_say(err, -ENOENT,
		       "%s is as near to one CPU as to another, as far as "
		       "hwloc can tell",
		       name);
}

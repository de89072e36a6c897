// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "lib/base/err.h"
#include "rawread/topology.h"
#include "tests/unit/placed.h"

TestSuite(topology_near, .fini = placed_close);

/* @wanted has a character for each PU; NULL: it has no place. */
static void expect_near(const struct topology *topology, dev_t dev,
			const char *name, const char *wanted)
{
	char text[65] = "";
	bool near[64] = { 0 };
	size_t count, i;
	struct err err;
	int rc;

	topology_pus(topology, &count);
	rc = topology_near_device(topology, dev, name, near, &err);
	for (i = 0; i < count; i++)
		text[i] = near[i] ? '*' : '.';
	if (wanted) {
		cr_expect(!rc, "%s: %s", name, err.text);
		cr_expect_str_eq(text, wanted, "%s: %s", name, text);
		return;
	}
	cr_expect_eq(rc, -ENOENT, "%s", name);
	cr_expect_null(strchr(text, '*'), "%s: %s", name, text);
	cr_expect(strstr(err.text, name), "%s", err.text);
}

Test(topology_near, a_disk_is_near_to_the_cpus_of_its_node)
{
	struct topology *topology = placed_on_fixture("disk.xml");

	expect_near(topology, makedev(259, 0), "nvme0n1", "....****");
	expect_near(topology, makedev(8, 0), "sda", "****....");
	/* By its number, or by its name. */
	expect_near(topology, makedev(259, 0), "renamed", "....****");
	expect_near(topology, 0, "nvme0n1", "....****");
}

Test(topology_near, a_partition_is_where_its_disk_is)
{
	struct topology *topology = placed_on_fixture("disk.xml");

	expect_near(topology, makedev(259, 1), "nvme0n1p1", "....****");
	expect_near(topology, makedev(8, 3), "sda3", "****....");
	expect_near(topology, makedev(259, 9), "nvme0n12", NULL);
	expect_near(topology, makedev(259, 9), "nvme0n1p", NULL);
	expect_near(topology, makedev(259, 9), "nvme0n1p1x", NULL);
	expect_near(topology, makedev(65, 160), "sdaa", NULL);
}

Test(topology_near, an_nvme_disk_of_several_paths_is_where_they_are)
{
	struct topology *topology = placed_on_fixture("disk.xml");

	expect_near(topology, makedev(259, 5), "nvme1n1", "****....");
	expect_near(topology, makedev(259, 6), "nvme1n1p2", "****....");
	expect_near(topology, makedev(259, 7), "nvme1n2", NULL);
}

Test(topology_near, what_hangs_on_the_whole_machine_is_near_to_nothing)
{
	struct topology *topology = placed_on_fixture("disk.xml");

	expect_near(topology, makedev(254, 0), "vda", NULL);
	expect_near(topology, makedev(7, 0), "loop0", NULL);
	topology = placed_on("pack:2 [numa] core:2 pu:2");
	expect_near(topology, makedev(259, 0), "nvme0n1", NULL);
}

Test(topology_near, devices_add_up)
{
	struct topology *topology = placed_on_fixture("disk.xml");
	bool near[8] = { 0 };

	topology_near_device(topology, 0, "sda", near, NULL);
	topology_near_device(topology, 0, "vda", near, NULL);
	cr_expect(near[0] && !near[4]);
	topology_near_device(topology, 0, "nvme0n1", near, NULL);
	cr_expect(near[0] && near[4]);
}

Test(topology_near, a_cpuset_without_the_cpus_of_the_disk_leaves_none)
{
	struct topology *topology = placed_on_fixture("cpuset.xml");

	expect_near(topology, makedev(259, 0), "nvme0n1", "....");
	expect_near(topology, makedev(8, 0), "sda", "****");
}

Test(topology_near, the_own_machine_can_be_asked)
{
	struct topology *topology;
	bool *near;
	struct err err;
	size_t count;

	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_XMLFILE");
	cr_assert(!topology_open_with_devices(&topology, &err), "%s", err.text);
	topology_pus(topology, &count);
	near = calloc(count, sizeof(*near));
	cr_expect_eq(topology_near_device(topology, makedev(7, 0), "loop0",
					  near, &err),
		     -ENOENT);
	free(near);
	topology_close(topology);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/topology.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "tests/unit/placed.h"

TestSuite(topology, .fini = placed_close);

static struct topology *own(void)
{
	struct topology *topology;
	struct err err;

	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_XMLFILE");
	cr_assert(!topology_open(&topology, &err), "%s", err.text);
	return topology;
}

static bool may_use(unsigned int cpu)
{
	cpu_set_t *set = CPU_ALLOC(8192);
	size_t size = CPU_ALLOC_SIZE(8192);
	bool may;

	cr_assert(!sched_getaffinity(0, size, set));
	may = CPU_ISSET_S(cpu, size, set);
	CPU_FREE(set);
	return may;
}

Test(topology, has_the_cpus_that_this_process_may_use)
{
	struct topology *topology = own();
	size_t count, i;
	const struct topology_pu *pus = topology_pus(topology, &count);

	cr_assert_gt(count, 0);
	for (i = 0; i < count; i++)
		cr_expect(may_use(pus[i].os_index), "CPU %u", pus[i].os_index);
	cr_expect(topology_is_this_system(topology));
	topology_close(topology);
}

Test(topology, shrinks_to_the_affinity)
{
	struct topology *topology = own();
	size_t count;
	uint32_t last;
	struct err err;

	topology_pus(topology, &count);
	last = topology_pus(topology, &count)[count - 1].os_index;
	cr_assert(!topology_pin_self(topology, last, &err), "%s", err.text);
	topology_close(topology);
	topology = own();
	cr_expect_eq(topology_pus(topology, &count)[0].os_index, last);
	cr_expect_eq(count, 1);
	topology_close(topology);
}

Test(topology, pins_this_thread_and_sees_where_it_runs)
{
	struct topology *topology = own();
	size_t count, i;
	const struct topology_pu *pus = topology_pus(topology, &count);
	struct err err;

	for (i = 0; i < count; i++) {
		cr_assert(!topology_pin_self(topology, pus[i].os_index, &err),
			  "%s", err.text);
		cr_expect_eq(sched_getcpu(), (int)pus[i].os_index);
		cr_expect(topology_is_pinned_to(pus[i].os_index));
		cr_expect_not(topology_is_pinned_to(4000));
	}
	topology_close(topology);
}

Test(topology, a_thread_that_may_run_anywhere_is_not_pinned)
{
	struct topology *topology = own();
	size_t count;

	topology_pus(topology, &count);
	if (count < 2)
		cr_skip_test("needs two CPUs");
	cr_expect_not(topology_is_pinned_to((uint32_t)sched_getcpu()));
	topology_close(topology);
}

Test(topology, a_cpu_that_is_not_there_cannot_be_pinned_to)
{
	struct topology *topology = own();
	struct err err;

	cr_expect_lt(topology_pin_self(topology, 4000, &err), 0);
	cr_expect(strstr(err.text, "CPU 4000"), "%s", err.text);
	topology_close(topology);
}

Test(topology, a_made_up_one_is_not_this_system)
{
	struct topology *topology;
	struct err err;
	size_t count;

	setenv("HWLOC_SYNTHETIC", "pack:2 [numa] core:2 pu:2", 1);
	cr_assert(!topology_open(&topology, &err), "%s", err.text);
	cr_expect_not(topology_is_this_system(topology));
	cr_expect_eq(topology_pus(topology, &count)[7].package, 1);
	cr_expect_eq(topology_pus(topology, &count)[7].core, 3);
	cr_expect_eq(topology_pus(topology, &count)[7].smt, 1);
	cr_expect_eq(topology_pus(topology, &count)[7].node, 1);
	cr_expect_eq(count, 8);
	topology_close(topology);
}

Test(topology, a_description_that_cannot_be_loaded_is_named)
{
	struct topology *topology;
	struct err err;

	setenv("HWLOC_SYNTHETIC", "nonsense", 1);
	cr_expect_lt(topology_open(&topology, &err), 0);
	cr_expect(strstr(err.text, "'nonsense'"), "%s", err.text);
	unsetenv("HWLOC_SYNTHETIC");
	setenv("HWLOC_XMLFILE", "/no/such.xml", 1);
	cr_expect_eq(topology_open(&topology, &err), -ENOENT);
	cr_expect(strstr(err.text, "/no/such.xml"), "%s", err.text);
	cr_expect_null(topology);
	topology_close(NULL);
}

Test(topology, a_node_without_memory_has_cpus_and_takes_memory_nearby)
{
	struct placement_request request;

	placed_on_fixture("memoryless-node.xml");
	request = placed_request(0);
	cr_expect_eq(request.pus[0].locality, 0);
	cr_expect_eq(request.pus[0].node, 0);
	cr_expect_eq(request.pus[2].locality, 1);
	cr_expect_eq(request.pus[2].node, 0);
}

Test(topology, memory_of_the_whole_machine_is_farther_than_a_packages_own)
{
	struct placement_request request;

	placed_on_fixture("far-memory.xml");
	request = placed_request(0);
	cr_expect_eq(request.pus[0].locality, 1);
	cr_expect_eq(request.pus[0].node, 1);
	cr_expect_eq(request.pus[3].locality, 2);
	cr_expect_eq(request.pus[3].node, 2);
}

Test(topology, fast_cores_are_known_from_slow_ones)
{
	struct placement_request request;

	placed_on_fixture("hybrid.xml");
	request = placed_request(0);
	cr_expect_eq(request.pus[0].slowness, 0);
	cr_expect_eq(request.pus[1].smt, 1);
	cr_expect_eq(request.pus[4].slowness, 1);
}

Test(topology, a_core_whose_first_cpu_is_offline_begins_with_its_second)
{
	struct placement_request request;

	placed_on_fixture("offline.xml");
	request = placed_request(0);
	cr_assert_eq(request.pu_count, 6);
	cr_expect_eq(request.pus[3].os_index, 5);
	cr_expect_eq(request.pus[3].smt, 0);
}

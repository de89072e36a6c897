// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/placement.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "rawread/topology.h"

/* The topology of a test. */
static struct topology *opened;

static void close_opened(void)
{
	topology_close(opened);
}

TestSuite(placement, .fini = close_opened);

static const struct topology_pu *synthetic(const char *text, size_t *count)
{
	struct err err;

	cr_assert(!topology_open_synthetic(text, &opened, &err), "%s",
		  err.text);
	return topology_pus(opened, count);
}

static const struct topology_pu *fixture(const char *name, size_t *count)
{
	const char *tests = getenv("TESTS");
	char path[4096];
	struct err err;

	snprintf(path, sizeof(path), "%s/fixtures/topology/%s",
		 tests ? tests : "tests", name);
	cr_assert(!topology_open_xml(path, &opened, &err), "%s", err.text);
	return topology_pus(opened, count);
}

static void expect_cpus(const char *how, const struct topology_pu *pus,
			size_t count, unsigned int threads, const char *wanted)
{
	struct placement placement;
	char text[256] = "";
	unsigned int i;
	struct err err;

	cr_assert(!placement_make(how, pus, count, threads, &placement, &err),
		  "%s", err.text);
	for (i = 0; i < threads; i++)
		sprintf(text + strlen(text), "%s%u", i ? "," : "",
			placement.pus[i].os_index);
	cr_expect_str_eq(text, wanted, "%s: %s", how, text);
	placement_free(&placement);
}

static void expect_refused(const char *how, const struct topology_pu *pus,
			   size_t count, const char *wanted)
{
	struct placement placement;
	struct err err;

	cr_expect_eq(placement_make(how, pus, count, 2, &placement, &err),
		     -EINVAL, "%s", how);
	cr_expect(strstr(err.text, wanted), "%s: %s", how, err.text);
	cr_expect_null(placement.pus);
}

Test(placement, scatter_goes_round_nodes_then_cores_and_siblings_last)
{
	size_t count;
	const struct topology_pu *pus =
		synthetic("pack:2 [numa] core:2 pu:2", &count);

	/* Core c has PUs 2c and 2c + 1; package 1 begins with PU 4. */
	expect_cpus("scatter", pus, count, 8, "0,4,2,6,1,5,3,7");
	expect_cpus("scatter", pus, count, 10, "0,4,2,6,1,5,3,7,0,4");
}

Test(placement, scatter_alternates_packages_when_they_have_several_nodes)
{
	size_t count;
	const struct topology_pu *pus =
		synthetic("pack:2 node:2 core:2 pu:1", &count);

	/* Node n has PUs 2n and 2n + 1; nodes 2 and 3 are in package 1. */
	expect_cpus("scatter", pus, count, 8, "0,4,2,6,1,5,3,7");
}

Test(placement, scatter_goes_round_the_packages_of_one_node)
{
	size_t count;
	const struct topology_pu *pus =
		synthetic("node:1 pack:2 core:2 pu:1", &count);

	expect_cpus("scatter", pus, count, 4, "0,2,1,3");
}

Test(placement, two_thousand_cpus_give_each_node_a_thread_first)
{
	static bool node_taken[16], core_taken[1024], pu_taken[2048];
	struct placement placement;
	unsigned int i;
	struct err err;
	size_t count;
	const struct topology_pu *pus =
		synthetic("pack:2 node:8 core:64 pu:2", &count);

	cr_assert_eq(count, 2048);
	cr_assert(
		!placement_make("scatter", pus, count, 2048, &placement, &err));
	for (i = 0; i < 2048; i++) {
		const struct topology_pu *pu = &placement.pus[i];

		cr_expect_eq(pu->smt, i >= 1024, "thread %u", i);
		cr_expect_not(pu_taken[pu->os_index]);
		pu_taken[pu->os_index] = true;
		if (i < 16)
			cr_expect_not(node_taken[pu->node], "thread %u", i);
		if (i < 2)
			cr_expect_eq(pu->package, i);
		node_taken[pu->node] = true;
		if (i < 1024)
			cr_expect_not(core_taken[pu->core], "thread %u", i);
		core_taken[pu->core] = true;
	}
	cr_expect_eq(placement.distinct, 2048);
	placement_free(&placement);
}

Test(placement, fast_cores_come_before_slow_ones_and_siblings_after_both)
{
	size_t count;
	const struct topology_pu *pus = fixture("hybrid.xml", &count);

	/* PUs 0-3 are two fast cores of two, 4 6 8 10 slow ones. */
	cr_assert_eq(count, 8);
	expect_cpus("scatter", pus, count, 8, "0,2,4,6,8,10,1,3");
	cr_expect_eq(pus[0].slowness, 0);
	cr_expect_eq(pus[4].slowness, 1);
}

Test(placement, a_node_without_memory_has_cpus_and_takes_memory_nearby)
{
	size_t count;
	const struct topology_pu *pus = fixture("memoryless-node.xml", &count);

	cr_assert_eq(count, 4);
	expect_cpus("scatter", pus, count, 4, "0,2,1,3");
	cr_expect_eq(pus[2].locality, 1);
	cr_expect_eq(pus[2].node, 0);
	cr_expect_eq(pus[0].node, 0);
}

Test(placement, a_list_is_taken_in_its_own_order_and_begun_again)
{
	size_t count;
	const struct topology_pu *pus = synthetic("core:8 pu:1", &count);

	expect_cpus("5,0-2,7", pus, count, 5, "5,0,1,2,7");
	expect_cpus("3,1", pus, count, 5, "3,1,3,1,3");
	/* Named twice it is still one CPU. */
	expect_cpus("3,3,1", pus, count, 3, "3,1,3");
}

Test(placement, none_pins_nothing_and_needs_no_topology)
{
	struct placement placement;
	struct err err;

	cr_assert(!placement_make("none", NULL, 0, 4, &placement, &err));
	cr_expect_null(placement.pus);
	cr_expect_null(placement_cpus(&placement));
	cr_expect_eq(placement.thread_count, 4);
}

Test(placement, a_cpu_that_may_not_be_used_is_refused_with_those_that_may)
{
	const struct topology_pu pus[] = { { .os_index = 1 },
					   { .os_index = 2 },
					   { .os_index = 3 },
					   { .os_index = 8 } };

	expect_refused("0", pus, 4, "CPU 0 may not be used; CPUs 1-3,8 may");
	expect_refused("1-4", pus, 4, "CPU 4 ");
	expect_refused("1,99999", pus, 4, "CPU 99999 ");
}

Test(placement, what_is_no_list_is_refused_by_name)
{
	static const char *const bad[] = {
		"",
		",",
		"1,",
		"1-",
		"-1",
		"1--2",
		"2-1",
		"0x1",
		"1 2",
		"all",
		"1,,2",
		"1-2-3",
		"99999999999999999999",
	};
	const struct topology_pu pus[] = { { .os_index = 0 },
					   { .os_index = 1 },
					   { .os_index = 2 } };
	char quoted[64];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		sprintf(quoted, "'%s'", bad[i]);
		expect_refused(bad[i], pus, 3, quoted);
	}
	expect_refused("near", pus, 3, "'near' is not in this version");
	expect_refused("compact", pus, 3, "'compact' is not in this version");
}

Test(placement, cpus_are_named_once_in_the_order_of_the_threads)
{
	struct placement placement;
	struct err err;
	size_t count;
	const struct topology_pu *pus =
		synthetic("pack:2 [numa] core:2 pu:1", &count);
	char *cpus;

	cr_assert(!placement_make("scatter", pus, count, 6, &placement, &err));
	cpus = placement_cpus(&placement);
	cr_expect_str_eq(cpus, "0,2,1,3");
	cr_expect_eq(placement.distinct, 4);
	free(cpus);
	placement_free(&placement);
}

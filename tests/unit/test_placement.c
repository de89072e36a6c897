// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/placement.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "rawread/plan.h"
#include "rawread/topology.h"
#include "tests/unit/placed.h"

TestSuite(placement, .fini = placed_close);

/* A machine, and where as many threads go on it as it has CPUs. */
struct machine {
	const char *is; /* synthetic, or a fixture where it ends with .xml */
	const char *scatter, *compact;
	unsigned int first_near, last_near; /* CPUs, near to the target */
	const char *near;
	const char *list, *listed; /* listed once more at the end */
};

static const struct machine machines[] = {
	/* Core c of a desktop has PUs 2c and 2c + 1. */
	{ "core:4 pu:2", "0,2,4,6,1,3,5,7", "0,2,4,6,1,3,5,7", 4, 7,
	  "4,6,5,7,4,6,5,7", "6,0-2", "6,0,1,2,6,0,1,2" },
	/* Package p has node p and PUs 4p to 4p + 3. */
	{ "pack:2 [numa] core:2 pu:2", "0,4,2,6,1,5,3,7", "0,2,1,3,4,6,5,7", 4,
	  7, "4,6,5,7,4,6,5,7", "7,3", "7,3,7,3,7,3,7,3" },
	/* The same, where the disk is below package 1. */
	{ "disk.xml", "0,4,2,6,1,5,3,7", "0,2,1,3,4,6,5,7", 4, 7,
	  "4,6,5,7,4,6,5,7", "7-7", "7,7,7,7,7,7,7,7" },
	/* Clusters: nodes n, 2 of a package, with PUs 4n to 4n + 3. */
	{ "pack:2 node:2 core:2 pu:2", "0,8,4,12,2,10,6,14,1,9,5,13,3,11,7,15",
	  "0,2,1,3,4,6,5,7,8,10,9,11,12,14,13,15", 0, 7,
	  "0,4,2,6,1,5,3,7,0,4,2,6,1,5,3,7", "8-15,0-7",
	  "8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7" },
	/* One node for two packages, of two PUs each. */
	{ "node:1 pack:2 core:2 pu:1", "0,2,1,3", "0,1,2,3", 2, 3, "2,3,2,3",
	  "3,0,1", "3,0,1,3" },
	/* PUs 0-3 are two fast cores of two, 4 6 8 10 slow ones. */
	{ "hybrid.xml", "0,2,4,6,8,10,1,3", "0,2,4,6,8,10,1,3", 3, 8,
	  "4,6,8,3,4,6,8,3", "10,4", "10,4,10,4,10,4,10,4" },
	/* PUs 2 and 3 are on a node of their own, without memory. */
	{ "memoryless-node.xml", "0,2,1,3", "0,1,2,3", 2, 3, "2,3,2,3", "1-3",
	  "1,2,3,1" },
	/* Node 0 is memory of the whole machine, without CPUs. */
	{ "far-memory.xml", "0,2,1,3", "0,1,2,3", 0, 1, "0,1,0,1", "2,1",
	  "2,1,2,1" },
	/* As disk.xml, and PUs 3 and 4 are offline. */
	{ "offline.xml", "0,5,2,6,1,7", "0,2,1,5,6,7", 4, 7, "5,6,7,5,6,7",
	  "5,2", "5,2,5,2,5,2" },
	/* As disk.xml in a cpuset that has package 0; nothing is near. */
	{ "cpuset.xml", "0,2,1,3", "0,2,1,3", 4, 7, "0,2,1,3", "3,0",
	  "3,0,3,0" },
	/* Numbers far beyond those of a fixed-size set. */
	{ "pack:2 [numa] core:2 pu:1(indexes=3,17,2047,5000)", "3,2047,17,5000",
	  "3,17,2047,5000", 2047, 5000, "2047,5000,2047,5000", "5000,3",
	  "5000,3,5000,3" },
	{ "core:1 pu:1", "0", "0", 0, 0, "0", "0", "0" },
};

static void be_on(const char *machine)
{
	if (strstr(machine, ".xml"))
		placed_on_fixture(machine);
	else
		placed_on(machine);
}

/* Threads of one target, which is near to these CPUs. */
static void expect_near(unsigned int first, unsigned int last,
			unsigned int threads, const char *wanted)
{
	struct placement_request request = placed_request(threads);
	struct plan_thread *planned = calloc(threads, sizeof(*planned));
	bool *near = calloc(request.pu_count, sizeof(*near));
	size_t i;

	cr_assert(planned && near);
	for (i = 0; i < request.pu_count; i++)
		near[i] = request.pus[i].os_index >= first &&
			  request.pus[i].os_index <= last;
	request.how = "near";
	request.threads = planned;
	request.target_count = 1;
	request.near = near;
	placed_expect(&request, wanted);
	free(near);
	free(planned);
}

Test(placement, each_machine_is_filled_in_the_order_that_was_asked_for)
{
	const struct machine *machine;
	unsigned int threads;
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		machine = &machines[i];
		be_on(machine->is);
		threads = (unsigned int)placed_request(0).pu_count;
		placed_expect_how("scatter", threads, machine->scatter);
		placed_expect_how("compact", threads, machine->compact);
		placed_expect_how(machine->list, threads, machine->listed);
		expect_near(machine->first_near, machine->last_near, threads,
			    machine->near);
	}
}

Test(placement, threads_beyond_the_cpus_begin_again)
{
	placed_on("pack:2 [numa] core:2 pu:2");
	placed_expect_how("scatter", 10, "0,4,2,6,1,5,3,7,0,4");
	placed_expect_how("compact", 10, "0,2,1,3,4,6,5,7,0,2");
	placed_on("core:1 pu:1");
	placed_expect_how("compact", 3, "0,0,0");
	expect_near(0, 0, 3, "0,0,0");
}

static const char huge[] = "pack:2 node:8 core:64 pu:2";

/* Each of the 2048 CPUs once, which are the caller's to free. */
static void place_on_huge(const char *how, struct placement *placement)
{
	static bool taken[2048];
	struct placement_request request;
	unsigned int i;
	struct err err;

	placed_on(huge);
	request = placed_request(2048);
	cr_assert_eq(request.pu_count, 2048);
	request.how = how;
	cr_assert(!placement_make(&request, placement, &err));
	cr_expect_eq(placement->distinct, 2048);
	for (i = 0; i < 2048; i++) {
		cr_expect_not(taken[placement->pus[i].os_index], "%u", i);
		taken[placement->pus[i].os_index] = true;
	}
}

Test(placement, two_thousand_cpus_scattered_give_each_node_a_thread_in_turn)
{
	unsigned int on_node[16] = { 0 }, i;
	static bool core_taken[1024];
	struct placement placement;

	place_on_huge("scatter", &placement);
	for (i = 0; i < 2048; i++) {
		const struct topology_pu *pu = &placement.pus[i];

		cr_expect_eq(on_node[pu->node]++, i / 16, "thread %u", i);
		cr_expect_eq(pu->package, i % 2);
		cr_expect_eq(pu->smt, i >= 1024, "thread %u", i);
		if (i < 1024)
			cr_expect_not(core_taken[pu->core], "thread %u", i);
		core_taken[pu->core] = true;
	}
	placement_free(&placement);
}

Test(placement, two_thousand_cpus_compact_fill_a_node_before_the_next)
{
	struct placement placement;
	unsigned int i;

	place_on_huge("compact", &placement);
	for (i = 0; i < 2048; i++) {
		const struct topology_pu *pu = &placement.pus[i];

		cr_expect_eq(pu->node, i / 128, "thread %u", i);
		cr_expect_eq(pu->package, i / 1024, "thread %u", i);
		cr_expect_eq(pu->smt, i % 128 >= 64, "thread %u", i);
		cr_expect_eq(pu->core, i / 128 * 64 + i % 64, "thread %u", i);
	}
	placement_free(&placement);
}

Test(placement, two_thousand_cpus_in_a_list_are_taken_as_listed)
{
	struct placement placement;
	unsigned int i;

	place_on_huge("1024-2047,0-1023", &placement);
	for (i = 0; i < 2048; i++)
		cr_expect_eq(placement.pus[i].os_index, (i + 1024) % 2048);
	placement_free(&placement);
}

/* The machine, but of its PUs only those that are listed. */
static void expect_compact_of(const char *allowed, const char *wanted)
{
	struct placement_request request = placed_request(8);
	struct placement placement;
	struct err err;

	request.how = allowed;
	cr_assert(!placement_make(&request, &placement, &err), "%s", err.text);
	request.how = "compact";
	request.pus = placement.pus;
	request.pu_count = placement.distinct;
	request.thread_count = placement.distinct;
	placed_expect(&request, wanted);
	placement_free(&placement);
}

Test(placement, compact_begins_where_a_cpuset_left_most)
{
	/* Node n, 2 of a package, has PUs 2n and 2n + 1. */
	placed_on("pack:2 node:2 core:2 pu:1");
	expect_compact_of("0,2-3,5,6", "2,3,0,5,6");
	expect_compact_of("1,2,4-6", "4,5,6,1,2");
	expect_compact_of("0,1,4-6", "4,5,6,0,1");
	expect_compact_of("0,3,5,6", "0,3,5,6");
}

Test(placement, a_list_names_a_cpu_twice_and_has_it_once)
{
	placed_on("core:8 pu:1");
	placed_expect_how("3,3,1", 3, "3,1,3");
	placed_expect_how("5,0-2,1-5", 6, "5,0,1,2,3,4");
}

Test(placement, none_pins_nothing_and_needs_no_topology)
{
	const struct placement_request request = { .how = "none",
						   .thread_count = 4 };
	struct placement placement;
	struct err err;

	cr_assert(!placement_make(&request, &placement, &err));
	cr_expect_null(placement.pus);
	cr_expect_null(placement_cpus(&placement));
	cr_expect_eq(placement.thread_count, 4);
}

static void expect_refused(const char *how, const struct topology_pu *pus,
			   size_t count, const char *wanted)
{
	const struct placement_request request = {
		.how = how, .pus = pus, .pu_count = count, .thread_count = 2
	};
	struct placement placement;
	struct err err;

	cr_expect_eq(placement_make(&request, &placement, &err), -EINVAL, "%s",
		     how);
	cr_expect(strstr(err.text, wanted), "%s: %s", how, err.text);
	cr_expect_null(placement.pus);
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
	expect_refused("nearby", pus, 3,
		       "is neither none, compact, scatter, near nor a list");
}

Test(placement, without_a_cpu_nothing_can_be_pinned)
{
	const struct topology_pu *none = &(struct topology_pu){ 0 };

	expect_refused("scatter", none, 0, "no CPU may be used");
	expect_refused("compact", none, 0, "no CPU may be used");
	expect_refused("near", none, 0, "no CPU may be used");
	expect_refused("0", none, 0, "no CPU may be used");
}

static void expect_named(const struct placement_request *request,
			 unsigned int distinct, const char *wanted)
{
	struct placement placement;
	struct err err;
	char *cpus;

	cr_assert(!placement_make(request, &placement, &err));
	cpus = placement_cpus(&placement);
	cr_expect_str_eq(cpus, wanted, "%s", cpus);
	cr_expect_eq(placement.distinct, distinct);
	free(cpus);
	placement_free(&placement);
}

Test(placement, cpus_are_named_once_in_the_order_of_the_threads)
{
	const bool near[2][4] = { { true }, { [2] = true, [3] = true } };
	const struct plan_thread threads[] = {
		{ .target = 0 }, { .target = 0 }, { .target = 1 },
		{ .target = 0 }, { .target = 1 }, { .target = 0 },
	};
	struct placement_request request;

	placed_on("pack:2 [numa] core:2 pu:1");
	request = placed_request(6);
	request.how = "scatter";
	expect_named(&request, 4, "0,2,1,3");
	request.how = "near";
	request.threads = threads;
	request.target_count = 2;
	request.near = near[0];
	expect_named(&request, 3, "0,2,3");
}

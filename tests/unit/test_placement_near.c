// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <string.h>

#include "rawread/placement.h"
#include "rawread/plan.h"
#include "tests/unit/placed.h"

/* What of a row is near. */
#define PACKAGE_0 true, true, true, true
#define PACKAGE_1 [4] = true, true, true, true

TestSuite(placement_near, .fini = placed_close);

/* disk.xml, and targets of which the disks of some are near to a node. */
static void expect_targets(const char *targets, const bool near[][8],
			   const char *wanted)
{
	struct placement_request request;
	struct plan_thread threads[16] = { 0 };
	size_t i;

	placed_on_fixture("disk.xml");
	request = placed_request((unsigned int)strlen(targets));
	for (i = 0; targets[i]; i++)
		threads[i].target = (unsigned int)(targets[i] - '0');
	request.how = "near";
	request.threads = threads;
	request.target_count = 3;
	request.near = near ? near[0] : NULL;
	placed_expect(&request, wanted);
}

Test(placement_near, each_target_has_the_cpus_that_are_near_to_its_own_disk)
{
	static const bool near[][8] = { { PACKAGE_1 },
					{ PACKAGE_0 },
					{ PACKAGE_0, PACKAGE_1 } };

	expect_targets("01010101", near, "4,0,6,2,5,1,7,3");
	/* A target on disks of both nodes is near to both. */
	expect_targets("2222", near, "0,4,2,6");
}

Test(placement_near, targets_on_one_node_take_its_cpus_in_turn)
{
	static const bool near[][8] = { { PACKAGE_1 },
					{ PACKAGE_1 },
					{ PACKAGE_1 } };

	expect_targets("012012012", near, "4,6,5,7,4,6,5,7,4");
	expect_targets("000111", near, "4,6,5,7,4,6");
}

Test(placement_near,
     a_target_that_is_near_to_nothing_is_scattered_around_others)
{
	static const bool near[][8] = { { PACKAGE_1 }, { 0 }, { 0 } };

	expect_targets("1212", near, "0,4,2,6");
	expect_targets("01010101", near, "4,0,6,2,5,1,7,3");
	expect_targets("012012", NULL, "0,4,2,6,1,5");
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/machine.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"

static void expect_text(const char *is, const char *wanted)
{
	cr_expect(is && !strcmp(is, wanted), "'%s', not '%s'", is, wanted);
}

/* The machine whose /proc lies below tests/fixtures/@name. */
static void read_fixture(const char *name, struct machine *machine)
{
	const char *tests = getenv("TESTS");
	char *root = NULL;
	struct err err;

	cr_assert(asprintf(&root, "%s/fixtures/%s", tests ? tests : "tests",
			   name) > 0);
	cr_assert(!machine_read(root, machine, &err), "%s", err.text);
	free(root);
}

Test(machine, the_facts_of_an_x86_machine_come_from_its_proc)
{
	struct machine machine;

	read_fixture("machine_x86", &machine);
	expect_text(machine.host, "box one");
	expect_text(machine.kernel_release, "6.1.0-13-amd64");
	expect_text(machine.kernel_version,
		    "#1 SMP PREEMPT_DYNAMIC Debian 6.1.55-1 (2023-09-29)");
	expect_text(machine.boot_id, "84021562-aee4-4faf-accd-e1655d976974");
	expect_text(machine.cpu_model, "Made-up CPU @ 2.40GHz");
	cr_expect_eq(machine.memory_bytes, UINT64_C(8174060) * 1024);
	machine_free(&machine);
	cr_expect_null(machine.host);
}

Test(machine, a_config_in_boot_is_hashed_by_its_bytes)
{
	struct machine machine;

	read_fixture("machine_x86", &machine);
	/* FNV-1a, 64 bits, of "a": a published vector. */
	expect_text(machine.config_hash, "af63dc4c8601ec8c");
	machine_free(&machine);
}

Test(machine, the_running_kernels_own_config_goes_first)
{
	struct machine machine;

	read_fixture("machine_arm", &machine);
	/* Of "foobar", published too; the one in /boot is empty. */
	expect_text(machine.config_hash, "85944171f73967e8");
	machine_free(&machine);
}

Test(machine, an_arm_cpu_has_numbers_for_a_name)
{
	struct machine machine;

	read_fixture("machine_arm", &machine);
	expect_text(machine.cpu_model, "implementer 0x41, part 0xd0c");
	machine_free(&machine);
}

Test(machine, what_cannot_be_found_out_is_null)
{
	struct machine machine;

	read_fixture("nowhere", &machine);
	cr_expect_null(machine.host);
	cr_expect_null(machine.kernel_release);
	cr_expect_null(machine.config_hash);
	cr_expect_null(machine.boot_id);
	cr_expect_null(machine.cpu_model);
	cr_expect_eq(machine.memory_bytes, 0);
	machine_free(&machine);
}

Test(machine, this_machine_is_called_as_uname_says)
{
	struct machine machine;
	struct utsname uts;
	struct err err;

	cr_assert(!uname(&uts));
	cr_assert(!machine_read("", &machine, &err), "%s", err.text);
	expect_text(machine.host, uts.nodename);
	expect_text(machine.kernel_release, uts.release);
	expect_text(machine.kernel_version, uts.version);
	cr_expect_gt(machine.memory_bytes, 1u << 20);
	if (machine.config_hash)
		cr_expect_eq(strlen(machine.config_hash), 16);
	machine_free(&machine);
}

Test(machine, the_wall_clock_has_one_length_and_ends_in_z)
{
	char *now = clock_wall_text();
	int year, month, day, hour, minute, second, end = 0;

	cr_assert(now);
	cr_expect_eq(sscanf(now, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month,
			    &day, &hour, &minute, &second, &end),
		     6, "%s", now);
	cr_expect_eq(end, 20, "%s", now);
	cr_expect_gt(year, 2023);
	free(now);
}

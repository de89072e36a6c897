// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/cputime.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/err.h"

/* The difference of two made-up readings. */
static struct cputime_delta between(const char *first, const char *second)
{
	struct cputime before, after;
	struct cputime_delta delta;
	struct err err;

	cr_assert(!cputime_parse(first, &before, &err), "%s", err.text);
	cr_assert(!cputime_parse(second, &after, &err), "%s", err.text);
	cputime_subtract(&before, &after, &delta);
	cputime_free(&before);
	cputime_free(&after);
	return delta;
}

static uint64_t total(const struct cputime_delta *delta)
{
	return delta->user + delta->system + delta->idle + delta->iowait +
	       delta->irq + delta->softirq + delta->steal;
}

Test(cputime, each_field_is_summed_over_the_cpus)
{
	struct cputime_delta d =
		between("cpu  0 0 0 0 0 0 0 0 0 0\n"
			"cpu0 10 20 30 40 50 60 70 80 0 0\n"
			"cpu1 0 0 0 0 0 0 0 0 0 0\n"
			"intr 5 6 7\n",
			"cpu  9 9 9 9 9 9 9 9 9 9\n"
			"cpu0 11 22 33 44 55 66 77 88 0 0\n"
			"cpu1 100 100 100 100 100 100 100 100 0 0\n"
			"intr 5 6 7\n");

	cr_expect_eq(d.user, 1 + 2 + 200);
	cr_expect_eq(d.system, 103);
	cr_expect_eq(d.idle, 104);
	cr_expect_eq(d.iowait, 105);
	cr_expect_eq(d.irq, 106);
	cr_expect_eq(d.softirq, 107);
	cr_expect_eq(d.steal, 108);
	cr_expect_eq(d.cpus, 2);
	cr_expect_not(d.cpus_changed);
}

Test(cputime, iowait_that_counts_backwards_is_no_time)
{
	struct cputime_delta d = between("cpu0 5 0 5 100 20 0 0 0 0 0\n",
					 "cpu0 15 0 5 140 17 0 0 0 0 0\n");

	cr_expect_eq(d.iowait, 0, "%lu", d.iowait);
	cr_expect_eq(d.idle, 40, "%lu", d.idle);
	cr_expect_eq(total(&d), 50, "%lu", total(&d));
}

Test(cputime, one_cpu_backwards_does_not_eat_the_time_of_another)
{
	struct cputime_delta d =
		between("cpu0 0 0 0 100 20 0 0 0\ncpu1 0 0 0 100 20 0 0 0\n",
			"cpu0 0 0 0 140 10 0 0 0\ncpu1 0 0 0 110 30 0 0 0\n");

	cr_expect_eq(d.iowait, 10, "%lu", d.iowait);
	cr_expect_eq(d.idle, 50, "%lu", d.idle);
}

Test(cputime, guest_time_is_counted_once)
{
	/* The kernel's user of 40 holds the guest's 30, its nice of 8 the 6. */
	struct cputime_delta d = between("cpu0 0 0 0 0 0 0 0 0 0 0\n",
					 "cpu0 40 8 0 52 0 0 0 0 30 6\n");

	cr_expect_eq(d.user, 48, "%lu", d.user);
	cr_expect_eq(total(&d), 100, "%lu", total(&d));
}

Test(cputime, steal_is_a_part_of_the_total)
{
	struct cputime_delta d = between("cpu0 0 0 0 0 0 0 0 7 0 0\n",
					 "cpu0 20 0 10 20 0 0 0 57 0 0\n");

	cr_expect_eq(d.steal, 50, "%lu", d.steal);
	cr_expect_eq(total(&d), 100, "%lu", total(&d));
}

Test(cputime, a_cpu_that_went_is_told_and_not_counted)
{
	struct cputime_delta d =
		between("cpu0 1 0 0 0 0 0 0 0\ncpu1 1000 0 0 0 0 0 0 0\n",
			"cpu0 5 0 0 0 0 0 0 0\n");

	cr_expect(d.cpus_changed);
	cr_expect_eq(d.cpus, 1);
	cr_expect_eq(d.user, 4, "%lu", d.user);
}

Test(cputime, a_cpu_that_came_is_told_and_not_counted)
{
	struct cputime_delta d =
		between("cpu1 1 0 0 0 0 0 0 0\n",
			"cpu0 500 0 0 0 0 0 0 0\ncpu1 3 0 0 0 0 0 0 0\n");

	cr_expect(d.cpus_changed);
	cr_expect_eq(d.cpus, 1);
	cr_expect_eq(d.user, 2, "%lu", d.user);
}

Test(cputime, one_cpu_for_another_is_a_change_too)
{
	struct cputime_delta d =
		between("cpu0 1 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0\n",
			"cpu0 2 0 0 0 0 0 0 0\ncpu2 9 0 0 0 0 0 0 0\n");

	cr_expect(d.cpus_changed);
	cr_expect_eq(d.cpus, 1);
	cr_expect_eq(d.user, 1, "%lu", d.user);
}

Test(cputime, cpus_are_known_by_number_and_not_by_place)
{
	struct cputime_delta d =
		between("cpu0 1 0 0 0 0 0 0 0\ncpu64 10 0 0 0 0 0 0 0\n"
			"cpu2047 100 0 0 0 0 0 0 0\n",
			"cpu2047 101 0 0 0 0 0 0 0\ncpu0 2 0 0 0 0 0 0 0\n"
			"cpu64 11 0 0 0 0 0 0 0\n");

	cr_expect_not(d.cpus_changed);
	cr_expect_eq(d.user, 3, "%lu", d.user);
}

Test(cputime, no_difference_is_all_zero)
{
	const char *same = "cpu0 5 6 7 8 9 10 11 12 13 14\n";
	struct cputime_delta d = between(same, same);

	cr_expect_eq(total(&d), 0, "%lu", total(&d));
	cr_expect_eq(d.cpus, 1);
	cr_expect_not(d.cpus_changed);
}

Test(cputime, old_kernels_with_four_fields_are_understood)
{
	struct cputime_delta d = between("cpu0 1 1 1 1\n", "cpu0 2 3 4 5\n");

	cr_expect_eq(d.user, 3, "%lu", d.user);
	cr_expect_eq(d.system, 3, "%lu", d.system);
	cr_expect_eq(d.idle, 4, "%lu", d.idle);
	cr_expect_eq(total(&d), 10, "%lu", total(&d));
}

Test(cputime, counters_beyond_32_bits_are_whole)
{
	struct cputime_delta d =
		between("cpu0 0 0 0 4294967290 0 0 0 0\n",
			"cpu0 0 0 0 18000000000000000000 0 0 0 0\n");

	cr_expect_eq(d.idle, UINT64_C(18000000000000000000) - 4294967290, "%lu",
		     d.idle);
}

Test(cputime, a_text_without_a_cpu_is_refused)
{
	struct cputime cputime;
	struct err err;

	cr_expect_eq(cputime_parse("", &cputime, &err), -EINVAL);
	cr_expect_eq(cputime_parse("cpu  1 2 3 4 5 6 7 8 9 10\nctxt 5\n",
				   &cputime, &err),
		     -EINVAL);
	cr_expect(strstr(err.text, "/proc/stat"), "%s", err.text);
	cr_expect_null(cputime.cpus);
}

Test(cputime, this_machine_has_cpus_and_its_time_goes_forward)
{
	struct cputime before, after;
	struct cputime_delta delta;
	struct err err;

	cr_assert(!cputime_read("", &before, &err), "%s", err.text);
	cr_assert(!cputime_read("", &after, &err), "%s", err.text);
	cputime_subtract(&before, &after, &delta);
	cr_expect_gt(before.cpu_count, 0);
	cr_expect_gt(before.cpus[0].idle + before.cpus[0].user, 0);
	cr_expect_gt(cputime_ticks_per_s(), 0);
	/* An hour on each CPU between two calls: that is a wrapped counter. */
	cr_expect_lt(total(&delta), delta.cpus * 3600ul * cputime_ticks_per_s(),
		     "%lu", total(&delta));
	cputime_free(&before);
	cputime_free(&after);
}

Test(cputime, a_root_without_proc_is_an_error_that_names_it)
{
	struct cputime cputime;
	struct err err;

	cr_expect_eq(cputime_read("/nowhere", &cputime, &err), -ENOENT);
	cr_expect(strstr(err.text, "/nowhere/proc/stat"), "%s", err.text);
}

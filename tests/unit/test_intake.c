// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/intake.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"

static struct intake intake;
static int out;

static void make_pipe(void)
{
	intake = (struct intake){ .fd = -1 };
	cr_assert_eq(intake_open(&intake, &out), 0);
}

static void free_pipe(void)
{
	intake_close(&intake);
	free(intake.text);
}

TestSuite(intake, .init = make_pipe, .fini = free_pipe);

Test(intake, nothing_said_is_an_empty_text_and_the_end)
{
	close(out);
	intake_read(&intake);
	cr_expect_eq(intake.fd, -1);
	cr_expect_eq(intake.used_bytes, 0);
	cr_expect(!intake.text || !intake.text[0]);
}

Test(intake, nothing_yet_is_not_the_end)
{
	intake_read(&intake);
	cr_expect_neq(intake.fd, -1);
	close(out);
}

Test(intake, what_comes_in_parts_is_one_text)
{
	fd_write_all(out, "one ", 4);
	intake_read(&intake);
	fd_write_all(out, "two", 3);
	intake_read(&intake);
	close(out);
	intake_read(&intake);
	cr_expect_str_eq(intake.text, "one two");
	cr_expect_eq(intake.fd, -1);
}

Test(intake, a_long_text_is_kept_whole)
{
	char part[5000];
	int i;

	memset(part, 'x', sizeof(part));
	for (i = 0; i < 40; i++) {
		cr_assert_eq(fd_write_all(out, part, sizeof(part)), 0);
		intake_read(&intake);
	}
	cr_expect_eq(intake.used_bytes, 200000);
	cr_expect_eq(strlen(intake.text), 200000);
	close(out);
}

Test(intake, pipes_stand_out_of_the_way_of_a_childs_descriptors)
{
	cr_expect_geq(intake.fd, INTAKE_FD_LOWEST);
	cr_expect_geq(out, INTAKE_FD_LOWEST);
	close(out);
}

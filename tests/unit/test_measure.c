// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/measure.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "rawread/setup.h"
#include "tests/unit/engine_rig.h"

/* What was planned for one file is done with no other. */
Test(measure, a_run_reads_what_was_planned_or_nothing)
{
	char *path = rig_path("planned"), *other = rig_path("other");
	char *argv[] = { (char *)"read", path };
	struct measurement m;
	struct setup setup;
	struct err err;

	rig_make_file(path, MIB);
	rig_make_file(other, MIB);
	cr_assert(
		!setup_parse(&command_read, FORM_READ, 2, argv, &setup, &err));
	cr_assert(!setup_make(&setup, &err), "%s", err.text);
	cr_assert(!rename(other, path));
	cr_expect_eq(measure(&setup, &m, &err), -ESTALE);
	cr_expect(strstr(err.text, path) &&
			  strstr(err.text, "became another file meanwhile"),
		  "%s", err.text);
	measurement_free(&m);
	setup_free(&setup);
	unlink(path);
	free(other);
	free(path);
}

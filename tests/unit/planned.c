// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/planned.h"

#include <criterion/criterion.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/tests.h"

static struct run_params made_params[128];
static struct plan made_plans[256];
static unsigned int params_count, plan_count;

void planned_free(void)
{
	while (params_count)
		params_free(&made_params[--params_count]);
	while (plan_count)
		plan_free(&made_plans[--plan_count]);
}

struct run_params planned_params(enum params_form form, unsigned int targets,
				 unsigned int threads)
{
	struct run_params params;
	struct err err;

	cr_assert(!params_init(&params, form, &err));
	params.test = &tests[0];
	params.iovecs = 1;
	params.modulo = targets;
	params.threads = threads;
	params.block_bytes = 64 * KIB;
	if (form == FORM_CLASSIC)
		params.reads = READS_DEFAULT;
	cr_assert_lt(params_count, 128);
	made_params[params_count++] = params;
	return params;
}

struct plan planned_make(const struct run_params *params,
			 const struct plan_file *files)
{
	struct plan plan;
	struct err err;

	cr_assert(!plan_make(params, files, &plan, &err), "%s", err.text);
	cr_assert_lt(plan_count, 256);
	made_plans[plan_count++] = plan;
	return plan;
}

void planned_refused(const struct run_params *params,
		     const struct plan_file *files, int code,
		     const char *wanted)
{
	struct plan plan;
	struct err err = { "" };

	cr_expect_eq(plan_make(params, files, &plan, &err), code, "%s",
		     err.text);
	cr_expect(strstr(err.text, wanted), "'%s' lacks '%s'", err.text,
		  wanted);
	cr_expect_null(plan.threads);
}

bool planned_has_note(const struct plan *plan, const char *wanted)
{
	unsigned int i;

	for (i = 0; i < plan->note_count; i++)
		if (strstr(plan->notes[i], wanted))
			return true;
	return false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From two readings of /proc/stat to the percentages that are printed. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "lib/system/cputime.h"
#include "rawread/classic_output.h"
#include "rawread/findings_output.h"
#include "rawread/plan.h"
#include "rawread/record_run.h"

static const struct {
	const char *what, *before, *after;
	const char *user, *sys, *idle;
} cases[] = {
	{ "iowait that counts backwards", "cpu0 5 0 5 100 20 0 0 0 0 0\n",
	  "cpu0 15 0 5 140 17 0 0 0 0 0\n", "20.00", "0.00", "80.00" },
	{ "iowait is not busy", "cpu0 0 0 0 0 0 0 0 0\n",
	  "cpu0 10 0 15 25 50 0 0 0\n", "10.00", "15.00", "75.00" },
	{ "half of it stolen", "cpu0 0 0 0 0 0 0 0 0\n",
	  "cpu0 20 0 10 20 0 0 0 50\n", "20.00", "60.00", "20.00" },
	{ "a guest, which is in user", "cpu0 0 0 0 0 0 0 0 0 0 0\n",
	  "cpu0 40 8 0 52 0 0 0 0 30 6\n", "48.00", "0.00", "52.00" },
	{ "a CPU that went", "cpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n",
	  "cpu0 1 0 1 2 0 0 0 0\n", "25.00", "25.00", "50.00" },
	{ "no difference", "cpu0 5 6 7 8 9 10 11 12\n",
	  "cpu0 5 6 7 8 9 10 11 12\n", "-", "-", "-" },
	{ "all backwards", "cpu0 9 9 9 9 9 9 9 9\n", "cpu0 1 1 1 1 1 1 1 1\n",
	  "-", "-", "-" },
	{ "thirds, which are rounded", "cpu0 0 0 0 0\n", "cpu0 1 0 1 1\n",
	  "33.33", "33.33", "33.33" },
	{ "one tick of many", "cpu0 0 0 0 0\n", "cpu0 1 0 0 9999999\n", "0.00",
	  "0.00", "100.00" },
	{ "busy alone", "cpu0 0 0 0 0 0 0 0 0\n", "cpu0 3 0 2 0 0 1 1 1\n",
	  "37.50", "62.50", "0.00" },
};

static void run_between(const char *first, const char *second,
			struct run_record *run)
{
	struct cputime before, after;
	struct err err;

	*run = (struct run_record){ .span_ns = 1 };
	cr_assert(!params_init(&run->params, FORM_READ, &err));
	run->params.test = &tests[0];
	cr_assert(!cputime_parse(first, &before, &err), "%s", err.text);
	cr_assert(!cputime_parse(second, &after, &err), "%s", err.text);
	record_run_cpu(&before, &after, &run->cpu);
	cputime_free(&before);
	cputime_free(&after);
}

/* The text in full, which the caller frees. */
static char *print_both(const struct run_record *run)
{
	const struct plan plan = { .read_bytes = 512 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert(out);
	classic_print(out, &run->params, &plan, run);
	findings_print(out, &plan, run);
	fclose(out);
	return text;
}

static void expect_share(const char *text, const char *name, const char *wanted,
			 const char *what)
{
	char line[64];

	snprintf(line, sizeof(line), "\n   %-10s %%%s\n", wanted, name);
	cr_expect(strstr(text, line), "%s: no %s of %s in\n%s", what, name,
		  wanted, text);
}

Test(cpu_text, shares_are_those_of_what_passed)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_record run;
		char *text;

		run_between(cases[i].before, cases[i].after, &run);
		text = print_both(&run);
		expect_share(text, "user", cases[i].user, cases[i].what);
		expect_share(text, "sys", cases[i].sys, cases[i].what);
		expect_share(text, "idle", cases[i].idle, cases[i].what);
		cr_expect_null(strstr(text, "nan"), "%s", cases[i].what);
		cr_expect_null(strstr(text, "inf"), "%s", cases[i].what);
		free(text);
		run_record_free(&run);
	}
}

Test(cpu_text, parts_make_a_whole_and_none_is_beyond_it)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double user = atof(cases[i].user), sys = atof(cases[i].sys);
		double idle = atof(cases[i].idle), sum = user + sys + idle;

		cr_expect(cases[i].user[0] == '-' ||
				  (sum > 99.98 && sum < 100.02 && user <= 100 &&
				   sys <= 100 && idle <= 100),
			  "%s: %f", cases[i].what, sum);
	}
}

Test(cpu_text, a_cpu_that_came_or_went_is_said)
{
	struct run_record run;
	char *text;

	run_between("cpu0 0 0 0 0\ncpu1 0 0 0 0\n", "cpu0 1 1 1 1\n", &run);
	text = print_both(&run);
	cr_expect(strstr(text, "a CPU came or went\n"), "%s", text);
	free(text);
	run_record_free(&run);
}

Test(cpu_text, few_ticks_are_too_short_for_percentages)
{
	struct run_record run;
	char *text;

	run_between("cpu0 0 0 0 0\n", "cpu0 1 0 1 97\n", &run);
	text = print_both(&run);
	cr_expect(strstr(text, "too short for percentages: 99 ticks of all "
			       "CPUs\n"),
		  "%s", text);
	free(text);
	run_record_free(&run);
	run_between("cpu0 0 0 0 0\n", "cpu0 1 0 1 98\n", &run);
	text = print_both(&run);
	cr_expect_null(strstr(text, "too short"), "%s", text);
	free(text);
	run_record_free(&run);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The record file of a sweep that others touch meanwhile. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/store.h"
#include "lib/record/tests.h"
#include "sweep/recorder.h"

static char path[64];
static struct campaign campaign = { .id = (char *)"c", .label = (char *)"l" };
static struct recorder recorder;
static struct err err;

static void begin(void)
{
	size_t torn_bytes;

	snprintf(path, sizeof(path), "/tmp/rawread-recorder.%d", getpid());
	unlink(path);
	cr_assert_eq(
		recorder_open(path, &campaign, &recorder, &torn_bytes, &err), 0,
		"%s", err.text);
}

static void end(void)
{
	recorder_close(&recorder);
	unlink(path);
}

TestSuite(recorder, .init = begin, .fini = end);

static int count_line(const char *type, const json_t *json, void *input,
		      struct err *line_err)
{
	unsigned int *lines = input;

	(void)json;
	(void)line_err;
	lines[!strcmp(type, "end")]++;
	return 0;
}

static void expect_campaign_and_end(void)
{
	unsigned int lines[2] = { 0 };
	struct store_visit visit = { .line = count_line, .input = lines };

	cr_expect_eq(store_read(path, &visit, &err), 0, "%s", err.text);
	cr_expect_eq(lines[0], 1, "%u campaign lines", lines[0]);
	cr_expect_eq(lines[1], 1, "%u end lines", lines[1]);
}

Test(recorder, a_file_that_went_before_its_first_line_is_begun_again)
{
	unlink(path);
	cr_expect_eq(recorder_end(&recorder, "SIGINT", &err), 0, "%s",
		     err.text);
	expect_campaign_and_end();
}

Test(recorder, a_file_that_went_after_its_first_line_is_an_error)
{
	struct run_record run = { 0 };

	cr_assert_eq(params_init(&run.params, FORM_READ, &err), 0);
	run.params.test = test_by_name("seqread");
	cr_expect_eq(recorder_append(&recorder, &run, &err), 0, "%s", err.text);
	unlink(path);
	cr_expect_eq(recorder_end(&recorder, NULL, &err), -ENOENT, "%s",
		     err.text);
	cr_expect_neq(access(path, F_OK), 0, "a file without its campaign");
	run_record_free(&run);
}

Test(recorder, an_empty_file_of_a_refused_sweep_is_taken_away)
{
	recorder_forget(&recorder);
	cr_expect_neq(access(path, F_OK), 0);
}

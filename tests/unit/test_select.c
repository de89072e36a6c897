// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "reports/row.h"
#include "reports/select.h"
#include "reports/series.h"
#include "tests/unit/memory_file.h"

#define CAMPAIGN(id, label)                                         \
	"{\"type\":\"campaign\",\"schema\":1,\"campaign_id\":\"" id \
	"\",\"label\":\"" label "\"}\n"
#define RUN_MEMBERS                                                 \
	"\"type\":\"run\",\"schema\":1,\"params\":{\"test\":"       \
	"\"seqread\",\"block_bytes\":4096},\"span_ns\":1000000000," \
	"\"bytes\":1048576,\"cold\":{\"verdict\":\"cold\"}"
#define RUN(id)	 "{\"campaign_id\":\"" id "\"," RUN_MEMBERS "}\n"
#define LONE_RUN "{" RUN_MEMBERS "}\n"
#define END(id)                                                \
	"{\"type\":\"end\",\"schema\":1,\"campaign_id\":\"" id \
	"\",\"runs\":1,\"complete\":true}\n"

static struct memory_file file;
static struct series series;
static struct err err;

static void fini(void)
{
	series_free(&series);
	close(file.fd);
}

/* Selects FILE, with @rest behind its name. */
static int select_of(const char *text, const char *rest)
{
	char *word;
	int rc;

	file = memory_file(text);
	word = text_format("%s%s", file.path, rest);
	err.text[0] = '\0';
	rc = select_series(word, &series, &err);
	free(word);
	return rc;
}

Test(select, the_only_label_need_not_be_named, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("1") END("1"), ""), 0,
		     "%s", err.text);
	cr_expect_str_eq(series.label, "x");
	cr_expect_eq(series.run_count, 1);
	cr_expect(series.campaigns[0].ended);
	cr_expect_not(series.torn);
}

Test(select, of_several_labels_one_must_be_named, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("1") CAMPAIGN("2", "y")
				       RUN("2"),
			       ""),
		     -EINVAL);
	cr_expect(strstr(err.text, "several labels, x, y;"), "%s", err.text);
	cr_expect_null(series.rows);
}

Test(select, the_named_label_alone_is_kept, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("1") END("1")
				       CAMPAIGN("2", "y") RUN("2") RUN("2"),
			       ":y"),
		     0, "%s", err.text);
	cr_expect_eq(series.run_count, 2);
	cr_expect_eq(series.campaign_count, 1);
	cr_expect_not(series.campaigns[0].ended);
}

Test(select, a_label_that_is_not_there_is_told_with_those_that_are,
     .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("1"), ":z"), -EINVAL);
	cr_expect(strstr(err.text, "does not have the label z, but x"), "%s",
		  err.text);
}

Test(select, campaigns_of_one_label_are_pooled, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") CAMPAIGN("2", "x") RUN("1")
				       RUN("2"),
			       ""),
		     0, "%s", err.text);
	cr_expect_eq(series.campaign_count, 2);
	cr_assert_eq(series.row_count, 1);
	cr_expect_eq(series.rows[0].runs, 2);
	cr_expect_eq(series.campaigns[1].runs, 1);
}

Test(select, a_label_may_have_colons_in_it, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "a:b") RUN("1"), ":a:b"), 0, "%s",
		     err.text);
}

Test(select, runs_that_no_sweep_took_in_have_no_label, .fini = fini)
{
	cr_assert_eq(select_of(LONE_RUN, ""), 0, "%s", err.text);
	cr_expect_str_eq(series.shown, "(no label)");
}

Test(select, an_empty_label_means_runs_without_one, .fini = fini)
{
	cr_assert_eq(
		select_of(CAMPAIGN("1", "x") RUN("1") RUN("1") LONE_RUN, ":"),
		0, "%s", err.text);
	cr_expect_eq(series.run_count, 1);
}

Test(select, a_campaign_without_runs_is_not_taken_for_a_result, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x"), ""), -ENODATA);
	cr_expect(strstr(err.text, "label x"), "%s", err.text);
	cr_expect(strstr(err.text, "has no runs yet"), "%s", err.text);
}

Test(select, an_empty_file_holds_no_runs, .fini = fini)
{
	cr_assert_eq(select_of("", ""), -ENODATA);
	cr_expect(strstr(err.text, "holds no runs"), "%s", err.text);
}

Test(select, a_file_appended_to_itself_does_not_count_twice, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("1") CAMPAIGN("1", "x")
				       RUN("1"),
			       ""),
		     -EINVAL);
	cr_expect(strstr(err.text, ":3: campaign 1 stands in the file twice"),
		  "%s", err.text);
}

Test(select, a_run_of_a_campaign_that_is_not_there_is_refused, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x") RUN("2"), ""), -EINVAL);
	cr_expect(strstr(err.text, ":2: campaign 2 has no campaign line"), "%s",
		  err.text);
}

Test(select, a_torn_last_line_is_told_and_dropped, .fini = fini)
{
	cr_assert_eq(
		select_of(CAMPAIGN("1", "x") RUN("1") "{\"type\":\"ru", ""), 0,
		"%s", err.text);
	cr_expect(series.torn);
	cr_expect_eq(series.run_count, 1);
}

Test(select, lines_of_types_not_known_are_passed_over, .fini = fini)
{
	cr_assert_eq(
		select_of(
			CAMPAIGN("1", "x") "{\"type\":\"weather\",\"schema\":1}\n" RUN(
				"1"),
			""),
		0, "%s", err.text);
	cr_expect_eq(series.run_count, 1);
}

Test(select, a_label_that_would_move_the_cursor_is_escaped, .fini = fini)
{
	cr_assert_eq(select_of(CAMPAIGN("1", "x\\u001b[2J") RUN("1"), ""), 0,
		     "%s", err.text);
	cr_expect_str_eq(series.shown, "x\\x1b[2J");
}

Test(select, a_file_that_is_not_there_is_named_as_it_was_given)
{
	cr_assert_eq(select_series("/nonexistent/file:label", &series, &err),
		     -ENOENT);
	cr_expect(strstr(err.text, "/nonexistent/file:label"), "%s", err.text);
}

static char folder[64];

static void remove_folder(void)
{
	series_free(&series);
	cr_assert_eq(chdir(folder), 0);
	unlink("a:b");
	unlink("a");
	rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
	FILE *out = fopen(name, "we");

	cr_assert_not_null(out);
	fputs(text, out);
	cr_assert_eq(fclose(out), 0);
}

Test(select, a_file_with_a_colon_in_its_name_comes_before_a_label,
     .fini = remove_folder)
{
	snprintf(folder, sizeof(folder), "/tmp/rawread-select.%d", getpid());
	cr_assert_eq(mkdir(folder, 0700), 0);
	cr_assert_eq(chdir(folder), 0);
	write_file("a", CAMPAIGN("1", "b") RUN("1"));
	cr_assert_eq(select_series("a:b", &series, &err), 0, "%s", err.text);
	cr_expect_str_eq(series.path, "a");
	series_free(&series);
	write_file("a:b", CAMPAIGN("1", "c") RUN("1"));
	cr_assert_eq(select_series("a:b", &series, &err), 0, "%s", err.text);
	cr_expect_str_eq(series.path, "a:b");
	series_free(&series);
	cr_assert_eq(select_series("a:b:c", &series, &err), 0, "%s", err.text);
	cr_expect_str_eq(series.path, "a:b");
	cr_expect_str_eq(series.label, "c");
}

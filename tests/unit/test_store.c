// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/store.h"
#include "tests/unit/memory_file.h"

#define LINE(n) "{\"type\":\"run\",\"schema\":1,\"n\":" #n "}\n"

/* What was visited: "run 1, run 2, ", and where to stop. */
struct seen {
	char text[256];
	json_int_t fail_at;
};

static int see(const char *type, const json_t *json, void *input,
	       struct err *err)
{
	json_int_t n = json_integer_value(json_object_get(json, "n"));
	struct seen *seen = input;
	size_t used = strlen(seen->text);

	if (seen->fail_at && n == seen->fail_at)
		return err_say(err, -ERANGE, "n is %d", (int)n);
	snprintf(seen->text + used, sizeof(seen->text) - used, "%s %d, ", type,
		 (int)n);
	return 0;
}

static int read_text(const char *text, struct seen *seen,
		     struct store_visit *visit, struct err *err)
{
	struct memory_file file = memory_file(text);
	int rc;

	*visit = (struct store_visit){ .line = see, .input = seen };
	err->text[0] = '\0';
	rc = store_read(file.path, visit, err);
	close(file.fd);
	return rc;
}

Test(store, lines_come_in_order_and_unknown_types_do_not)
{
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	cr_assert_eq(
		read_text(
			"{\"type\":\"campaign\",\"schema\":1}\n" LINE(
				1) "{\"type\":\"news\",\"schema\":1}\n" LINE(2) "{\"type\":\"end\",\"schema\":1}\n",
			&seen, &visit, &err),
		0, "%s", err.text);
	cr_expect_str_eq(seen.text, "campaign 0, run 1, run 2, end 0, ");
	cr_expect_not(visit.torn);
}

Test(store, a_torn_last_line_is_dropped_and_told)
{
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	cr_assert_eq(read_text(LINE(1) "{\"type\":\"run\",\"sch", &seen, &visit,
			       &err),
		     0, "%s", err.text);
	cr_expect_str_eq(seen.text, "run 1, ");
	cr_expect(visit.torn);
	cr_expect_eq(visit.torn_line, 2);
}

Test(store, a_whole_last_line_without_its_newline_counts)
{
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	cr_assert_eq(
		read_text(LINE(1) "{\"type\":\"run\",\"schema\":1,\"n\":2}",
			  &seen, &visit, &err),
		0, "%s", err.text);
	cr_expect_str_eq(seen.text, "run 1, run 2, ");
	cr_expect_not(visit.torn);
}

Test(store, a_broken_line_is_told_with_file_and_line)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ LINE(1) "{\"type\":\"ru\n" LINE(2), ":2: not JSON" },
		{ LINE(1) "\n}\n", ":3: not JSON" },
		{ "[1]\n", ":1: not a line of a record file" },
		{ "5\n", ":1: not JSON" },
		{ "{\"schema\":1}\n", ":1: not a line" },
		{ "{\"type\":5,\"schema\":1}\n", ":1: not a line" },
		{ "{\"type\":\"run\"}\n", ":1: not a line" },
		{ "{\"type\":\"run\",\"schema\":\"1\"}\n", ":1: not a line" },
		{ "{\"type\":\"run\",\"schema\":2}\n", ":1: schema 2" },
		{ "{\"type\":\"news\",\"schema\":2}\n", ":1: schema 2" },
		{ "{\"type\":\"run\",\"schema\":1,\"schema\":1}\n",
		  ":1: not JSON" },
		{ "\xff\xfe\n", ":1: not JSON" },
		{ "{\"type\":\"run\",\"schema\":1,\"n\":99999999999999999999}\n",
		  ":1: not JSON" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = { 0 };
		struct store_visit visit;
		struct err err;

		cr_expect_eq(read_text(cases[i].text, &seen, &visit, &err),
			     -EINVAL, "%s", cases[i].text);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
	}
}

Test(store, deep_nesting_is_an_error_and_no_crash)
{
	char *text = malloc(200002);
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	memset(text, '[', 200000);
	text[200000] = '\n';
	text[200001] = '\0';
	cr_expect_eq(read_text(text, &seen, &visit, &err), -EINVAL);
	free(text);
}

Test(store, what_a_visitor_dislikes_gets_file_and_line)
{
	struct seen seen = { .fail_at = 2 };
	struct store_visit visit;
	struct err err;

	cr_expect_eq(read_text(LINE(1) LINE(2) LINE(3), &seen, &visit, &err),
		     -ERANGE);
	cr_expect(strstr(err.text, ":2: n is 2"), "%s", err.text);
	cr_expect_str_eq(seen.text, "run 1, ");
}

Test(store, an_empty_file_has_no_lines)
{
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	cr_expect_eq(read_text("", &seen, &visit, &err), 0);
	cr_expect_str_eq(seen.text, "");
	cr_expect_not(visit.torn);
}

Test(store, what_cannot_be_read_is_told_with_the_reason)
{
	struct seen seen = { 0 };
	struct store_visit visit = { .line = see, .input = &seen };
	struct err err;

	cr_expect_eq(store_read("/proc", &visit, &err), -EISDIR);
	cr_expect_str_eq(err.text, "read /proc: Is a directory");
	cr_expect_eq(store_read("/nonexistent", &visit, &err), -ENOENT);
	cr_expect_str_eq(err.text,
			 "open record file /nonexistent: No such file "
			 "or directory");
}

Test(store, appended_lines_are_read_back)
{
	struct memory_file file = memory_file("");
	json_t *line = json_pack("{s:s,s:i,s:i,s:s}", "type", "run", "schema",
				 1, "n", 7, "text", "\xc3\xa4\n\"");
	struct seen seen = { 0 };
	struct store_visit visit = { .line = see, .input = &seen };
	struct err err;
	char *text;

	cr_assert_eq(store_append(file.path, line, &err), 0, "%s", err.text);
	cr_assert_eq(store_append(file.path, line, &err), 0, "%s", err.text);
	cr_assert_eq(store_read(file.path, &visit, &err), 0, "%s", err.text);
	cr_expect_str_eq(seen.text, "run 7, run 7, ");
	text = memory_file_text(&file);
	cr_expect(strstr(text, "\\u00E4\\n\\\""), "%s", text);
	free(text);
	json_decref(line);
	close(file.fd);
}

Test(store, blank_lines_are_passed_over)
{
	struct seen seen = { 0 };
	struct store_visit visit;
	struct err err;

	cr_assert_eq(read_text(LINE(1) "\n \t\r\n" LINE(2) "\n  ", &seen,
			       &visit, &err),
		     0, "%s", err.text);
	cr_expect_str_eq(seen.text, "run 1, run 2, ");
	cr_expect_not(visit.torn);
}

static void expect_appended(const char *before, const char *after)
{
	struct memory_file file = memory_file(before);
	json_t *line = json_pack("{s:i}", "n", 2);
	struct err err = { "" };
	char *text;

	cr_expect_eq(store_append(file.path, line, &err), 0, "%s", err.text);
	text = memory_file_text(&file);
	cr_expect_str_eq(text, after, "'%s', not '%s'", text, after);
	free(text);
	json_decref(line);
	close(file.fd);
}

Test(store, what_another_writer_left_is_never_the_beginning_of_a_line)
{
	expect_appended(LINE(1) "{\"ty", LINE(1) "{\"n\":2}\n");
	expect_appended("{\"ty", "{\"n\":2}\n");
	expect_appended("{\"type\":\"run\",\"schema\":1}",
			"{\"type\":\"run\",\"schema\":1}\n{\"n\":2}\n");
}

Test(store, a_file_that_is_gone_is_not_made_anew)
{
	json_t *line = json_pack("{s:i}", "n", 2);
	struct err err;

	cr_expect_eq(store_append("/tmp/rawread-no-such-file", line, &err),
		     -ENOENT);
	cr_expect(access("/tmp/rawread-no-such-file", F_OK) < 0);
	json_decref(line);
}

Test(store, a_full_disk_is_told_by_name)
{
	json_t *line = json_pack("{s:s}", "type", "run");
	struct err err;

	cr_expect_eq(store_append("/dev/full", line, &err), -ENOSPC);
	cr_expect_str_eq(err.text,
			 "append to record file /dev/full: No space left on "
			 "device; free space there and start again, the lines "
			 "so far are whole");
	json_decref(line);
}

Test(store, a_line_that_does_not_fit_leaves_the_file_as_it_was)
{
	struct memory_file file = memory_file(LINE(1));
	json_t *line = json_pack("{s:s}", "type", "a line longer than is left");
	struct err err;
	char *text;

	/* The kernel writes what fits, and signals and fails beyond. */
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ strlen(LINE(1)) + 5,
							  RLIM_INFINITY }),
		0);
	cr_expect_eq(store_append(file.path, line, &err), -EFBIG, "%s",
		     err.text);
	cr_expect_not(strstr(err.text, "free space"), "%s", err.text);
	text = memory_file_text(&file);
	cr_expect_str_eq(text, LINE(1));
	free(text);
	json_decref(line);
	close(file.fd);
}

static void expect_prepared(const char *before, int rc, size_t torn_bytes,
			    const char *after)
{
	struct memory_file file = memory_file(before);
	struct err err = { "" };
	size_t cut;
	char *text;

	cr_expect_eq(store_prepare(file.path, &cut, &err), rc, "'%s': %s",
		     before, err.text);
	cr_expect_eq(cut, torn_bytes, "'%s': %zu bytes cut", before, cut);
	text = memory_file_text(&file);
	cr_expect_str_eq(text, after, "'%s', not '%s'", text, after);
	free(text);
	close(file.fd);
}

Test(store, a_torn_last_line_is_cut_off_before_more_is_appended)
{
	expect_prepared("", 0, 0, "");
	expect_prepared(LINE(1), 0, 0, LINE(1));
	expect_prepared(LINE(1) "{\"ty", 0, 4, LINE(1));
	expect_prepared("{\"ty", 0, 4, "");
	expect_prepared("{\"type\":\"run\",\"schema\":1}", 0, 0,
			"{\"type\":\"run\",\"schema\":1}\n");
}

Test(store, another_kind_of_file_is_left_alone)
{
	expect_prepared("Blocksize,KB/s\n1024,5\n", -EINVAL, 0,
			"Blocksize,KB/s\n1024,5\n");
	expect_prepared("{\"name\":\"package\"}\n", -EINVAL, 0,
			"{\"name\":\"package\"}\n");
	expect_prepared("notes", -EINVAL, 0, "notes");
}

Test(store, what_is_no_file_is_refused_by_name)
{
	struct err err;
	size_t cut;

	cr_expect_eq(store_prepare("/dev/full", &cut, &err), -EINVAL);
	cr_expect(strstr(err.text, "/dev/full is not a regular file"), "%s",
		  err.text);
	cr_expect_eq(store_prepare("/nonexistent/file", &cut, &err), -ENOENT);
	cr_expect(strstr(err.text, "/nonexistent/file"), "%s", err.text);
	cr_expect_eq(store_prepare("/proc", &cut, &err), -EISDIR);
}

Test(store, a_pipe_gets_the_same_line)
{
	json_t *line = json_pack("{s:s}", "type", "run");
	char text[32] = "";
	struct err err;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_expect_eq(store_write_fd(ends[1], line, &err), 0);
	cr_expect_gt(read(ends[0], text, sizeof(text) - 1), 0);
	cr_expect_str_eq(text, "{\"type\":\"run\"}\n");
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	cr_expect_eq(store_write_fd(ends[1], line, &err), -EPIPE);
	close(ends[1]);
	json_decref(line);
}

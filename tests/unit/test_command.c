// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/command.h"
#include "lib/base/err.h"

enum { KEY_TOL = 0x100, KEY_WARM, KEY_WARNING, KEY_SHARED };

static const struct argp_option own[] = {
	{ "tol", KEY_TOL, "TOL", 0, "What a difference may be", 0 },
	{ "warm", KEY_WARM, NULL, 0, "Warm rows too", 0 },
	{ "warning", KEY_WARNING, "W", 0, "A second with the same start", 0 },
	{ "count", 'n', "N", 0, "How many", 0 },
	{ "quiet", 'q', NULL, 0, "Less", 0 },
	{ 0 },
};
static const struct argp_option shared[] = {
	{ "shared", KEY_SHARED, "X", 0, "Of several commands", 0 },
	{ "direct", 'z', NULL, 0, "Open with O_DIRECT", 0 },
	{ 0 },
};
static const struct command command = {
	.name = "test",
	.summary = "Tries the parser",
	.args_doc = "FILE",
	.options = own,
	.shared_options = shared,
};

#define WORDS_MOST 9

/* What was taken, "key=arg " behind each other. */
struct taken {
	char text[256];
	int fail_at;
};

static int take(int key, char *arg, void *input, struct err *err)
{
	struct taken *taken = input;
	size_t used = strlen(taken->text);

	if (taken->fail_at && key == taken->fail_at)
		return err_say(err, -ERANGE, "%s is too much", arg);
	snprintf(taken->text + used, sizeof(taken->text) - used, "%x=%s ",
		 (unsigned int)key, arg ? arg : "");
	return 0;
}

/* argp sorts the words, so it gets copies. */
static int parse(struct taken *taken, struct err *err,
		 const char *const words[])
{
	char *argv[WORDS_MOST + 1] = { NULL };
	int argc = 0, rc;

	for (; words[argc]; argc++)
		argv[argc] = strdup(words[argc]);
	err->text[0] = '\0';
	rc = command_parse(&command, argc, argv, take, taken, err);
	while (argc)
		free(argv[--argc]);
	return rc;
}

#define PARSE(taken, err, ...) \
	parse(taken, err, (const char *[]){ "test", __VA_ARGS__, NULL })

Test(command, options_own_and_shared_and_plain_words_are_taken)
{
	struct taken taken = { 0 };
	struct err err;

	cr_assert_eq(PARSE(&taken, &err, "a", "--tol", "-3", "-qz", "-n5",
			   "--shared=x", "--", "-b"),
		     0, "%s", err.text);
	cr_expect_str_eq(taken.text, "100=-3 71= 7a= 6e=5 103=x 0=a 0=-b ",
			 "%s", taken.text);
}

Test(command, a_fault_is_one_line_that_names_the_option)
{
	static const struct {
		const char *words[4];
		const char *option, *fault;
	} cases[] = {
		{ { "--bogus" }, "'--bogus'", "is not known" },
		{ { "--bogus=3" }, "'--bogus=3'", "is not known" },
		{ { "-k" }, "'-k'", "is not known" },
		{ { "-qk" }, "'-k'", "is not known" },
		{ { "file", "-k" }, "'-k'", "is not known" },
		{ { "-k", "file" }, "'-k'", "is not known" },
		{ { "-q", "-k", "file" }, "'-k'", "is not known" },
		{ { "--tol" }, "'--tol'", "needs a value" },
		{ { "file", "--shared" }, "'--shared'", "needs a value" },
		{ { "-n" }, "'-n'", "needs a value" },
		{ { "-qn" }, "'-n'", "needs a value" },
		{ { "--warm=3" }, "'--warm=3'", "takes no value" },
		{ { "--war" }, "'--war'", "may mean several" },
	};
	size_t i, j;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *words[6] = { "test" };
		struct taken taken = { 0 };
		struct err err;

		for (j = 0; j < 4 && cases[i].words[j]; j++)
			words[j + 1] = cases[i].words[j];
		cr_expect_eq(parse(&taken, &err, words), -EINVAL, "%s",
			     cases[i].words[0]);
		cr_expect(strstr(err.text, cases[i].option),
			  "'%s' does not name %s", err.text, cases[i].option);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		cr_expect_null(strchr(err.text, '\n'));
	}
}

Test(command, what_the_command_says_of_a_value_is_kept)
{
	struct taken taken = { .fail_at = 'n' };
	struct err err;

	cr_expect_eq(PARSE(&taken, &err, "-n", "5", "--bogus"), -ERANGE);
	cr_expect_str_eq(err.text, "5 is too much");
	taken.fail_at = KEY_SHARED;
	cr_expect_eq(PARSE(&taken, &err, "--shared", "6"), -ERANGE);
	cr_expect_str_eq(err.text, "6 is too much");
}

Test(command, an_option_may_be_shortened_as_long_as_it_is_clear)
{
	struct taken taken = { 0 };
	struct err err;

	cr_expect_eq(PARSE(&taken, &err, "--to", "1", "--warm"), 0, "%s",
		     err.text);
	cr_expect_str_eq(taken.text, "100=1 101= ");
}

Test(command, help_shows_all_options_and_does_nothing_else,
     .init = cr_redirect_stdout)
{
	struct taken taken = { 0 };
	char text[4096] = "";
	struct err err;
	FILE *out;

	cr_expect_eq(PARSE(&taken, &err, "--help"), 1);
	cr_expect_str_eq(taken.text, "");
	fflush(stdout);
	out = cr_get_redirected_stdout();
	cr_assert_gt(fread(text, 1, sizeof(text) - 1, out), 0);
	cr_expect(strstr(text, "rawread test"), "%s", text);
	cr_expect(strstr(text, "--tol=TOL"), "%s", text);
	cr_expect(strstr(text, "--direct"), "%s", text);
	cr_expect(strstr(text, "Tries the parser"), "%s", text);
}

Test(command, a_full_disk_behind_stdout_is_trouble)
{
	struct err err = { "" };

	cr_assert_not_null(freopen("/dev/full", "w", stdout));
	printf("a row\n");
	cr_expect_eq(command_close_stdout(&err), -ENOSPC);
	cr_expect(strstr(err.text, "standard output"), "%s", err.text);
}

Test(command, what_was_lost_before_the_end_is_trouble_too)
{
	struct err err = { "" };

	cr_assert_not_null(freopen("/dev/full", "w", stdout));
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("a row\n");
	cr_expect_eq(command_close_stdout(&err), -EIO);
	cr_expect(strstr(err.text, "standard output"), "%s", err.text);
}

Test(command, a_pipe_that_nobody_reads_is_trouble)
{
	struct err err = { "" };
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_geq(dup2(ends[1], STDOUT_FILENO), 0);
	close(ends[0]);
	close(ends[1]);
	signal(SIGPIPE, SIG_IGN);
	printf("a row\n");
	cr_expect_eq(command_close_stdout(&err), -EPIPE);
}

Test(command, what_arrived_is_no_trouble)
{
	struct err err;

	cr_assert_not_null(freopen("/dev/null", "w", stdout));
	printf("a row\n");
	cr_expect_eq(command_close_stdout(&err), 0);
}

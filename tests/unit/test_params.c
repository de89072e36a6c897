// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"

static const struct command command = {
	.name = "read",
	.options = params_options,
};

/* Parses words that are separated by blanks, which values cannot have here. */
static int parse(enum params_form form, const char *line,
		 struct run_params *params, struct err *err)
{
	char *copy = strdup(line), *rest = copy, *word;
	char *argv[64] = { NULL };
	int argc = 0, rc;

	argv[argc++] = (char[]){ "read" };
	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = word;
	err->text[0] = '\0';
	cr_assert_eq(params_init(params, form, err), 0);
	rc = command_parse(&command, argc, argv, params_take, params, err);
	if (!rc)
		rc = params_finish(params, err);
	free(copy);
	return rc;
}

static int parse_argv(char **argv, struct run_params *params, struct err *err)
{
	char *copies[64] = { NULL };
	int argc = 0, rc;

	for (; argv[argc]; argc++)
		copies[argc] = argv[argc];
	cr_assert_eq(params_init(params, FORM_READ, err), 0);
	/* Past "rawread"; "read" is the command. */
	rc = command_parse(&command, argc - 1, copies + 1, params_take, params,
			   err);
	return rc ? rc : params_finish(params, err);
}

static char *json_of(const struct run_params *params)
{
	json_t *json = params_to_json(params);
	char *text = json_dumps(json, JSON_COMPACT);

	json_decref(json);
	return text;
}

Test(params, the_command_line_that_is_recorded_repeats_the_run)
{
	static const struct {
		enum params_form form;
		const char *line;
	} cases[] = {
		{ FORM_READ, "/mnt/mnt1" },
		{ FORM_CLASSIC, "-m 2 -p 16 -d 1 -n 1280 -f -c -t 0 -s 16384" },
		{ FORM_CLASSIC, "-x -p 3 -m 2 -d 26 -z" },
		{ FORM_CLASSIC, "-i 4 -l 3 -o 1 -r 2 a b" },
		{ FORM_CLASSIC, "-t 10 -s 1000 a" },
		{ FORM_READ, "-t randread --seed 0 --layout shared --pin 0,2-5 "
			     "-r 1g -o 4k --fadvise random a b c" },
		{ FORM_READ, "-t 2 -i 1 --engine null --read-ahead-kb 0 "
			     "--direct --sync --cold a" },
		{ FORM_READ, "-f --file-pattern /m/%d/x -p 2 -n 7 -l 9" },
		{ FORM_READ, "-f --file-pattern /m/x -p 2 -m 1" },
		{ FORM_READ, "-f --file-pattern /m/%d/%d -p 2 -d 3" },
		{ FORM_READ, "-t 6 -r 9223372036854775807b -s 1g --seed "
			     "9223372036854775807 -- -name" },
		{ FORM_READ, "--pattern stride --stride 1m --layout stripe "
			     "--bytes 100000 --noatime --readahead a" },
		{ FORM_READ, "--time 1500ms --ramp 0.25 --latency --engine "
			     "mmap --madvise willneed --warm fill=read a" },
		{ FORM_READ, "-t randread --pattern random-repeat --verify "
			     "--engine preadv2 --rwf nowait,dontcache a" },
		{ FORM_CLASSIC, "-t 23 -p 4 --destroy-data a b" },
		{ FORM_CLASSIC, "-t 1 --destroy-data=/a -f" },
		{ FORM_CLASSIC, "--pin none -q -e --json fd:3 -p 65536 a" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_params params, again;
		char *first, *second, **argv;
		unsigned int target;
		struct err err;

		cr_assert_eq(parse(cases[i].form, cases[i].line, &params, &err),
			     0, "%s: %s", cases[i].line, err.text);
		cr_assert_eq(params_argv(&params, &argv, &err), 0);
		cr_expect_str_eq(argv[0], "rawread");
		cr_assert_eq(parse_argv(argv, &again, &err), 0, "%s: %s",
			     cases[i].line, err.text);
		first = json_of(&params);
		second = json_of(&again);
		cr_expect_str_eq(first, second, "%s: %s, then %s",
				 cases[i].line, first, second);
		cr_expect_eq(params.modulo, again.modulo, "%s", cases[i].line);
		cr_expect_eq(params.first_device, again.first_device);
		cr_expect_eq(params.use_disks, again.use_disks);
		cr_expect_eq(params.use_files, again.use_files);
		if (params.use_files)
			cr_expect_str_eq(params.file_pattern,
					 again.file_pattern);
		cr_expect_eq(params.cold, again.cold);
		cr_expect_not(again.quiet);
		cr_expect_null(again.json);
		cr_assert_eq(params.target_count, again.target_count);
		for (target = 0; target < params.target_count; target++)
			cr_expect_str_eq(params.targets[target],
					 again.targets[target]);
		free(first);
		free(second);
		argv_free(argv);
		params_free(&params);
		params_free(&again);
	}
}

Test(params, what_is_recorded_comes_back)
{
	struct run_params params, back;
	char *first, *second;
	struct err err;
	json_t *json;

	cr_assert_eq(parse(FORM_READ,
			   "-t 8 -i 3 --engine pread -p 5 --layout shared "
			   "--pin 1 -n 7 -l 9 -r 3 -o 5 --seed 11 -c "
			   "--fadvise noreuse --read-ahead-kb 0 -s 4k "
			   "--pattern random-repeat --noatime --latency "
			   "--readahead --warm fill=write a",
			   &params, &err),
		     0, "%s", err.text);
	json = params_to_json(&params);
	cr_assert_eq(params_from_json(json, &back, &err), 0, "%s", err.text);
	cr_expect_eq(back.test->id, 8);
	cr_expect_eq(back.iovecs, 3);
	cr_expect_str_eq(back.engine, "pread");
	cr_expect_eq(back.threads, 5);
	cr_expect_eq(back.layout, LAYOUT_SHARED);
	cr_expect_str_eq(back.pin, "1");
	cr_expect_eq(back.reads, 7);
	cr_expect_eq(back.loops, 9);
	cr_expect_eq(back.range_bytes, 3 * MIB);
	cr_expect_eq(back.offset_bytes, 5 * MIB);
	cr_expect_eq(back.seed, 11);
	cr_expect(back.sync);
	cr_expect(back.noatime);
	cr_expect(back.latency);
	cr_expect(back.readahead);
	cr_expect_eq(back.pattern, PATTERN_RANDOM_REPEAT);
	cr_expect_eq(back.warm, WARM_FILL_WRITE);
	cr_expect_eq(back.fadvise, FADVISE_NOREUSE);
	cr_expect(back.read_ahead_given);
	cr_expect_eq(back.read_ahead_kib, 0);
	cr_expect_eq(back.block_bytes, 4096);
	cr_expect_eq(back.target_count, 0);
	first = json_of(&params);
	second = json_of(&back);
	cr_expect_str_eq(first, second);
	free(first);
	free(second);
	json_decref(json);
	params_free(&params);
	params_free(&back);
}

static void expect_recorded(const char *line, const char *wanted)
{
	struct run_params params, back;
	struct err err;
	json_t *json;
	char *text;

	cr_assert_eq(parse(FORM_READ, line, &params, &err), 0, "%s", err.text);
	json = params_to_json(&params);
	text = json_of(&params);
	cr_expect_str_eq(text, wanted);
	cr_assert_eq(params_from_json(json, &back, &err), 0, "%s", err.text);
	cr_expect_eq(back.loops, 1);
	cr_expect_eq(back.seed, 1);
	cr_expect_str_eq(back.pin, "scatter");
	cr_expect_eq(back.iovecs, params.iovecs);
	cr_expect_eq(back.block_bytes, params.block_bytes);
	free(text);
	json_decref(json);
	params_free(&params);
	params_free(&back);
}

Test(params, what_is_as_usual_is_not_recorded_and_comes_back)
{
	expect_recorded("a", "{\"test\":\"seqread\",\"threads\":1,"
			     "\"layout\":\"slice\","
			     "\"block_bytes\":262144}");
	expect_recorded("-t 8 -n 5 a",
			"{\"test\":\"randreadv\",\"iovecs\":8,\"threads\":1,"
			"\"layout\":\"slice\",\"reads\":5,\"seed\":1,"
			"\"block_bytes\":262144}");
}

Test(params, defaults_are_those_of_the_form)
{
	struct run_params params;
	struct err err;

	cr_assert_eq(parse(FORM_CLASSIC, "-f", &params, &err), 0);
	cr_expect_eq(params.test->id, 0);
	cr_expect_eq(params.threads, 1);
	cr_expect_eq(params.modulo, 1);
	cr_expect_eq(params.block_bytes, 262144);
	cr_expect_eq(params.reads, 1024);
	cr_expect_eq(params.layout, LAYOUT_SHARED);
	params_free(&params);
	cr_assert_eq(parse(FORM_CLASSIC, "-f -i 4 -p 6", &params, &err), 0);
	cr_expect_eq(params.test->id, 2);
	cr_expect_eq(params.iovecs, 4);
	cr_expect_eq(params.modulo, 6);
	params_free(&params);
	cr_assert_eq(parse(FORM_READ, "-t 8 a b c", &params, &err), 0);
	cr_expect_eq(params.iovecs, 8);
	cr_expect_eq(params.threads, 3);
	cr_expect_eq(params.reads, 0);
	cr_expect_eq(params.layout, LAYOUT_SLICE);
	params_free(&params);
}

Test(params, classic_megabytes_and_suffixes_are_told_apart)
{
	struct run_params params;
	struct err err;

	cr_assert_eq(parse(FORM_CLASSIC, "-f -r 2 -o 3k -s 16k", &params, &err),
		     0);
	cr_expect_eq(params.range_bytes, 2 * MIB);
	cr_expect_eq(params.offset_bytes, 3 * KIB);
	cr_expect_eq(params.block_bytes, 16 * KIB);
	params_free(&params);
}

Test(params, a_wrong_option_is_refused_in_one_line_that_names_it)
{
	static const struct {
		const char *line;
		int rc;
		const char *fault;
	} cases[] = {
		{ "-t 24 a", -EINVAL, "test '24'" },
		{ "-t -1 a", -EINVAL, "test '-1'" },
		{ "-s 0 a", -ERANGE, "block-size: '0' is too small" },
		{ "-s 2g a", -ERANGE, "block-size: '2g' is too large" },
		{ "-s 1x a", -EINVAL, "block-size: '1x'" },
		{ "-p 0 a", -ERANGE, "threads: '0'" },
		{ "-p 65537 a", -ERANGE, "threads: '65537'" },
		{ "-n 0 a", -ERANGE, "reads: '0'" },
		{ "-n 99999999999999999999 a", -ERANGE, "reads: '" },
		{ "-n 9223372036854775807 -l 2 a", -ERANGE, "-n times -l" },
		{ "-l 2 a", -EINVAL, "-l 2 repeats -n" },
		{ "-r 9223372036854775807 a", -ERANGE, "range: '" },
		{ "-i 4 -t 0 a", -EINVAL, "-i 4 is for the readv and writev" },
		{ "-i 1025 a", -ERANGE, "iovecs: '1025'" },
		{ "-x -f", -EINVAL, "-x names disks and -f names files" },
		{ "-f a", -EINVAL, "-f names targets by number" },
		{ "", -EINVAL, "no target: raw devices" },
		{ "-m 3 a b", -EINVAL, "-m 3, but 2 targets" },
		{ "-p 2 a b c", -EINVAL,
		  "3 targets need at least as many threads, and --threads (-p) "
		  "is 2; give --threads 3 or more, or fewer targets" },
		{ "-m 3 -p 2 -f", -EINVAL, "3 targets need" },
		{ "--layout x a", -EINVAL,
		  "layout 'x' is not known; there are shared, slice, stripe "
		  "and each" },
		{ "--fadvise maybe a", -EINVAL,
		  "hint 'maybe' is not known; there are none, normal, "
		  "sequential, random, willneed and noreuse" },
		{ "-d 1 a", -EINVAL, "-d 1 numbers the targets of -x or -f" },
		{ "--file-pattern /m/%d a", -EINVAL, "which is not given" },
		{ "--file-pattern /m/%d -x", -EINVAL, "which is not given" },
		{ "--file-pattern /m -f -p 2", -EINVAL, "'/m' has no %d" },
		{ "--file-pattern /m -f -d 2", -EINVAL, "'/m' has no %d" },
		{ "--json - -q a", -EINVAL, "-q is a form of the text" },
		{ "--json - -e a", -EINVAL, "-e is a form of the text" },
		{ "--read-ahead-kb x a", -EINVAL, "read-ahead-kb: 'x'" },
		{ "--bogus a", -EINVAL, "'--bogus'" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_params params;
		struct err err;

		cr_expect_eq(parse(FORM_READ, cases[i].line, &params, &err),
			     cases[i].rc, "'%s': %s", cases[i].line, err.text);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		cr_expect_null(strchr(err.text, '\n'));
		params_free(&params);
	}
}

Test(params, options_that_do_not_go_together_are_refused_with_the_reason)
{
	static const struct {
		const char *line, *fault;
	} cases[] = {
		{ "-n 1 --bytes 1 a", "--reads (-n) and --bytes are two ways" },
		{ "-n 1 --time 1 a", "--reads (-n) and --time are two ways" },
		{ "--bytes 1 --time 1 a", "--bytes and --time are two ways" },
		{ "--ramp 1 a", "--ramp comes before --time" },
		{ "--pattern random a", "does not go with test 0" },
		{ "-t 6 --pattern reverse a", "does not go with test 6" },
		{ "--pattern stride a", "wants --stride" },
		{ "--stride 1m a", "is of --pattern stride" },
		{ "--rwf hipri a", "--rwf has flags of engine preadv2" },
		{ "--engine preadv2 --rwf hipri,x a", "'x' is not known" },
		{ "--madvise random a", "--madvise is for mappings" },
		{ "-z --engine mmap a", "that engine mmap maps" },
		{ "-z --fadvise random a", "goes past the page cache" },
		{ "-z --readahead a", "goes past the page cache" },
		{ "-z --warm fill=read a", "that --warm fills" },
		{ "--cold --warm fill=read a", "wants an empty cache" },
		{ "--warm read a", "'read' is not known; there are none, "
				   "fill=read and fill=write" },
		{ "--latency --verify a", "--verify compares between them" },
		{ "-t 1 --verify a", "--verify is about reading, and test 1" },
		{ "-t 13 --cold a", "--cold is about reading, and test 13" },
		{ "--destroy-data= a", "names no target" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_params params;
		struct err err;

		cr_expect_eq(parse(FORM_READ, cases[i].line, &params, &err),
			     -EINVAL, "'%s'", cases[i].line);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		params_free(&params);
	}
}

Test(params, a_plan_takes_all_but_what_reports_a_run)
{
	size_t plan = 0, all = 0;

	while (params_plan_options[plan].name) {
		cr_expect_str_eq(params_plan_options[plan].name,
				 params_options[plan].name);
		plan++;
	}
	while (params_options[all].name)
		all++;
	cr_expect_eq(all, plan + 4);
	for (all = plan; params_options[all].name; all++)
		cr_expect(strstr("cold json spreadsheet quiet",
				 params_options[all].name));
}

Test(params, a_command_is_quoted_so_that_a_shell_takes_it_apart_the_same_way)
{
	char *const argv[] = {
		(char[]){ "rawread" },	      (char[]){ "my disk #1" },
		(char[]){ "it's" },	      (char[]){ "" },
		(char[]){ "$HOME" },	      (char[]){ "a\tb\nc" },
		(char[]){ "/mnt/mnt%d/foo" }, NULL
	};
	char *line = argv_quote(argv);

	cr_expect_str_eq(line, "rawread 'my disk #1' 'it'\\''s' '' '$HOME' "
			       "'a\tb\nc' /mnt/mnt%d/foo");
	free(line);
}

Test(params, a_word_that_is_no_utf8_is_quoted_by_its_bytes)
{
	char *const argv[] = { (char[]){ "caf\xe9 it's \\ \xc3\xa9\n" }, NULL };
	char *line = argv_quote(argv);

	cr_expect_str_eq(line, "$'caf\\xe9 it\\'s \\\\ \xc3\xa9\\x0a'");
	free(line);
}

Test(params, tests_are_found_by_number_and_by_name)
{
	const struct test *test;
	struct err err;

	cr_expect_eq(test_parse("10", &test, &err), 0);
	cr_expect_str_eq(test->name, "randpread");
	cr_expect_eq(test_parse("seqreadv", &test, &err), 0);
	cr_expect_eq(test->id, 2);
	cr_expect_eq(test_parse("0x2", &test, &err), -EINVAL);
	cr_expect_eq(test_parse("", &test, &err), -EINVAL);
	cr_expect_eq(test_parse("23", &test, &err), 0);
	cr_expect_str_eq(test->title, "minimum batch random aiowrite()");
	cr_expect_eq(test_parse("24", &test, &err), -EINVAL);
	cr_expect_null(test);
	cr_expect_eq(test_by_name("batchseqaioread"), &tests[16]);
}

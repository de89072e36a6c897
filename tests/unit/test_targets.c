// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/targets.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/record/params.h"

/* Everything is made in a directory of the test's own. */
static char work[64];

static void work_begin(void)
{
	strcpy(work, "/tmp/rawread-targets.XXXXXX");
	cr_assert(mkdtemp(work));
	cr_assert(!chdir(work));
}

static void work_end(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", work);
	cr_assert(!system(command));
}

TestSuite(targets, .init = work_begin, .fini = work_end);

static void make_file(const char *path, off_t size)
{
	FILE *file = fopen(path, "w");

	cr_assert(file, "%s", path);
	cr_assert(!ftruncate(fileno(file), size));
	fclose(file);
}

static struct run_params params_of(unsigned int modulo)
{
	struct run_params params;
	struct err err;

	cr_assert(!params_init(&params, FORM_READ, &err));
	params.modulo = modulo;
	return params;
}

static void expect_refused(const struct run_params *params, int code,
			   const char *wanted)
{
	struct targets targets;
	struct err err = { "" };

	cr_expect_eq(targets_open(params, &targets, &err), code, "%s",
		     err.text);
	cr_expect(strstr(err.text, wanted), "'%s' lacks '%s'", err.text,
		  wanted);
	cr_expect_null(targets.list);
}

Test(targets, disks_are_lettered_as_the_kernel_does)
{
	static const struct {
		unsigned int number;
		const char letters[8];
	} disks[] = {
		{ 1, "a" },   { 2, "b" },   { 26, "z" },   { 27, "aa" },
		{ 52, "az" }, { 53, "ba" }, { 702, "zz" }, { 703, "aaa" }
	};
	size_t i;

	for (i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		char *letters = targets_disk_letters(disks[i].number);

		cr_expect_str_eq(letters, disks[i].letters, "%u",
				 disks[i].number);
		free(letters);
	}
}

Test(targets, files_are_found_by_number_from_the_first_device)
{
	struct run_params params = params_of(2);
	struct targets targets;
	struct err err;

	make_file("f7x", 1000);
	make_file("f8x", 2000);
	params.use_files = true;
	params.first_device = 7;
	params.file_pattern = strdup("f%dx");
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	cr_expect_eq(targets.count, 2);
	cr_expect_str_eq(targets.files[0].path, "f7x");
	cr_expect_str_eq(targets.files[1].path, "f8x");
	cr_expect_eq(targets.files[1].size_bytes, 2000);
	targets_close(&targets);
}

Test(targets, a_percent_sign_elsewhere_in_a_pattern_is_a_letter)
{
	struct run_params params = params_of(1);
	struct targets targets;
	struct err err;

	make_file("100%s-1", 1000);
	params.use_files = true;
	params.file_pattern = strdup("100%s-%d");
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	targets_close(&targets);
	params.file_pattern = strdup("foo");
	expect_refused(&params, -EINVAL, "'foo' has no %d");
}

Test(targets, what_is_missing_is_named)
{
	char *paths[] = { strdup("there"), strdup("gone") };
	struct run_params params = params_of(2);

	make_file("there", 1);
	params.targets = paths;
	params.target_count = 2;
	expect_refused(&params, -ENOENT, "open gone: No such file");
	params.target_count = 0;
	params.modulo = 1;
	params.use_files = true;
	params.file_pattern = strdup("./no%d/foo");
	expect_refused(&params, -ENOENT, "nothing is mounted on ./no1");
}

Test(targets, what_is_neither_file_nor_device_is_refused)
{
	char *paths[] = { strdup("fifo") };
	struct run_params params = params_of(1);

	cr_assert(!mkfifo("fifo", 0600));
	params.targets = paths;
	params.target_count = 1;
	expect_refused(&params, -EINVAL, "fifo is neither");
	paths[0] = strdup("/dev/null");
	expect_refused(&params, -EINVAL, "/dev/null is neither");
	paths[0] = strdup(".");
	expect_refused(&params, -ENOENT, "nothing is mounted on it");
}

Test(targets, the_same_file_under_two_names_is_refused)
{
	char *paths[] = { strdup("one"), strdup("two"), strdup("./link") };
	struct run_params params = params_of(3);

	make_file("one", 1);
	make_file("two", 1);
	cr_assert(!symlink("one", "link"));
	params.targets = paths;
	params.target_count = 3;
	expect_refused(&params, -EINVAL, "one and ./link are the same");
}

Test(targets, too_many_for_the_limit_name_it)
{
	struct run_params params = params_of(64);
	const struct rlimit limit = { 40, 40 };
	char *paths[64], name[16];
	struct targets targets;
	unsigned int i;
	struct err err;

	for (i = 0; i < 64; i++) {
		sprintf(name, "f%u", i);
		make_file(name, 1);
		paths[i] = strdup(name);
	}
	params.targets = paths;
	params.target_count = 64;
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	targets_close(&targets);
	cr_assert(!setrlimit(RLIMIT_NOFILE, &limit));
	expect_refused(&params, -EMFILE, "all 40 descriptors");
}

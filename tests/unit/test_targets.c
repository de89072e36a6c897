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
	sprintf(work, "/tmp/rawread-targets.%d", getpid());
	cr_assert(!mkdir(work, 0700));
	cr_assert(!chdir(work));
}

/* The parameters of a test, but for its targets. */
static struct run_params params;

static void work_end(void)
{
	char command[96];

	params.targets = NULL;
	params.target_count = 0;
	params_free(&params);
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

static void params_begin(unsigned int modulo)
{
	struct err err;

	cr_assert(!params_init(&params, FORM_READ, &err));
	params.modulo = modulo;
	params.first_device = 1;
}

static void name_targets(char **paths, unsigned int count)
{
	params_begin(count);
	params.targets = paths;
	params.target_count = count;
}

static void number_files(const char *pattern, unsigned int count)
{
	if (!params.pin)
		params_begin(count);
	free(params.file_pattern);
	params.file_pattern = strdup(pattern);
	params.use_files = true;
	params.target_count = 0;
	params.modulo = count;
}

static void expect_refused(int code, const char *wanted)
{
	struct targets targets;
	struct err err = { "" };

	cr_expect_eq(targets_open(&params, &targets, &err), code, "%s",
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
	struct targets targets;
	struct err err;

	make_file("f7x", 1000);
	make_file("f8x", 2000);
	number_files("f%dx", 2);
	params.first_device = 7;
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	cr_expect_eq(targets.count, 2);
	cr_expect_str_eq(targets.files[0].path, "f7x");
	cr_expect_str_eq(targets.files[1].path, "f8x");
	cr_expect_eq(targets.files[1].size_bytes, 2000);
	targets_close(&targets);
}

Test(targets, a_percent_sign_elsewhere_in_a_pattern_is_a_letter)
{
	struct targets targets;
	struct err err;

	make_file("100%s-1", 1000);
	number_files("100%s-%d", 1);
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	targets_close(&targets);
}

Test(targets, a_number_stands_wherever_the_pattern_wants_it)
{
	struct targets targets;
	struct err err;

	make_file("f1-1.1", 1000);
	make_file("f2-2.2", 1000);
	make_file("foo", 1000);
	number_files("f%d-%d.%d", 2);
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	cr_expect_str_eq(targets.files[1].path, "f2-2.2");
	targets_close(&targets);
	number_files("foo", 1);
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	cr_expect_str_eq(targets.files[0].path, "foo");
	targets_close(&targets);
}

Test(targets, direct_reads_need_what_the_kernel_says_of_reads)
{
	static const struct {
		uint32_t mask, offset, read_offset, wanted;
	} cases[] = {
		{ 0, 4096, 512, 7 },	     { 0x20000, 4096, 512, 7 },
		{ 0x2000, 4096, 512, 4096 }, { 0x22000, 4096, 512, 512 },
		{ 0x22000, 4096, 0, 4096 },  { 0x22000, 0, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan_file file = { .direct_offset_bytes = 7 };
		struct statx sx = { .stx_mask = cases[i].mask };
		char *bytes = (char *)&sx;

		memcpy(bytes + 0x9c, &cases[i].offset, 4);
		memcpy(bytes + 0xb4, &cases[i].read_offset, 4);
		targets_fill_direct(&sx, &file);
		cr_expect_eq(file.direct_offset_bytes, cases[i].wanted,
			     "case %zu: %u", i, file.direct_offset_bytes);
	}
}

Test(targets, what_is_missing_is_named)
{
	char there[] = "there", gone[] = "gone", in_empty[] = "empty/foo";
	char *paths[] = { there, gone };

	make_file("there", 1);
	name_targets(paths, 2);
	expect_refused(-ENOENT, "open gone: No such file");
	cr_assert(!mkdir("empty", 0700));
	paths[1] = in_empty;
	expect_refused(-ENOENT, "nothing is mounted on empty; mount it");
	make_file("empty/other", 1);
	expect_refused(-ENOENT, "No such file or directory; 'rawread prepare'");
	number_files("./no%d/foo", 1);
	expect_refused(-ENOENT, "nothing is mounted on ./no1");
}

Test(targets, what_is_neither_file_nor_device_is_refused)
{
	char fifo[] = "fifo", null[] = "/dev/null", here[] = ".";
	char *paths[] = { fifo };

	cr_assert(!mkfifo("fifo", 0600));
	name_targets(paths, 1);
	expect_refused(-EINVAL, "fifo is neither");
	paths[0] = null;
	expect_refused(-EINVAL, "/dev/null is neither");
	paths[0] = here;
	expect_refused(-ENOENT, "nothing is mounted on it");
}

Test(targets, the_same_file_under_two_names_is_refused)
{
	char one[] = "one", two[] = "two", link[] = "./link";
	char *paths[] = { one, two, link };

	make_file("one", 1);
	make_file("two", 1);
	cr_assert(!symlink("one", "link"));
	name_targets(paths, 3);
	expect_refused(-EINVAL, "one and ./link are the same");
}

Test(targets, too_many_for_the_limit_name_it)
{
	const struct rlimit limit = { 40, 40 };
	char *paths[64], names[64][8];
	struct targets targets;
	unsigned int i;
	struct err err;

	for (i = 0; i < 64; i++) {
		paths[i] = names[i];
		sprintf(names[i], "f%u", i);
		make_file(names[i], 1);
	}
	name_targets(paths, 64);
	cr_assert(!targets_open(&params, &targets, &err), "%s", err.text);
	targets_close(&targets);
	cr_assert(!setrlimit(RLIMIT_NOFILE, &limit));
	expect_refused(-EMFILE, "all 40 descriptors");
}

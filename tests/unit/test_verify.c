// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/verify.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/system/prepared.h"
#include "rawread/targets.h"
#include "tests/unit/scratch_fs.h"

static char paths[3][8] = { "/m/a", "/m/b", "/m/c" };
static struct target list[3];
static const struct targets targets = { .list = list, .count = 3 };
static struct err err;

/* Three files, where marks can be kept, or the test is skipped. */
static void files_make(void)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		list[i] = (struct target){
			.path = paths[i], .fd = scratch_file_anonymous(1000 + i)
		};
	if (fsetxattr(list[0].fd, "user.rawread.test", "1", 1, 0) < 0)
		cr_skip_test("needs user attributes in TMPDIR");
}

TestSuite(verify, .init = files_make);

static void mark(unsigned int i, uint64_t seed)
{
	cr_assert_eq(prepared_write(list[i].fd, seed, &err), 0, "%s", err.text);
}

Test(verify, each_target_has_the_seed_that_it_was_made_with)
{
	uint64_t *seeds = NULL;

	mark(0, 5);
	mark(1, 0);
	mark(2, UINT64_MAX);
	cr_assert_eq(verify_seeds(&targets, &seeds, &err), 0, "%s", err.text);
	cr_expect_eq(seeds[0], 5);
	cr_expect_eq(seeds[1], 0);
	cr_expect_eq(seeds[2], UINT64_MAX);
	free(seeds);
}

static void expect_refused(const char *path)
{
	uint64_t *seeds = (uint64_t *)1;

	cr_expect_eq(verify_seeds(&targets, &seeds, &err), -EINVAL);
	cr_expect_null(seeds);
	cr_expect(!strncmp(err.text, "--verify: ", 10), "%s", err.text);
	cr_expect(strstr(err.text, path), "%s", err.text);
	cr_expect(strstr(err.text, "'rawread prepare' made"), "%s", err.text);
}

Test(verify, one_that_was_not_prepared_is_named)
{
	mark(0, 5);
	mark(2, 7);
	expect_refused("/m/b");
}

/* Its mark tells of another length: what is in there is not known. */
Test(verify, one_that_is_longer_than_it_was_made_is_named)
{
	mark(0, 5);
	mark(1, 6);
	mark(2, 7);
	cr_assert(!ftruncate(list[2].fd, 5000));
	expect_refused("/m/c");
}

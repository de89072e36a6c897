// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/tests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"

/* clang-format off */
const struct test tests[TEST_COUNT] = {
	/* id  name                   title                                engine    random vectored */
	{  0, "seqread",              "sequential read()",                 "read",   false, false },
	{  1, "seqwrite",             "sequential write()",                NULL,     false, false },
	{  2, "seqreadv",             "sequential readv()",                "readv",  false, true  },
	{  3, "seqwritev",            "sequential writev()",               NULL,     false, true  },
	{  4, "seqpread",             "sequential pread()",                "pread",  false, false },
	{  5, "seqpwrite",            "sequential pwrite()",               NULL,     false, false },
	{  6, "randread",             "random read()",                     "read",   true,  false },
	{  7, "randwrite",            "random write()",                    NULL,     true,  false },
	{  8, "randreadv",            "random readv()",                    "readv",  true,  true  },
	{  9, "randwritev",           "random writev()",                   NULL,     true,  true  },
	{ 10, "randpread",            "random pread()",                    "pread",  true,  false },
	{ 11, "randpwrite",           "random pwrite()",                   NULL,     true,  false },
	{ 12, "seqaioread",           "sequential aioread()",              NULL,     false, false },
	{ 13, "seqaiowrite",          "sequential aiowrite()",             NULL,     false, false },
	{ 14, "randaioread",          "random aioread()",                  NULL,     true,  false },
	{ 15, "randaiowrite",         "random aiowrite()",                 NULL,     true,  false },
	{ 16, "batchseqaioread",      "batch sequential aioread()",        NULL,     false, false },
	{ 17, "batchseqaiowrite",     "batch sequential aiowrite()",       NULL,     false, false },
	{ 18, "batchrandaioread",     "batch random aioread()",            NULL,     true,  false },
	{ 19, "batchrandaiowrite",    "batch random aiowrite()",           NULL,     true,  false },
	{ 20, "minbatchseqaioread",   "minimum batch sequential aioread()",  NULL,   false, false },
	{ 21, "minbatchseqaiowrite",  "minimum batch sequential aiowrite()", NULL,   false, false },
	{ 22, "minbatchrandaioread",  "minimum batch random aioread()",    NULL,     true,  false },
	{ 23, "minbatchrandaiowrite", "minimum batch random aiowrite()",   NULL,     true,  false },
};
/* clang-format on */

const struct test *test_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < TEST_COUNT; i++)
		if (!strcmp(tests[i].name, name))
			return &tests[i];
	return NULL;
}

int test_parse(const char *text, const struct test **test, struct err *err)
{
	const struct test *found = test_by_name(text);
	char *end = NULL;
	unsigned long id;

	*test = NULL;
	if (!found && text[0] >= '0' && text[0] <= '9') {
		id = strtoul(text, &end, 10);
		if (!*end && id < TEST_COUNT)
			found = &tests[id];
	}
	if (!found)
		return err_say(
			err, -EINVAL,
			"test '%s' does not exist; tests are 0 to 23, or "
			"names such as seqread",
			text);
	if (!found->engine)
		return err_say(err, -EOPNOTSUPP,
			       "test %u, %s, is not in this version, which has "
			       "0 2 4 6 8 10",
			       found->id, found->title);
	*test = found;
	return 0;
}

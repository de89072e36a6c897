// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/tests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"

/* clang-format off */
const struct test tests[TEST_COUNT] = {
	/* id  name                   title                                  engine    random vector write  batch */
	{  0, "seqread",              "sequential read()",                   "read",   false, false, false, BATCH_NONE },
	{  1, "seqwrite",             "sequential write()",                  "write",  false, false, true,  BATCH_NONE },
	{  2, "seqreadv",             "sequential readv()",                  "readv",  false, true,  false, BATCH_NONE },
	{  3, "seqwritev",            "sequential writev()",                 "writev", false, true,  true,  BATCH_NONE },
	{  4, "seqpread",             "sequential pread()",                  "pread",  false, false, false, BATCH_NONE },
	{  5, "seqpwrite",            "sequential pwrite()",                 "pwrite", false, false, true,  BATCH_NONE },
	{  6, "randread",             "random read()",                       "read",   true,  false, false, BATCH_NONE },
	{  7, "randwrite",            "random write()",                      "write",  true,  false, true,  BATCH_NONE },
	{  8, "randreadv",            "random readv()",                      "readv",  true,  true,  false, BATCH_NONE },
	{  9, "randwritev",           "random writev()",                     "writev", true,  true,  true,  BATCH_NONE },
	{ 10, "randpread",            "random pread()",                      "pread",  true,  false, false, BATCH_NONE },
	{ 11, "randpwrite",           "random pwrite()",                     "pwrite", true,  false, true,  BATCH_NONE },
	{ 12, "seqaioread",           "sequential aioread()",                "libaio", false, false, false, BATCH_NONE },
	{ 13, "seqaiowrite",          "sequential aiowrite()",               "libaio", false, false, true,  BATCH_NONE },
	{ 14, "randaioread",          "random aioread()",                    "libaio", true,  false, false, BATCH_NONE },
	{ 15, "randaiowrite",         "random aiowrite()",                   "libaio", true,  false, true,  BATCH_NONE },
	{ 16, "batchseqaioread",      "batch sequential aioread()",          "libaio", false, false, false, BATCH_WHOLE },
	{ 17, "batchseqaiowrite",     "batch sequential aiowrite()",         "libaio", false, false, true,  BATCH_WHOLE },
	{ 18, "batchrandaioread",     "batch random aioread()",              "libaio", true,  false, false, BATCH_WHOLE },
	{ 19, "batchrandaiowrite",    "batch random aiowrite()",             "libaio", true,  false, true,  BATCH_WHOLE },
	{ 20, "minbatchseqaioread",   "minimum batch sequential aioread()",  "libaio", false, false, false, BATCH_MIN },
	{ 21, "minbatchseqaiowrite",  "minimum batch sequential aiowrite()", "libaio", false, false, true,  BATCH_MIN },
	{ 22, "minbatchrandaioread",  "minimum batch random aioread()",      "libaio", true,  false, false, BATCH_MIN },
	{ 23, "minbatchrandaiowrite", "minimum batch random aiowrite()",     "libaio", true,  false, true,  BATCH_MIN },
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
	*test = found;
	return 0;
}

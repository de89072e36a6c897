/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The classic tests by id and name: what a thread does. Constant data. */
#ifndef RAWREAD_RECORD_TESTS_H
#define RAWREAD_RECORD_TESTS_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define TEST_COUNT	    24
#define TEST_DEFAULT_ID	    0
#define TEST_DEFAULT_READV  2 /* when -i is given */
#define TEST_DEFAULT_IOVECS 8

struct test {
	unsigned int id;
	const char *name;   /* "seqread": records, tables, -t */
	const char *title;  /* "sequential read()": classic output */
	const char *engine; /* NULL: this version does not have it */
	bool is_random;
	bool is_vectored;
};

extern const struct test tests[TEST_COUNT];

/*
 * By id ("0") or name ("seqread"). Returns 0; -EINVAL for what is no test;
 * -EOPNOTSUPP for a classic test that this version does not have.
 */
int test_parse(const char *text, const struct test **test, struct err *err);

/* NULL when no test has that name. */
const struct test *test_by_name(const char *name);

#endif

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

/* How a thread of the batch tests waits for what it has in flight. */
enum test_batch {
	BATCH_NONE,  /* a target for each thread, one request at a time */
	BATCH_WHOLE, /* one in flight on each target; for all of them */
	BATCH_MIN    /* one in flight on each target; for at least one */
};

struct test {
	unsigned int id;
	const char *name;  /* "seqread": records, tables, -t */
	const char *title; /* "sequential read()": classic output */
	const char *engine;
	bool is_random;
	bool is_vectored;
	bool is_write;
	enum test_batch batch;
};

extern const struct test tests[TEST_COUNT];

/* By id ("0") or name ("seqread"). Returns 0; -EINVAL for what is no test. */
int test_parse(const char *text, const struct test **test, struct err *err);

/* NULL when no test has that name. */
const struct test *test_by_name(const char *name);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/matrix.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/err.h"

static const uint64_t sizes[] = { 1024,	 2048,	4096,	8192,	16384,
				  32768, 65536, 131072, 262144, 524288 };

static struct matrix make(uint64_t reps, uint64_t seed)
{
	struct matrix matrix;
	struct err err;

	cr_assert_eq(matrix_make(sizes, 10, reps, seed, &matrix, &err), 0, "%s",
		     err.text);
	return matrix;
}

static int count_of(const struct matrix *matrix, uint64_t block, uint64_t rep)
{
	int count = 0;
	size_t i;

	for (i = 0; i < matrix->count; i++)
		count += matrix->runs[i].block_bytes == block &&
			 matrix->runs[i].rep == rep;
	return count;
}

static bool same_order(const struct matrix_run *one,
		       const struct matrix_run *other)
{
	size_t i;

	for (i = 0; i < 10; i++)
		if (one[i].block_bytes != other[i].block_bytes)
			return false;
	return true;
}

Test(matrix, each_size_comes_once_in_each_repetition)
{
	struct matrix matrix = make(7, 1);
	uint64_t rep;
	size_t i;

	cr_expect_eq(matrix.count, 70);
	for (rep = 1; rep <= 7; rep++)
		for (i = 0; i < 10; i++)
			cr_expect_eq(count_of(&matrix, sizes[i], rep), 1,
				     "size %zu, repetition %zu", i,
				     (size_t)rep);
	matrix_free(&matrix);
}

Test(matrix, a_repetition_ends_before_the_next_begins)
{
	struct matrix matrix = make(5, 3);
	size_t i;

	for (i = 0; i < matrix.count; i++)
		cr_expect_eq(matrix.runs[i].rep, i / 10 + 1);
	matrix_free(&matrix);
}

Test(matrix, equal_seeds_give_equal_orders_and_others_do_not)
{
	struct matrix one = make(3, 42), same = make(3, 42),
		      other = make(3, 43);

	cr_expect(!memcmp(one.runs, same.runs, 30 * sizeof(*one.runs)));
	cr_expect_not(same_order(one.runs, other.runs));
	matrix_free(&one);
	matrix_free(&same);
	matrix_free(&other);
}

Test(matrix, repetitions_are_shuffled_unlike_each_other)
{
	struct matrix matrix = make(3, 1);

	cr_expect_not(same_order(matrix.runs, matrix.runs + 10));
	cr_expect_not(same_order(matrix.runs + 10, matrix.runs + 20));
	matrix_free(&matrix);
}

/* 64 orders of ten sizes: a fair shuffle puts each size first now and then. */
Test(matrix, every_size_gets_to_be_the_first)
{
	bool first[10] = { false };
	uint64_t seed;
	size_t i;

	for (seed = 0; seed < 64; seed++) {
		struct matrix matrix = make(1, seed);

		for (i = 0; i < 10; i++)
			first[i] |= matrix.runs[0].block_bytes == sizes[i];
		matrix_free(&matrix);
	}
	for (i = 0; i < 10; i++)
		cr_expect(first[i], "size %zu was never the first", i);
}

Test(matrix, a_number_of_runs_beyond_memory_is_refused)
{
	struct matrix matrix;
	struct err err;

	cr_expect_eq(matrix_make(sizes, 10, UINT64_MAX, 1, &matrix, &err),
		     -ERANGE);
	cr_expect(strstr(err.text, "10 block sizes x 18446744073709551615"));
	cr_expect_null(matrix.runs);
}

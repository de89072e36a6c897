// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/matrix.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/splitmix.h"

/* Fisher and Yates; the modulo's bias is below count / 2^64. */
static void shuffle(struct matrix_run *runs, size_t count, uint64_t *state)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t other = splitmix_next(state) % i;
		struct matrix_run kept = runs[i - 1];

		runs[i - 1] = runs[other];
		runs[other] = kept;
	}
}

int matrix_make(const uint64_t *block_sizes, size_t size_count, uint64_t reps,
		uint64_t seed, struct matrix *matrix, struct err *err)
{
	uint64_t state = seed, rep;
	size_t count, i;

	*matrix = (struct matrix){ 0 };
	if (__builtin_mul_overflow(size_count, reps, &count))
		count = SIZE_MAX;
	matrix->runs = calloc(count, sizeof(*matrix->runs));
	if (!matrix->runs)
		return err_say(err, -ERANGE,
			       "%zu block sizes x %llu repetitions are more "
			       "runs than memory has room for",
			       size_count, (unsigned long long)reps);
	for (rep = 1; rep <= reps; rep++) {
		struct matrix_run *first = &matrix->runs[matrix->count];

		for (i = 0; i < size_count; i++)
			first[i] = (struct matrix_run){
				.block_bytes = block_sizes[i], .rep = rep
			};
		shuffle(first, size_count, &state);
		matrix->count += size_count;
	}
	return 0;
}

void matrix_free(struct matrix *matrix)
{
	free(matrix->runs);
	*matrix = (struct matrix){ 0 };
}

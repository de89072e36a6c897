/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of a sweep: every block size once in each repetition, shuffled
 * anew in each, so that a drift of the machine (or of its device) does not
 * fall on one size. Pure: the same seed gives the same order everywhere.
 */
#ifndef RAWREAD_SWEEP_MATRIX_H
#define RAWREAD_SWEEP_MATRIX_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct matrix_run {
	uint64_t block_bytes;
	uint64_t rep; /* from 1 */
};

/* Owned by who made it; free with matrix_free(). */
struct matrix {
	struct matrix_run *runs;
	size_t count;
};

/* Returns 0; -ERANGE when there are more runs than memory has room for. */
int matrix_make(const uint64_t *block_sizes, size_t size_count, uint64_t reps,
		uint64_t seed, struct matrix *matrix, struct err *err);
void matrix_free(struct matrix *matrix);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Letters beside a row that say why not to believe it, and what is behind
 * them: w warm, u unknown, e error, n not available, v verified, t too short.
 * Main thread.
 */
#ifndef RAWREAD_REPORTS_MARKS_H
#define RAWREAD_REPORTS_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct metric;
struct pair;
struct row;

/* Room for one of each, and the end. */
#define MARKS_BYTES 8

/* The letters of @row, in the order above; "" when it is beyond doubt. */
void marks_of(const struct row *row, char marks[static MARKS_BYTES]);

/*
 * The letters of both sides that matter to @metric, "Aw Bt"; "only in A" when
 * B lacks the row. The caller frees it; NULL without memory.
 */
char *marks_of_pair(const struct metric *metric, const struct pair *pair);

/*
 * One paragraph for each distinct cause of each mark of the @rows, with the
 * block sizes it is about, and one for what else is worth knowing of them.
 * @head comes before each letter. Returns 0 or -ENOMEM.
 */
int marks_explain(FILE *out, const char *head, const struct row *const *rows,
		  size_t row_count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small set of texts: each stands in it once, in the order they came. */
#ifndef RAWREAD_REPORTS_TEXTS_H
#define RAWREAD_REPORTS_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct texts {
	char **list;
	size_t count;
};

void texts_free(struct texts *texts);

/* The set's own copy of @text, which lives as long as the set; NULL without
 * memory.
 */
const char *texts_add(struct texts *texts, const char *text);

bool texts_have(const struct texts *texts, const char *text);

/* The same texts, in whatever order. */
bool texts_equal(const struct texts *a, const struct texts *b);

/* All of them with @between in between; the caller frees. */
char *texts_join(const struct texts *texts, const char *between);

#endif

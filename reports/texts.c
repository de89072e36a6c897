// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void texts_free(struct texts *texts)
{
	while (texts->count)
		free(texts->list[--texts->count]);
	free(texts->list);
	*texts = (struct texts){ 0 };
}

static char *find(const struct texts *texts, const char *text)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (!strcmp(texts->list[i], text))
			return texts->list[i];
	return NULL;
}

const char *texts_add(struct texts *texts, const char *text)
{
	char **grown, *copy = find(texts, text);

	if (copy)
		return copy;
	grown = reallocarray(texts->list, texts->count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	texts->list = grown;
	copy = strdup(text);
	if (copy)
		texts->list[texts->count++] = copy;
	return copy;
}

bool texts_have(const struct texts *texts, const char *text)
{
	return find(texts, text) != NULL;
}

bool texts_equal(const struct texts *a, const struct texts *b)
{
	size_t i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++)
		if (!texts_have(b, a->list[i]))
			return false;
	return true;
}

char *texts_join(const struct texts *texts, const char *between)
{
	char *joined = NULL;
	size_t size, i;
	FILE *out = open_memstream(&joined, &size);

	if (!out)
		return NULL;
	for (i = 0; i < texts->count; i++)
		fprintf(out, "%s%s", i ? between : "", texts->list[i]);
	if (!fclose(out))
		return joined;
	free(joined);
	return NULL;
}

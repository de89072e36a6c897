// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/params.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-+=.,:/@%";

char *argv_quote(char *const argv[])
{
	char *line = NULL;
	size_t size, i;
	FILE *out = open_memstream(&line, &size);

	if (!out)
		return NULL;
	for (i = 0; argv[i]; i++) {
		const char *word = argv[i], *c;

		if (i)
			fputc(' ', out);
		if (*word && !word[strspn(word, plain)]) {
			fputs(word, out);
			continue;
		}
		fputc('\'', out);
		for (c = word; *c; c++) {
			if (*c == '\'')
				fputs("'\\''", out);
			else
				fputc(*c, out);
		}
		fputc('\'', out);
	}
	if (fclose(out)) {
		free(line);
		return NULL;
	}
	return line;
}

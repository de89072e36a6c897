// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/show.h"
#include "lib/base/utf8.h"
#include "lib/record/params.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-+=.,:/@%";

/* No control character matters to a shell's quotes, nor to UTF-8. */
static bool is_utf8(const char *word)
{
	size_t length;

	while (*word) {
		length = (unsigned char)*word < 0x80 ? 1
						     : utf8_shown_bytes(word);
		if (!length)
			return false;
		word += length;
	}
	return true;
}

/* A record is UTF-8: other bytes by their numbers, as bash and zsh read them.
 */
static void put_bytes(FILE *out, const char *word)
{
	char shown[SHOW_BYTES];
	size_t length;

	fputs("$'", out);
	while (*word) {
		if (*word == '\'' || *word == '\\')
			fputc('\\', out);
		length = show_next(&word, shown);
		fwrite(shown, 1, length, out);
	}
	fputc('\'', out);
}

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
		if (!is_utf8(word)) {
			put_bytes(out, word);
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

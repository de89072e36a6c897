// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/print.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"

void print_begin(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* The first @length bytes of @text, which end with a character. */
static void put_text(FILE *out, const char *text, size_t length)
{
	const char *end = text + length;

	while (text < end) {
		size_t shown = utf8_shown_bytes(text);

		if (shown)
			fwrite(text, 1, shown, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*text);
		text += shown ? shown : 1;
	}
}

char *text_printable(const char *text)
{
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);

	if (!out)
		return NULL;
	put_text(out, text, strlen(text));
	if (!fclose(out))
		return shown;
	free(shown);
	return NULL;
}

char *label_shown(const char *label)
{
	return *label ? text_printable(label) : strdup("(no label)");
}

static size_t shown_width(const char *word, size_t length)
{
	const char *end = word + length;
	size_t width = 0;

	while (word < end) {
		size_t shown = utf8_shown_bytes(word);

		width += shown ? 1 : strlen("\\xNN");
		word += shown ? shown : 1;
	}
	return width;
}

size_t text_width(const char *text)
{
	return shown_width(text, strlen(text));
}

void print_wrapped(FILE *out, const char *head, const char *text)
{
	size_t indent = strlen(head), at = indent;
	bool first = true;

	fputs(head, out);
	while (*text) {
		size_t length = strcspn(text, " ");
		size_t width = shown_width(text, length);

		if (!first && at + 1 + width > PRINT_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		put_text(out, text, length);
		at += width;
		first = false;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/print.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void print_begin(void)
{
	signal(SIGPIPE, SIG_IGN);
}

static bool is_plain(char letter)
{
	return letter >= ' ' && letter <= '~';
}

static void put_letter(FILE *out, char letter)
{
	if (is_plain(letter))
		fputc(letter, out);
	else
		fprintf(out, "\\x%02x", (unsigned char)letter);
}

char *text_printable(const char *text)
{
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);

	if (!out)
		return NULL;
	for (; *text; text++)
		put_letter(out, *text);
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
	size_t width = 0, i;

	for (i = 0; i < length; i++)
		width += is_plain(word[i]) ? 1 : strlen("\\xNN");
	return width;
}

void print_wrapped(FILE *out, const char *head, const char *text)
{
	size_t indent = strlen(head), at = indent;
	bool first = true;

	fputs(head, out);
	while (*text) {
		size_t length = strcspn(text, " "), i;
		size_t width = shown_width(text, length);

		if (!first && at + 1 + width > PRINT_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		for (i = 0; i < length; i++)
			put_letter(out, text[i]);
		at += width;
		first = false;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

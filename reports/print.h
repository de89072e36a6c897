/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people, at most PRINT_COLUMNS wide where words allow. What came out
 * of a file is shown where it is UTF-8, and escaped where it is not or would
 * move a terminal's cursor.
 */
#ifndef RAWREAD_REPORTS_PRINT_H
#define RAWREAD_REPORTS_PRINT_H

#include <stdio.h>

#define PRINT_COLUMNS 78

/* Before the first line: a closed pipe is then an error where it is written. */
void print_begin(void);

/* @text with what is not to be shown as "\xNN"; NULL without memory. */
char *text_printable(const char *text);

/* Columns that @text takes when it is shown so, a character in each. */
size_t text_width(const char *text);

/* A label as tables have it; "" is "(no label)". NULL without memory. */
char *label_shown(const char *label);

/*
 * @head, and behind it the words of @text, escaped; further lines are indented
 * to where the text began.
 */
void print_wrapped(FILE *out, const char *head, const char *text);

#endif

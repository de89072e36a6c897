/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names come from anywhere, and a line that holds one stays one line: what
 * utf8.h does not show as it is becomes "\xNN", byte by byte. Any thread.
 */
#ifndef RAWREAD_BASE_SHOW_H
#define RAWREAD_BASE_SHOW_H

#include <stddef.h>
#include <stdio.h>

/* Room for "\xNN" and its end. */
#define SHOW_BYTES 5

/*
 * Puts the next character of *@text into @shown, without an end, and moves
 * *@text behind it. Returns how many bytes that are; 0 at the end.
 */
size_t show_next(const char **text, char shown[static SHOW_BYTES]);

/* Prints all of @text. */
void show_print(FILE *out, const char *text);

#endif

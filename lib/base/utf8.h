/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in UTF-8, whatever the locale. Pure functions, any thread. */
#ifndef RAWREAD_BASE_UTF8_H
#define RAWREAD_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of the character that @text begins with, when it may be shown as it
 * is. 0 at the end, for what is no UTF-8, and for characters that move the
 * cursor, break lines or turn the direction of writing.
 */
size_t utf8_shown_bytes(const char *text);

/* Whether all of @text may be shown as it is. */
bool utf8_is_shown(const char *text);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/show.h"

#include <string.h>

#include "lib/base/utf8.h"

size_t show_next(const char **text, char shown[static SHOW_BYTES])
{
	size_t length = utf8_shown_bytes(*text);

	if (!**text)
		return 0;
	if (length) {
		memcpy(shown, *text, length);
		*text += length;
		return length;
	}
	return (size_t)snprintf(shown, SHOW_BYTES, "\\x%02x",
				(unsigned char)*(*text)++);
}

void show_print(FILE *out, const char *text)
{
	char shown[SHOW_BYTES];
	size_t length;

	while ((length = show_next(&text, shown)))
		fwrite(shown, 1, length, out);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/utf8.h"

#include <stdint.h>

/* Characters from @first to @last, which are not shown as they are. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x00, 0x1f },		  { 0x7f, 0x9f },     /* control */
	{ 0x2028, 0x202e },	  { 0x2066, 0x2069 }, /* lines, directions */
	{ 0xd800, 0xdfff },			      /* halves of UTF-16 */
	{ 0x110000, UINT32_MAX },
};

static bool is_hidden(uint32_t point)
{
	size_t i;

	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (point >= hidden[i].first && point <= hidden[i].last)
			return true;
	return false;
}

/* How many bytes a character has that begins with @lead, or 0. */
static size_t length_of(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t utf8_shown_bytes(const char *text)
{
	/* The least that needs so many bytes. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = length_of(bytes[0]), i;
	uint32_t point = bytes[0];

	if (length > 1)
		point &= 0x7fU >> length;
	for (i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (bytes[i] & 0x3fU);
	}
	if (!length || point < least[length] || is_hidden(point))
		return 0;
	return length;
}

bool utf8_is_shown(const char *text)
{
	size_t length;

	while ((length = utf8_shown_bytes(text)))
		text += length;
	return !*text;
}

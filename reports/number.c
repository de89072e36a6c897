// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How many of the @length letters at @text are digits. */
static size_t digits_span(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length && isdigit((unsigned char)text[i]))
		i++;
	return i;
}

/* strtod() takes more than a table should hold: the form is checked first. */
static bool is_decimal(const char *text, size_t length)
{
	size_t at = digits_span(text, length), digits = at;

	if (at < length && text[at] == '.') {
		size_t places = digits_span(text + at + 1, length - at - 1);

		at += 1 + places;
		digits += places;
	}
	if (!digits)
		return false;
	if (at < length && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		if (at < length && (text[at] == '+' || text[at] == '-'))
			at++;
		digits = digits_span(text + at, length - at);
		if (!digits)
			return false;
		at += digits;
	}
	return at == length;
}

int number_parse(const char *text, size_t length, double *number)
{
	*number = 0;
	if (!is_decimal(text, length))
		return -EINVAL;
	errno = 0;
	*number = strtod(text, NULL);
	if (isfinite(*number) && errno != ERANGE)
		return 0;
	*number = 0;
	return -ERANGE;
}

int figure_parse(const char *text, double *number)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '%')
		length--;
	return number_parse(text, length, number);
}

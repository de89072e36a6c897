// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/err.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/show.h"

int err_set(struct err *err, int code, const char *format, ...)
{
	char reason[128];
	size_t used;
	va_list ap;

	assert(code < 0);
	if (!err)
		return code;
	va_start(ap, format);
	vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	used = strlen(err->text);
	if (code == -EMFILE) {
		snprintf(err->text + used, sizeof(err->text) - used,
			 ": all descriptors of this process are in use; raise "
			 "'ulimit -n'");
		return code;
	}
	snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		 strerror_r(-code, reason, sizeof(reason)));
	return code;
}

int err_say(struct err *err, int code, const char *format, ...)
{
	va_list ap;

	assert(code < 0);
	if (!err)
		return code;
	va_start(ap, format);
	vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	return code;
}

void err_print(const struct err *err)
{
	/* In one piece, since others write to the same terminal. */
	char line[4 * ERR_TEXT_BYTES + SHOW_BYTES], *next = line;
	const char *from = err->text;
	size_t length;

	while ((length = show_next(&from, next)))
		next += length;
	*next = '\0';
	fprintf(stderr, "rawread: %s\n", line);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/settings_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/file.h"
#include "reports/texts.h"

int setting_done(char *const *text)
{
	return *text ? 0 : -ENOMEM;
}

int setting_add(struct texts *parts, char *value)
{
	const char *added = value ? texts_add(parts, value) : NULL;

	free(value);
	return added ? 0 : -ENOMEM;
}

int setting_add_number(struct texts *parts, int64_t number)
{
	return number < 0 ? 0
			  : setting_add(parts, text_format("%" PRId64, number));
}

int setting_join(struct texts *parts, int rc, char **text)
{
	if (!rc && parts->count) {
		*text = texts_join(parts, "; ");
		rc = setting_done(text);
	}
	texts_free(parts);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/settings_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/record/record.h"
#include "reports/texts.h"

int setting_done(char *const *text)
{
	return *text ? 0 : -ENOMEM;
}

int setting_copy(const char *from, char **text)
{
	if (!from)
		return 0;
	*text = strdup(from);
	return setting_done(text);
}

int setting_copy_number(int64_t number, char **text)
{
	if (number < 0)
		return 0;
	*text = text_format("%" PRId64, number);
	return setting_done(text);
}

int setting_yes_or_no(bool is, char **text)
{
	return setting_copy(is ? "yes" : "no", text);
}

bool setting_is_known(const struct run_record *run)
{
	return !run->imported_metric;
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

/* Names of an enum in its order, and those that are known and not there yet. */
struct names {
	const char *what;
	const char *const *list, *const *later; /* both end in NULL */
	const char *all;
};

static const struct names layouts = {
	.what = "layout",
	.list = (const char *const[]){ "shared", "slice", NULL },
	.later = (const char *const[]){ "stripe", "each", NULL },
	.all = "shared and slice",
};

static const struct names hints = {
	.what = "hint",
	.list = (const char *const[]){ "none", "normal", "sequential", "random",
				       "willneed", "noreuse", NULL },
	.later = (const char *const[]){ NULL },
	.all = "none, normal, sequential, random, willneed and noreuse",
};

static bool name_find(const char *const *list, const char *text,
		      unsigned int *index)
{
	for (*index = 0; list[*index]; ++*index)
		if (!strcmp(list[*index], text))
			return true;
	*index = 0;
	return false;
}

static int name_parse(const struct names *names, const char *text,
		      unsigned int *index, struct err *err)
{
	if (name_find(names->later, text, index)) {
		*index = 0;
		return err_say(err, -EOPNOTSUPP,
			       "%s '%s' is not in this version, which has %s",
			       names->what, text, names->all);
	}
	if (name_find(names->list, text, index))
		return 0;
	return err_say(err, -EINVAL, "%s '%s' is not known; there are %s",
		       names->what, text, names->all);
}

const char *layout_name(enum layout layout)
{
	return layouts.list[layout];
}

const char *hint_name(enum hint hint)
{
	return hints.list[hint];
}

int layout_parse(const char *text, enum layout *layout, struct err *err)
{
	unsigned int i;
	int rc = name_parse(&layouts, text, &i, err);

	*layout = (enum layout)i;
	return rc;
}

int hint_parse(const char *text, enum hint *hint, struct err *err)
{
	unsigned int i;
	int rc = name_parse(&hints, text, &i, err);

	*hint = (enum hint)i;
	return rc;
}

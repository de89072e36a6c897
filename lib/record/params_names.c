// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"

/* Each list is in the order of its enum and ends in NULL. */
const struct param_names param_names[PARAM_NAMES_COUNT] = {
	[PARAM_NAMES_LAYOUT] = {
		.what = "layout",
		.list = (const char *const[]){ "shared", "slice", "stripe",
					       "each", NULL },
	},
	[PARAM_NAMES_PATTERN] = {
		.what = "pattern",
		.list = (const char *const[]){ "default", "sequential",
					       "random", "random-repeat",
					       "reverse", "stride", NULL },
	},
	[PARAM_NAMES_FADVISE] = {
		.what = "fadvise hint",
		.list = (const char *const[]){ "none", "normal", "sequential",
					       "random", "willneed", "noreuse",
					       NULL },
	},
	[PARAM_NAMES_MADVISE] = {
		.what = "madvise hint",
		.list = (const char *const[]){ "none", "normal", "sequential",
					       "random", "willneed", "hugepage",
					       "nohugepage", NULL },
	},
	[PARAM_NAMES_WARM] = {
		.what = "way to fill the cache",
		.list = (const char *const[]){ "none", "fill=read",
					       "fill=write", NULL },
	},
	[PARAM_NAMES_RWF] = {
		.what = "flag of preadv2",
		.list = (const char *const[]){ "nowait", "hipri", "dontcache",
					       NULL },
	},
};

/* "a, b and c" */
static char *join(const struct param_names *names)
{
	char *text = strdup(names->list[0]), *longer;
	size_t i;

	for (i = 1; text && names->list[i]; i++) {
		longer = text_format("%s%s%s", text,
				     names->list[i + 1] ? ", " : " and ",
				     names->list[i]);
		free(text);
		text = longer;
	}
	return text;
}

static int refuse(const struct param_names *names, const char *text,
		  size_t length, struct err *err)
{
	char *all = join(names);

	err_say(err, -EINVAL, "%s '%.*s' is not known; there are %s",
		names->what, (int)length, text, all ? all : "others");
	free(all);
	return -EINVAL;
}

static int parse(const struct param_names *names, const char *text,
		 size_t length, unsigned int *index, struct err *err)
{
	for (*index = 0; names->list[*index]; ++*index)
		if (strlen(names->list[*index]) == length &&
		    !memcmp(names->list[*index], text, length))
			return 0;
	*index = 0;
	return refuse(names, text, length, err);
}

int param_name_parse(enum param_names_id id, const char *text,
		     unsigned int *index, struct err *err)
{
	return parse(&param_names[id], text, strlen(text), index, err);
}

int param_set_parse(enum param_names_id id, const char *text, unsigned int *set,
		    struct err *err)
{
	const char *at = text;
	unsigned int index;
	int rc;

	*set = 0;
	for (;;) {
		size_t length = strcspn(at, ",");

		rc = parse(&param_names[id], at, length, &index, err);
		if (rc < 0) {
			*set = 0;
			return rc;
		}
		*set |= 1U << index;
		at += length;
		if (!*at)
			return 0;
		at++;
	}
}

char *param_set_text(enum param_names_id id, unsigned int set)
{
	char *text = strdup(""), *longer;
	size_t i;

	for (i = 0; text && param_names[id].list[i]; i++) {
		if (!(set & 1U << i))
			continue;
		longer = text_format("%s%s%s", text, *text ? "," : "",
				     param_names[id].list[i]);
		free(text);
		text = longer;
	}
	return text;
}

const char *layout_name(enum layout layout)
{
	return param_names[PARAM_NAMES_LAYOUT].list[layout];
}

const char *pattern_name(enum pattern pattern)
{
	return param_names[PARAM_NAMES_PATTERN].list[pattern];
}

const char *fadvise_name(enum fadvise fadvise)
{
	return param_names[PARAM_NAMES_FADVISE].list[fadvise];
}

const char *madvise_name(enum madvise madvise)
{
	return param_names[PARAM_NAMES_MADVISE].list[madvise];
}

const char *warm_name(enum warm warm)
{
	return param_names[PARAM_NAMES_WARM].list[warm];
}

char *rwf_text(unsigned int rwf)
{
	return param_set_text(PARAM_NAMES_RWF, rwf);
}

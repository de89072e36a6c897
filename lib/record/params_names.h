/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words that an option with a choice takes, in the order of its enum:
 * private to lib/record. Constant data.
 */
#ifndef RAWREAD_RECORD_PARAMS_NAMES_H
#define RAWREAD_RECORD_PARAMS_NAMES_H

struct err;

enum param_names_id {
	PARAM_NAMES_LAYOUT,
	PARAM_NAMES_PATTERN,
	PARAM_NAMES_FADVISE,
	PARAM_NAMES_MADVISE,
	PARAM_NAMES_WARM,
	PARAM_NAMES_RWF,
	PARAM_NAMES_COUNT
};

struct param_names {
	const char *what;	 /* in errors */
	const char *const *list; /* ends in NULL */
};

extern const struct param_names param_names[PARAM_NAMES_COUNT];

/* The enumerator of @text. Returns 0, or -EINVAL with those there are. */
int param_name_parse(enum param_names_id id, const char *text,
		     unsigned int *index, struct err *err);

/*
 * "a,c" as the bits 1 << a | 1 << c, and back as the caller's text (NULL
 * without memory). Returns 0 or -EINVAL.
 */
int param_set_parse(enum param_names_id id, const char *text, unsigned int *set,
		    struct err *err);
char *param_set_text(enum param_names_id id, unsigned int set);

#endif

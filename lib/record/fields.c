// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/fields.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"

json_t *json_count(uint64_t number)
{
	return json_integer(number > INT64_MAX ? INT64_MAX
					       : (json_int_t)number);
}

json_t *json_text(const char *text)
{
	json_t *json = json_string(text);
	char *escaped, *put;

	if (json)
		return json;
	escaped = malloc(4 * strlen(text) + 1);
	if (!escaped)
		return NULL;
	for (put = escaped; *text; text++)
		put += sprintf(put,
			       (unsigned char)*text < 0x80 ? "%c" : "\\x%02x",
			       (unsigned char)*text);
	json = json_string(escaped);
	free(escaped);
	return json;
}

/* NULL with @skip: nothing to write. NULL without: no memory. */
static json_t *field_encode(const struct field *field, const char *member,
			    bool *skip)
{
	*skip = false;
	switch (field->kind) {
	case FIELD_U64:
		*skip = !*(const uint64_t *)(const void *)member;
		return json_count(*(const uint64_t *)(const void *)member);
	case FIELD_UINT:
		*skip = !*(const unsigned int *)(const void *)member;
		return json_count(*(const unsigned int *)(const void *)member);
	case FIELD_BOOL:
		*skip = !*(const bool *)member;
		return json_boolean(*(const bool *)member);
	case FIELD_TEXT: {
		const char *text = *(char *const *)(const void *)member;

		*skip = !text;
		return text ? json_text(text) : NULL;
	}
	case FIELD_OPTIONAL: {
		int64_t number = *(const int64_t *)(const void *)member;

		return number < 0 ? json_null() : json_integer(number);
	}
	}
	return NULL;
}

int fields_encode(json_t *json, const struct field *fields, size_t count,
		  const void *object)
{
	size_t i;

	for (i = 0; i < count; i++) {
		bool skip;
		json_t *value = field_encode(
			&fields[i], (const char *)object + fields[i].offset,
			&skip);

		if (skip)
			json_decref(value);
		else if (json_object_set_new(json, fields[i].key, value))
			return -ENOMEM;
	}
	return 0;
}

json_t *fields_object(const struct field *fields, size_t count,
		      const void *object)
{
	json_t *json = json_object();

	if (json && fields_encode(json, fields, count, object)) {
		json_decref(json);
		return NULL;
	}
	return json;
}

void fields_init(const struct field *fields, size_t count, void *object)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fields[i].kind == FIELD_OPTIONAL)
			*(int64_t *)(void *)((char *)object +
					     fields[i].offset) = -1;
}

int field_set(const json_t *value, const struct field *field, void *object)
{
	void *member = (char *)object + field->offset;
	json_int_t number = json_integer_value(value);

	switch (field->kind) {
	case FIELD_U64:
		if (!json_is_integer(value) || number < 0)
			return -EINVAL;
		*(uint64_t *)member = (uint64_t)number;
		return 0;
	case FIELD_UINT:
		if (!json_is_integer(value) || number < 0 || number > UINT_MAX)
			return -EINVAL;
		*(unsigned int *)member = (unsigned int)number;
		return 0;
	case FIELD_BOOL:
		if (!json_is_boolean(value))
			return -EINVAL;
		*(bool *)member = json_is_true(value);
		return 0;
	case FIELD_TEXT:
		if (!json_is_string(value))
			return -EINVAL;
		free(*(char **)member);
		*(char **)member = strdup(json_string_value(value));
		return *(char **)member ? 0 : -ENOMEM;
	case FIELD_OPTIONAL:
		if (!json_is_null(value) &&
		    (!json_is_integer(value) || number < 0))
			return -EINVAL;
		*(int64_t *)member = json_is_null(value) ? -1 : number;
		return 0;
	}
	return -EINVAL;
}

int fields_decode(const json_t *json, const struct field *fields, size_t count,
		  void *object, const char *what, struct err *err)
{
	size_t i;

	if (!json_is_object(json))
		return err_say(err, -EINVAL, "%s is not an object", what);
	for (i = 0; i < count; i++) {
		const json_t *value = json_object_get(json, fields[i].key);
		int rc;

		if (!value)
			continue;
		rc = field_set(value, &fields[i], object);
		if (rc == -ENOMEM)
			return err_set(err, rc, "%s.%s", what, fields[i].key);
		if (rc < 0)
			return err_say(err, rc,
				       "%s.%s has a value of the wrong kind",
				       what, fields[i].key);
	}
	return 0;
}

void fields_free(const struct field *fields, size_t count, void *object)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char **member =
			(char **)(void *)((char *)object + fields[i].offset);

		if (fields[i].kind != FIELD_TEXT)
			continue;
		free(*member);
		*member = NULL;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A struct and a JSON object, by one table of fields: private to lib/record.
 * A field that is 0 or NULL is not written, and one that is not there is not
 * touched when read; so a line stays short, and old files stay readable.
 */
#ifndef RAWREAD_RECORD_FIELDS_H
#define RAWREAD_RECORD_FIELDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum field_kind {
	FIELD_U64,
	FIELD_UINT,
	FIELD_BOOL,
	FIELD_TEXT,	/* char *, owned by the struct */
	FIELD_OPTIONAL, /* int64_t; -1, "not known", is written as null */
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;
};

#define FIELD(kind, type, member)                             \
	{                                                     \
#member, FIELD_##kind, offsetof(type, member) \
	}

/*
 * A string as JSON has them. A path may hold any byte and JSON may not: when
 * @text is not UTF-8 its bytes above 0x7f become "\xNN".
 */
json_t *json_text(const char *text);

/*
 * A count. Beyond 2^63, where JSON's integers end as jansson has them, it is
 * the largest.
 */
json_t *json_count(uint64_t number);

/* Adds the fields of @object to @json. Returns 0 or -ENOMEM. */
int fields_encode(json_t *json, const struct field *fields, size_t count,
		  const void *object);

/* The fields of @object as an object of their own; NULL without memory. */
json_t *fields_object(const struct field *fields, size_t count,
		      const void *object);

/* What a line does not tell is not 0: makes each FIELD_OPTIONAL -1. */
void fields_init(const struct field *fields, size_t count, void *object);

/* One value. Returns 0, -EINVAL when it is of another kind, or -ENOMEM. */
int field_set(const json_t *value, const struct field *field, void *object);

/* Returns 0, -EINVAL with @what and the key named, or -ENOMEM. */
int fields_decode(const json_t *json, const struct field *fields, size_t count,
		  void *object, const char *what, struct err *err);

void fields_free(const struct field *fields, size_t count, void *object);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/fields.h"
#include "lib/record/record.h"
#include "lib/record/record_parts.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define COLD(kind, member) FIELD(kind, struct run_cold, member)
static const struct field cold_fields[] = {
	COLD(OPTIONAL, resident_before_bytes),
	COLD(OPTIONAL, resident_after_bytes),
	COLD(OPTIONAL, device_bytes),
	COLD(OPTIONAL, hole_bytes),
	COLD(OPTIONAL, encoded_bytes),
};

static const char *const verdict_names[] = { "cold", "warm", "unknown" };

const char *cold_verdict_name(enum cold_verdict verdict)
{
	return verdict_names[verdict];
}

int run_cold_add_cause(struct run_cold *cold, const char *format, ...)
{
	char **grown, *cause;
	va_list ap;
	int length;

	grown = reallocarray(cold->causes, cold->cause_count + 1,
			     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	cold->causes = grown;
	va_start(ap, format);
	length = vasprintf(&cause, format, ap);
	va_end(ap);
	if (length < 0)
		return -ENOMEM;
	cold->causes[cold->cause_count++] = cause;
	return 0;
}

void run_cold_free(struct run_cold *cold)
{
	size_t i;

	for (i = 0; i < cold->cause_count; i++)
		free(cold->causes[i]);
	free(cold->causes);
	*cold = (struct run_cold){ 0 };
}

json_t *run_cold_encode(const struct run_cold *cold)
{
	json_t *json = fields_object(cold_fields, COUNT(cold_fields), cold);
	json_t *causes = json_array();
	size_t i;

	for (i = 0; i < cold->cause_count; i++)
		if (json_array_append_new(causes, json_text(cold->causes[i])))
			goto failed;
	if (json_object_set_new(json, "verdict",
				json_string(cold_verdict_name(cold->verdict))))
		goto failed;
	if (cold->cause_count && json_object_set(json, "causes", causes))
		goto failed;
	json_decref(causes);
	return json;
failed:
	json_decref(causes);
	json_decref(json);
	return NULL;
}

int run_cold_decode(const json_t *json, struct run_cold *cold, struct err *err)
{
	const char *name = json_string_value(json_object_get(json, "verdict"));
	const json_t *causes = json_object_get(json, "causes");
	size_t i;
	int rc;

	*cold = (struct run_cold){ .verdict = COLD_UNKNOWN };
	fields_init(cold_fields, COUNT(cold_fields), cold);
	if (!json)
		return 0;
	rc = fields_decode(json, cold_fields, COUNT(cold_fields), cold, "cold",
			   err);
	if (rc < 0)
		return rc;
	for (i = 0; name && i < COUNT(verdict_names); i++)
		if (!strcmp(name, verdict_names[i]))
			break;
	if (!name || i == COUNT(verdict_names))
		return err_say(err, -EINVAL, "cold.verdict has no meaning");
	cold->verdict = (enum cold_verdict)i;
	for (i = 0; i < json_array_size(causes); i++) {
		const char *cause =
			json_string_value(json_array_get(causes, i));

		if (!cause)
			return err_say(err, -EINVAL,
				       "cold.causes holds no text");
		if (run_cold_add_cause(cold, "%s", cause) < 0)
			return err_set(err, -ENOMEM, "cold.causes");
	}
	return 0;
}

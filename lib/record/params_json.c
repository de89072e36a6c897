// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/fields.h"
#include "lib/record/params_table.h"
#include "lib/record/tests.h"

/* What did not exist when the first records were written is not 0 in them. */
static bool is_left_out(const struct run_params *params,
			const struct param_row *row)
{
	switch (row->key) {
	case KEY_READ_AHEAD:
		return !params->read_ahead_given;
	case KEY_STRIDE:
	case KEY_BYTES:
	case KEY_TIME:
	case KEY_RAMP:
	case KEY_PATTERN:
	case KEY_MADVISE:
	case KEY_WARM:
		return !params_number(params, row);
	default:
		return false;
	}
}

static json_t *set_encode(const struct run_params *params,
			  const struct param_row *row)
{
	char *text = param_set_text(row->names,
				    (unsigned int)params_number(params, row));
	json_t *json = text ? json_string(text) : NULL;

	free(text);
	return json;
}

json_t *params_to_json(const struct run_params *params)
{
	json_t *json = json_object();
	size_t i;

	for (i = 0; json && i < params_row_count; i++) {
		const struct param_row *row = &params_rows[i];
		json_t *value = NULL;

		if (!row->json)
			continue;
		switch (row->kind) {
		case PARAM_FLAG:
			if (!*(bool *)params_member(params, row))
				continue;
			value = json_true();
			break;
		case PARAM_COUNT:
		case PARAM_SIZE:
		case PARAM_SIZE_MB:
		case PARAM_TIME:
			if (is_left_out(params, row))
				continue;
			value = json_integer(
				(json_int_t)params_number(params, row));
			break;
		case PARAM_TEXT:
			if (!*(char **)params_member(params, row))
				continue;
			value = json_text(*(char **)params_member(params, row));
			break;
		case PARAM_TEST:
			value = json_string(params->test->name);
			break;
		case PARAM_NAME:
			if (is_left_out(params, row))
				continue;
			value = json_string(params_choice(params, row));
			break;
		case PARAM_SET:
			if (!params_number(params, row))
				continue;
			value = set_encode(params, row);
			break;
		case PARAM_CONSENT: /* is no part of the run */
			continue;
		}
		if (json_object_set_new(json, row->json, value)) {
			json_decref(json);
			json = NULL;
		}
	}
	return json;
}

/* A record is read as options are: numbers are bounded, names known. */
static int row_from_json(struct run_params *params, const struct param_row *row,
			 const json_t *value, struct err *err)
{
	bool is_number = params_row_is_number(row);

	if (row->kind == PARAM_FLAG && json_is_boolean(value)) {
		*(bool *)params_member(params, row) = json_is_true(value);
		return 0;
	}
	if (is_number && json_is_integer(value) &&
	    json_integer_value(value) >= 0 &&
	    (row->size == sizeof(uint64_t) ||
	     json_integer_value(value) <= UINT_MAX)) {
		params_number_set(params, row,
				  (uint64_t)json_integer_value(value));
		return 0;
	}
	if (row->kind == PARAM_TEST && json_is_string(value)) {
		params->test = test_by_name(json_string_value(value));
		if (params->test)
			return 0;
	} else if (!is_number && row->kind != PARAM_FLAG &&
		   json_is_string(value)) {
		return params_row_set(params, row, json_string_value(value),
				      err);
	}
	return err_say(err, -EINVAL, "params.%s has no meaning here",
		       row->json);
}

int params_from_json(const json_t *json, struct run_params *params,
		     struct err *err)
{
	size_t i;
	int rc;

	rc = params_init(params, FORM_READ, err);
	for (i = 0; !rc && i < params_row_count; i++) {
		const json_t *value =
			params_rows[i].json
				? json_object_get(json, params_rows[i].json)
				: NULL;

		if (value)
			rc = row_from_json(params, &params_rows[i], value, err);
	}
	if (!rc && !params->test)
		rc = err_say(err, -EINVAL, "params.test is missing");
	if (rc < 0)
		params_free(params);
	return rc;
}

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
			if (row->key == KEY_READ_AHEAD &&
			    !params->read_ahead_given)
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
		case PARAM_LAYOUT:
			value = json_string(layout_name(params->layout));
			break;
		case PARAM_HINT:
			value = json_string(hint_name(params->hint));
			break;
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
	bool is_number = row->kind == PARAM_COUNT || row->kind == PARAM_SIZE ||
			 row->kind == PARAM_SIZE_MB;

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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/fields.h"
#include "lib/record/params_table.h"
#include "lib/record/tests.h"

/* What a reader wants to see, be it as usual or not. */
static bool is_always_there(const struct run_params *params,
			    const struct param_row *row)
{
	return row->key == 's' || row->key == KEY_LAYOUT ||
	       (row->key == KEY_SEED && params_is_random(params));
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

static json_t *row_encode(const struct run_params *params,
			  const struct param_row *row)
{
	switch (row->kind) {
	case PARAM_FLAG:
		return json_true();
	case PARAM_COUNT:
	case PARAM_SIZE:
	case PARAM_SIZE_MB:
	case PARAM_TIME:
		return json_count(params_number(params, row));
	case PARAM_TEXT:
		return json_text(*(char **)params_member(params, row));
	case PARAM_TEST:
		return json_string(params->test->name);
	case PARAM_NAME:
		return json_string(params_choice(params, row));
	case PARAM_SET:
		return set_encode(params, row);
	case PARAM_CONSENT: /* is no part of the run */
		break;
	}
	return NULL;
}

json_t *params_to_json(const struct run_params *params)
{
	json_t *json = json_object();
	struct run_params defaults;
	size_t i;

	if (params_init(&defaults, FORM_READ, NULL) < 0) {
		json_decref(json);
		return NULL;
	}
	for (i = 0; json && i < params_row_count; i++) {
		const struct param_row *row = &params_rows[i];

		if (!row->json || (!is_always_there(params, row) &&
				   params_row_is_usual(params, &defaults, row)))
			continue;
		if (json_object_set_new(json, row->json,
					row_encode(params, row))) {
			json_decref(json);
			json = NULL;
		}
	}
	params_free(&defaults);
	return json;
}

/* As an option's; and 0 where that is how one that is not given is kept. */
static int number_from_json(struct run_params *params,
			    const struct param_row *row, const json_t *value,
			    struct err *err)
{
	json_int_t number = json_integer_value(value);
	bool is_not_given = !number && !params_number(params, row);

	if (!is_not_given && (number < 0 || (uint64_t)number < row->lowest ||
			      (uint64_t)number > row->highest))
		return err_say(err, -EINVAL,
			       "params.%s is %lld, and not from %" PRIu64
			       " to %" PRIu64,
			       row->json, (long long)number, row->lowest,
			       row->highest);
	params_number_set(params, row, (uint64_t)number);
	return 0;
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
	if (is_number && json_is_integer(value))
		return number_from_json(params, row, value, err);
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
	if (!rc && !params->iovecs && !params->test->is_vectored)
		params->iovecs = 1;
	if (rc < 0)
		params_free(params);
	return rc;
}

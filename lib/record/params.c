// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/params_table.h"
#include "lib/record/tests.h"

void params_number_set(struct run_params *params, const struct param_row *row,
		       uint64_t number)
{
	if (row->size == sizeof(uint64_t))
		*(uint64_t *)params_member(params, row) = number;
	else
		*(unsigned int *)params_member(params, row) =
			(unsigned int)number;
	if (row->key == KEY_READ_AHEAD)
		params->read_ahead_given = true;
	if (row->key == KEY_SEED)
		params->seed_given = true;
}

static int size_set(struct run_params *params, const struct param_row *row,
		    const char *text, uint64_t unit, struct err *err)
{
	uint64_t bytes;
	int rc = size_parse(row->name, text, unit, &bytes, err);

	if (rc < 0)
		return rc;
	if (bytes < row->lowest || bytes > row->highest)
		return err_say(err, -ERANGE, "%s: '%s' is too %s", row->name,
			       text, bytes < row->lowest ? "small" : "large");
	params_number_set(params, row, bytes);
	return 0;
}

/* In an argument that need not be given, "" is that it was not. */
static int consent_set(struct run_params *params, const struct param_row *row,
		       const char *text, struct err *err)
{
	if (text && !*text)
		return err_say(err, -EINVAL,
			       "--%s= names no target; name one, or leave '=' "
			       "out",
			       row->name);
	return text_set(params_member(params, row), text ? text : "", err);
}

int params_row_set(struct run_params *params, const struct param_row *row,
		   const char *text, struct err *err)
{
	uint64_t number;
	int rc;

	switch (row->kind) {
	case PARAM_FLAG:
		*(bool *)params_member(params, row) = true;
		return 0;
	case PARAM_COUNT:
		rc = count_parse(row->name, text, row->lowest, row->highest,
				 &number, err);
		if (!rc)
			params_number_set(params, row, number);
		return rc;
	case PARAM_SIZE:
		return size_set(params, row, text, 1, err);
	case PARAM_SIZE_MB:
		return size_set(params, row, text, MIB, err);
	case PARAM_TIME:
		rc = duration_parse(row->name, text, row->lowest, row->highest,
				    &number, err);
		if (!rc)
			params_number_set(params, row, number);
		return rc;
	case PARAM_TEXT:
		return text_set(params_member(params, row), text, err);
	case PARAM_TEST:
		return test_parse(text, params_member(params, row), err);
	case PARAM_NAME:
		return param_name_parse(row->names, text,
					params_member(params, row), err);
	case PARAM_SET:
		return param_set_parse(row->names, text,
				       params_member(params, row), err);
	case PARAM_CONSENT:
		return consent_set(params, row, text, err);
	}
	return -EINVAL;
}

int params_init(struct run_params *params, enum params_form form,
		struct err *err)
{
	*params = (struct run_params){
		.form = form,
		.block_bytes = BLOCK_DEFAULT_BYTES,
		.layout = form == FORM_CLASSIC ? LAYOUT_SHARED : LAYOUT_SLICE,
		.loops = 1,
		.seed = 1,
		.pin = strdup("scatter"),
	};
	if (params->pin)
		return 0;
	params_free(params);
	return err_set(err, -ENOMEM, "options");
}

void params_free(struct run_params *params)
{
	unsigned int i;

	for (i = 0; i < params->target_count; i++)
		free(params->targets[i]);
	free(params->targets);
	free(params->engine);
	free(params->pin);
	free(params->file_pattern);
	free(params->json);
	free(params->destroy_data);
	*params = (struct run_params){ 0 };
}

static int target_add(struct run_params *params, const char *path,
		      struct err *err)
{
	char **grown, *copy;

	grown = reallocarray(params->targets, params->target_count + 1,
			     sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "target %s", path);
	params->targets = grown;
	copy = strdup(path);
	if (!copy)
		return err_set(err, -ENOMEM, "target %s", path);
	params->targets[params->target_count++] = copy;
	return 0;
}

int params_take(int key, char *arg, void *input, struct err *err)
{
	struct run_params *params = input;
	size_t i;

	if (key == ARGP_KEY_ARG)
		return target_add(params, arg, err);
	for (i = 0; i < params_row_count; i++)
		if (params_rows[i].key == key)
			return params_row_set(params, &params_rows[i], arg,
					      err);
	return err_say(err, -EINVAL, "option %d is not known", key);
}

enum pattern params_pattern(const struct run_params *params)
{
	if (params->pattern != PATTERN_DEFAULT)
		return params->pattern;
	return params->test->is_random ? PATTERN_RANDOM : PATTERN_SEQUENTIAL;
}

bool params_is_random(const struct run_params *params)
{
	enum pattern pattern = params_pattern(params);

	return pattern == PATTERN_RANDOM || pattern == PATTERN_RANDOM_REPEAT;
}

bool params_writes(const struct run_params *params)
{
	return params->test->is_write || params->warm == WARM_FILL_WRITE;
}

const char *params_engine(const struct run_params *params)
{
	return params->engine ? params->engine : params->test->engine;
}

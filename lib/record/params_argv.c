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

/* What stands behind the option, or NULL when it need not be given. */
static int row_get(const struct run_params *params,
		   const struct run_params *defaults,
		   const struct param_row *row, char **text)
{
	const char *now, *usual;
	char size[24], time[32];

	*text = NULL;
	switch (row->kind) {
	case PARAM_FLAG:
		return *(bool *)params_member(params, row) ? 1 : 0;
	case PARAM_COUNT:
		if (row->key == KEY_READ_AHEAD
			    ? !params->read_ahead_given
			    : params_number(params, row) ==
				      params_number(defaults, row))
			return 0;
		*text = text_format(
			"%llu", (unsigned long long)params_number(params, row));
		break;
	case PARAM_SIZE:
	case PARAM_SIZE_MB:
		if (params_number(params, row) == params_number(defaults, row))
			return 0;
		size_format(params_number(params, row), size);
		*text = text_format("%s%s", size,
				    size[strlen(size) - 1] > '9' ? "" : "b");
		break;
	case PARAM_TIME:
		if (params_number(params, row) == params_number(defaults, row))
			return 0;
		duration_format(params_number(params, row), time);
		*text = strdup(time);
		break;
	case PARAM_TEXT:
		now = *(char **)params_member(params, row);
		usual = *(char **)params_member(defaults, row);
		if (!now || (usual && !strcmp(now, usual)))
			return 0;
		*text = strdup(now);
		break;
	case PARAM_TEST:
		*text = strdup(params->test->name);
		break;
	case PARAM_NAME:
		if (params_number(params, row) == params_number(defaults, row))
			return 0;
		*text = strdup(params_choice(params, row));
		break;
	case PARAM_SET:
		if (!params_number(params, row))
			return 0;
		*text = param_set_text(
			row->names, (unsigned int)params_number(params, row));
		break;
	case PARAM_CONSENT:
		now = *(char **)params_member(params, row);
		if (!now)
			return 0;
		if (!*now)
			return 1;
		*text = strdup(now);
		break;
	}
	return *text ? 1 : -ENOMEM;
}

/* Reporting is no part of the run; a proof that is asked for is. */
static bool row_repeats(const struct param_row *row)
{
	return row->key != KEY_JSON && row->key != 'q' && row->key != 'e';
}

/* What is decided by params_finish() need not be said then. */
static bool row_is_implied(const struct run_params *params,
			   const struct param_row *row)
{
	if (row->key == 'i')
		return !params->test->is_vectored;
	if (row->key == KEY_SEED)
		return !params_is_random(params);
	if (row->key == 'm')
		return params->target_count != 0;
	if (row->key == 'd')
		return params->first_device <= 1;
	if (row->key == KEY_FILE_PATTERN)
		return !params->file_pattern ||
		       !strcmp(params->file_pattern, FILE_PATTERN);
	return false;
}

int params_argv(const struct run_params *params, char ***argv, struct err *err)
{
	struct run_params defaults;
	size_t count = 0, i;
	char **words;
	int rc;

	*argv = NULL;
	rc = params_init(&defaults, FORM_READ, err);
	if (rc < 0)
		return rc;
	/* Two words an option, "rawread read --", the targets, the end. */
	words = calloc(2 * params_row_count + params->target_count + 4,
		       sizeof(*words));
	if (!words)
		goto no_memory;
	words[count++] = strdup("rawread");
	words[count++] = strdup("read");
	for (i = 0; i < params_row_count; i++) {
		char *text;

		if (!row_repeats(&params_rows[i]) ||
		    row_is_implied(params, &params_rows[i]))
			continue;
		rc = row_get(params, &defaults, &params_rows[i], &text);
		if (rc < 0)
			goto no_memory;
		if (!rc)
			continue;
		if (text && params_rows[i].kind == PARAM_CONSENT) {
			words[count++] = text_format("--%s=%s",
						     params_rows[i].name, text);
			free(text);
			continue;
		}
		words[count++] = text_format("--%s", params_rows[i].name);
		if (text)
			words[count++] = text;
	}
	if (params->target_count)
		words[count++] = strdup("--");
	for (i = 0; i < params->target_count; i++)
		words[count++] = strdup(params->targets[i]);
	for (i = 0; i < count; i++)
		if (!words[i])
			goto no_memory;
	params_free(&defaults);
	*argv = words;
	return 0;
no_memory:
	while (words && count)
		free(words[--count]);
	free(words);
	params_free(&defaults);
	return err_set(err, -ENOMEM, "command line");
}

void argv_free(char **argv)
{
	char **word;

	for (word = argv; word && *word; word++)
		free(*word);
	free(argv);
}

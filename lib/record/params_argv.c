// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/params_table.h"
#include "lib/record/tests.h"

/* What stands behind the option: the caller's, or NULL without memory. */
static char *row_text(const struct run_params *params,
		      const struct param_row *row)
{
	char size[24], time[32];

	switch (row->kind) {
	case PARAM_FLAG:
		break;
	case PARAM_COUNT:
		return text_format("%" PRIu64, params_number(params, row));
	case PARAM_SIZE:
	case PARAM_SIZE_MB:
		size_format(params_number(params, row), size);
		return text_format("%s%s", size,
				   size[strlen(size) - 1] > '9' ? "" : "b");
	case PARAM_TIME:
		duration_format(params_number(params, row), time);
		return strdup(time);
	case PARAM_TEXT:
	case PARAM_CONSENT:
		return strdup(*(char **)params_member(params, row));
	case PARAM_TEST:
		return strdup(params->test->name);
	case PARAM_NAME:
		return strdup(params_choice(params, row));
	case PARAM_SET:
		return param_set_text(row->names,
				      (unsigned int)params_number(params, row));
	}
	return NULL;
}

/* Reporting is no part of the run; a proof that is asked for is. */
static bool row_repeats(const struct param_row *row)
{
	return row->key != KEY_JSON && row->key != 'q' && row->key != 'e';
}

/* An argument that need not be given stands in the option's own word. */
static bool is_one_word(const struct run_params *params,
			const struct param_row *row)
{
	return row->kind == PARAM_CONSENT &&
	       **(char **)params_member(params, row);
}

static bool has_no_argument(const struct run_params *params,
			    const struct param_row *row)
{
	return row->kind == PARAM_FLAG ||
	       (row->kind == PARAM_CONSENT && !is_one_word(params, row));
}

/* Adds the words of @row; one that is NULL there was no memory for. */
static void row_add(const struct run_params *params,
		    const struct param_row *row, char **words, size_t *count)
{
	char *text;

	if (has_no_argument(params, row)) {
		words[(*count)++] = text_format("--%s", row->name);
		return;
	}
	text = row_text(params, row);
	if (!is_one_word(params, row)) {
		words[(*count)++] = text_format("--%s", row->name);
		words[(*count)++] = text;
		return;
	}
	words[(*count)++] = text ? text_format("--%s=%s", row->name, text)
				 : NULL;
	free(text);
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
		const struct param_row *row = &params_rows[i];

		if (row_repeats(row) &&
		    !params_row_is_usual(params, &defaults, row))
			row_add(params, row, words, &count);
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* Options that go without saying, on a command line or in a record. */
#include <string.h>

#include "lib/record/params_table.h"
#include "lib/record/tests.h"

/* What is decided by params_finish() need not be said then. */
static bool is_implied(const struct run_params *params,
		       const struct param_row *row)
{
	switch (row->key) {
	case 'i':
		return !params->test->is_vectored;
	case KEY_SEED:
		return !params_is_random(params);
	case 'm':
		return params->target_count != 0;
	case 'd':
		return params->first_device <= 1;
	case KEY_FILE_PATTERN:
		return !params->file_pattern ||
		       !strcmp(params->file_pattern, FILE_PATTERN);
	case KEY_READ_AHEAD:
		return !params->read_ahead_given;
	default:
		return false;
	}
}

static bool is_default(const struct run_params *params,
		       const struct run_params *defaults,
		       const struct param_row *row)
{
	const char *now, *usual;

	switch (row->kind) {
	case PARAM_FLAG:
		return !*(bool *)params_member(params, row);
	case PARAM_COUNT:
		/* Of the read-ahead the one in force is, which no number is. */
		return row->key != KEY_READ_AHEAD &&
		       params_number(params, row) ==
			       params_number(defaults, row);
	case PARAM_SIZE:
	case PARAM_SIZE_MB:
	case PARAM_TIME:
	case PARAM_NAME:
	case PARAM_SET:
		return params_number(params, row) ==
		       params_number(defaults, row);
	case PARAM_TEXT:
	case PARAM_CONSENT:
		now = *(char **)params_member(params, row);
		usual = *(char **)params_member(defaults, row);
		return !now || (usual && !strcmp(now, usual));
	case PARAM_TEST:
		break;
	}
	return false;
}

bool params_row_is_usual(const struct run_params *params,
			 const struct run_params *defaults,
			 const struct param_row *row)
{
	return is_implied(params, row) || is_default(params, defaults, row);
}

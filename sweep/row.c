// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "sweep/driver.h"
#include "sweep/sweep_targets.h"

/* By way of JSON, which has all that a record keeps of them. */
static int params_copy(const struct run_params *params, struct run_params *copy,
		       struct err *err)
{
	json_t *json = params_to_json(params);
	int rc;

	if (!json)
		return err_set(err, -ENOMEM, "copy parameters");
	rc = params_from_json(json, copy, err);
	json_decref(json);
	return rc;
}

static int fill_targets(const struct run_params *params,
			const struct sweep_targets *targets,
			struct run_record *run)
{
	size_t i;

	run->targets = calloc(targets->count, sizeof(*run->targets));
	if (!run->targets)
		return -ENOMEM;
	for (i = 0; i < targets->count; i++) {
		const struct sweep_target *from = &targets->list[i];
		struct run_target *to = &run->targets[run->target_count++];

		*to = (struct run_target){
			.path = strdup(from->path),
			.size_bytes = from->size_bytes,
			.offset_bytes = params->offset_bytes,
			.range_bytes = params->range_bytes,
			.read_ahead_kib = -1,
		};
		if (!to->path)
			return -ENOMEM;
		if (!to->range_bytes && from->size_bytes > to->offset_bytes)
			to->range_bytes = from->size_bytes - to->offset_bytes;
	}
	return 0;
}

static int fill_command(const struct run_params *params, struct run_record *run,
			struct err *err)
{
	char **argv;
	int rc;

	rc = params_argv(params, &argv, err);
	if (rc < 0)
		return rc;
	run->command = argv_quote(argv);
	argv_free(argv);
	return run->command ? 0 : err_set(err, -ENOMEM, "command line");
}

int row_of_failure(const struct run_params *params,
		   const struct sweep_targets *targets,
		   struct driver_result *result, struct err *err)
{
	struct run_record *run = &result->record;
	int rc;

	*run = (struct run_record){ 0 };
	rc = params_copy(params, &run->params, err);
	if (rc < 0)
		return rc;
	result->has_record = true; /* and freed with the result */
	rc = fill_command(params, run, err);
	if (rc < 0)
		return rc;
	run->begun = clock_wall_text();
	run->error = driver_explain(result);
	if (fill_targets(params, targets, run) < 0 || !run->begun ||
	    !run->error)
		return err_set(err, -ENOMEM, "record of a failed run");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/sweep.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "sweep/campaign_fill.h"
#include "sweep/driver.h"
#include "sweep/flush.h"
#include "sweep/matrix.h"
#include "sweep/progress.h"
#include "sweep/recorder.h"
#include "sweep/row.h"
#include "sweep/sweep_targets.h"

/* All that a sweep has open; each part is empty until it is made. */
struct sweep {
	struct sweep_plan *plan;
	struct sweep_tally *tally;
	struct sweep_targets targets;
	struct flush flush;
	struct matrix matrix;
	struct campaign campaign;
	struct recorder recorder;
	struct progress progress;
};

void sweep_plan_free(struct sweep_plan *plan)
{
	free(plan->label);
	free(plan->record_path);
	free(plan->command);
	params_free(&plan->params);
	free(plan->block_sizes);
	free(plan->dirs);
	*plan = (struct sweep_plan){ 0 };
}

void sweep_tally_free(struct sweep_tally *tally)
{
	free(tally->first_error);
	free(tally->first_warmth);
	free(tally->first_fallback);
	*tally = (struct sweep_tally){ 0 };
}

/* The files become the targets of every run, and contradictions are told. */
static int params_complete(struct sweep *sweep, struct err *err)
{
	struct run_params *params = &sweep->plan->params;
	size_t i;
	int rc = 0;

	params->cold = sweep->flush.method->is_cold;
	for (i = 0; !rc && i < sweep->targets.count; i++)
		rc = params_take(ARGP_KEY_ARG, sweep->targets.list[i].path,
				 params, err);
	return rc ? rc : params_finish(params, err);
}

/* What may be in the way is found before anything is touched. */
static int sweep_open(struct sweep *sweep, struct err *err)
{
	const struct sweep_plan *plan = sweep->plan;
	const struct flush_method *method = plan->method;
	int rc;

	sweep->flush = (struct flush){ .targets = &sweep->targets,
				       .may_drop_caches = plan->may_drop_caches,
				       .method = method };
	rc = sweep_targets_find(plan->dirs, plan->dir_count, &sweep->targets,
				err);
	if (!rc && method->check)
		rc = method->check(&sweep->targets, plan->record_path, err);
	if (!rc)
		rc = sweep_targets_find_files(&sweep->targets, err);
	if (!rc)
		rc = params_complete(sweep, err);
	if (!rc)
		rc = matrix_make(plan->block_sizes, plan->size_count,
				 plan->reps, plan->params.seed, &sweep->matrix,
				 err);
	if (!rc)
		rc = campaign_fill(plan, &sweep->targets, &sweep->campaign,
				   err);
	if (!rc)
		rc = flush_open(&sweep->flush, err);
	if (!rc)
		rc = recorder_open(plan->record_path, &sweep->campaign,
				   &sweep->recorder, &sweep->tally->torn_bytes,
				   err);
	sweep->tally->planned = sweep->matrix.count;
	return rc;
}

static void sweep_close(struct sweep *sweep)
{
	flush_close(&sweep->flush);
	recorder_close(&sweep->recorder);
	campaign_free(&sweep->campaign);
	matrix_free(&sweep->matrix);
	sweep_targets_free(&sweep->targets);
}

static void remember(char **first, const char *why)
{
	if (!*first && why)
		*first = strdup(why);
}

static void count_run(struct sweep *sweep, const struct run_record *run)
{
	struct sweep_tally *tally = sweep->tally;
	const struct run_cold *cold = &run->cold;

	tally->written++;
	if (run->flush.fallback) {
		tally->fallbacks++;
		remember(&tally->first_fallback, run->flush.cause);
	}
	if (run->not_available) {
		tally->not_available++;
	} else if (run->error) {
		tally->errors++;
		remember(&tally->first_error, run->error);
	} else if (sweep->flush.method->is_cold &&
		   cold->verdict != COLD_PROVED) {
		tally->not_cold++;
		/* What a fallback cured is not what left the run warm. */
		remember(&tally->first_warmth,
			 sweep->flush.is_left ? run->flush.cause
			 : cold->cause_count  ? cold->causes[0]
					      : "no cause was told");
	}
}

/* What the child said, or what has to be said in its place; then it is kept. */
static int record_run(struct sweep *sweep, struct driver_result *result,
		      const struct matrix_run *run, struct run_flush *flush,
		      struct err *err)
{
	struct run_record *record = &result->record;
	int rc;

	if (!result->has_record) {
		rc = row_of_failure(&sweep->plan->params, &sweep->targets,
				    result, err);
		if (rc < 0)
			return rc;
	}
	record->rep = run->rep;
	record->order = (uint64_t)(run - sweep->matrix.runs) + 1;
	record->flush = *flush;
	*flush = (struct run_flush){ 0 };
	rc = recorder_append(&sweep->recorder, record, err);
	if (!rc)
		count_run(sweep, record);
	return rc;
}

/* One run, from the flush to its line in the file. */
static int sweep_step(struct sweep *sweep, const struct matrix_run *run,
		      struct err *err)
{
	struct driver_result result = { 0 };
	struct run_flush flush = { 0 };
	int rc;

	rc = flush_run(&sweep->flush, &flush, err);
	if (rc < 0)
		return rc;
	sweep->plan->params.block_bytes = run->block_bytes;
	rc = stop_asked() ? -EINTR
			  : driver_run(&sweep->plan->params, &result, err);
	if (rc < 0)
		goto out;
	/* A run that was killed leaves its read-ahead. */
	rc = sweep_targets_mend(&sweep->targets, err);
	if (rc < 0)
		goto out;
	/* A run that was broken off is no result. */
	if (stop_asked() && !result.has_record)
		rc = -EINTR;
	else if (run == sweep->matrix.runs && !result.has_record &&
		 result.end.exit_status == EXIT_TROUBLE && result.complaint)
		rc = err_say(err, -EINVAL, "%s", result.complaint);
	else
		rc = record_run(sweep, &result, run, &flush, err);
out:
	driver_result_free(&result);
	flush_result_free(&flush);
	return rc;
}

static int sweep_loop(struct sweep *sweep, struct err *err)
{
	size_t i;
	int rc = 0;

	progress_begin(&sweep->progress);
	for (i = 0; !rc && i < sweep->matrix.count; i++) {
		const struct matrix_run *run = &sweep->matrix.runs[i];
		char size[24];

		size_format(run->block_bytes, size);
		progress_show(&sweep->progress, i, sweep->matrix.count,
			      "%s: run %zu of %zu, %s", sweep->plan->label,
			      i + 1, sweep->matrix.count, size);
		rc = stop_asked() ? -EINTR : sweep_step(sweep, run, err);
	}
	progress_end(&sweep->progress);
	return rc;
}

/* The end line. What stopped the sweep is told before what befell its line. */
static int sweep_end(struct sweep *sweep, int rc, struct err *err)
{
	const char *name = stop_asked() ? sigabbrev_np(stop_signal()) : NULL;
	char *cause = NULL;
	struct err end_err;
	int end_rc;

	/* Ended before there was a result: as if never started. */
	if (rc < 0 && !sweep->recorder.begun) {
		recorder_forget(&sweep->recorder);
		return rc;
	}
	if (rc == -EINTR)
		cause = text_format("SIG%s", name ? name : "?");
	else if (rc < 0)
		cause = strdup(err->text);
	if (rc < 0 && !cause)
		return rc;
	end_rc = recorder_end(&sweep->recorder, cause, &end_err);
	free(cause);
	if (end_rc < 0 && (!rc || rc == -EINTR))
		return err_say(err, end_rc, "%s", end_err.text);
	return rc;
}

int sweep_run(struct sweep_plan *plan, struct sweep_tally *tally,
	      struct err *err)
{
	struct sweep sweep = { .plan = plan, .tally = tally };
	int rc;

	*tally = (struct sweep_tally){ 0 };
	rc = sweep_open(&sweep, err);
	if (!rc) {
		rc = sweep_loop(&sweep, err);
		rc = sweep_end(&sweep, rc, err);
	}
	sweep_close(&sweep);
	return rc;
}

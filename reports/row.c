// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/row.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "reports/number.h"

#define KB 1024.0

static void figures_free(struct figures *figures)
{
	free(figures->values);
	free(figures->text);
	*figures = (struct figures){ 0 };
}

void row_free(struct row *row)
{
	figures_free(&row->kbs);
	figures_free(&row->cpu_pct);
	texts_free(&row->warm_causes);
	texts_free(&row->unknown_causes);
	texts_free(&row->fill_causes);
	texts_free(&row->errors);
	texts_free(&row->na_reasons);
	texts_free(&row->flush_causes);
	*row = (struct row){ 0 };
}

bool row_fits(const struct row *row, const struct test *test,
	      uint64_t block_bytes, bool imported,
	      const char *const set[SETTING_COUNT])
{
	size_t i;

	if (row->test != test || row->block_bytes != block_bytes ||
	    row->imported != imported)
		return false;
	for (i = 0; i < SETTING_COUNT; i++)
		if (settings[i].kind != SETTING_CONTEXT && row->settings[i] &&
		    set[i] && strcmp(row->settings[i], set[i]))
			return false;
	return true;
}

static int figures_add(struct figures *figures, double value, struct err *err)
{
	double *grown = figures->values;

	/* Room doubles: at each power of two it is used up. */
	if (!(figures->count & (figures->count - 1)))
		grown = reallocarray(figures->values,
				     figures->count ? 2 * figures->count : 1,
				     sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "figures of a row");
	figures->values = grown;
	figures->values[figures->count++] = value;
	return 0;
}

static int add_imported(struct row *row, const struct run_record *run,
			struct err *err)
{
	struct figures *figures = NULL;
	double value;
	int rc;

	if (!strcmp(run->imported_metric, "kbs"))
		figures = &row->kbs;
	else if (!strcmp(run->imported_metric, "cpu"))
		figures = &row->cpu_pct;
	else
		return err_say(err, -EINVAL,
			       "imported_metric '%s' is not known to this "
			       "version, which has kbs and cpu",
			       run->imported_metric);
	if (!run->imported_text || figure_parse(run->imported_text, &value) < 0)
		return err_say(err, -EINVAL,
			       "imported_text '%s' is not a number",
			       run->imported_text ? run->imported_text : "");
	rc = figures_add(figures, value, err);
	if (rc < 0)
		return rc;
	row->imported_runs++;
	if (figures->count > 1)
		return 0;
	figures->text = strdup(run->imported_text);
	return figures->text ? 0 : err_set(err, -ENOMEM, "imported_text");
}

static void add_ticks(struct row *row, const struct run_cpu *cpu)
{
	double busy = (double)cpu->user + (double)cpu->system +
		      (double)cpu->irq + (double)cpu->softirq +
		      (double)cpu->steal;

	row->busy_ticks += busy;
	row->steal_ticks += (double)cpu->steal;
	row->ticks += busy + (double)cpu->idle + (double)cpu->iowait;
	if (cpu->ticks_per_s)
		row->busy_s += busy / cpu->ticks_per_s;
}

/* Warm because it was to be. */
static bool is_filled(const struct run_record *run)
{
	return run->params.warm && run->cold.verdict == COLD_WARM;
}

/* The device's share of the bytes is what most says how warm a run was. */
static void keep_least_share(struct row *row, const struct run_record *run)
{
	double share, least;

	/* Writes may stay in memory; of a warm run none is wanted. */
	if (run->cold.device_bytes < 0 || !run->bytes ||
	    run->params.test->is_write || is_filled(run))
		return;
	share = (double)run->cold.device_bytes / (double)run->bytes;
	least = row->device_bytes_known
			? (double)row->device_bytes /
				  (double)row->device_bytes_wanted
			: share;
	if (row->device_bytes_known && share >= least)
		return;
	row->device_bytes_known = true;
	row->device_bytes = (uint64_t)run->cold.device_bytes;
	row->device_bytes_wanted = run->bytes;
}

static int add_cold(struct row *row, const struct run_record *run,
		    struct err *err)
{
	struct texts *causes = &row->unknown_causes;
	size_t i;

	switch (run->cold.verdict) {
	case COLD_PROVED:
		row->cold_runs++;
		return 0;
	case COLD_WARM:
		if (is_filled(run)) {
			row->filled_runs++;
			causes = &row->fill_causes;
			break;
		}
		row->warm_runs++;
		causes = &row->warm_causes;
		break;
	case COLD_UNKNOWN:
		row->unknown_runs++;
		break;
	}
	keep_least_share(row, run);
	for (i = 0; i < run->cold.cause_count; i++)
		if (!texts_add(causes, run->cold.causes[i]))
			return err_set(err, -ENOMEM, "causes of a row");
	return 0;
}

/* Kept whatever the verdict: a cold run may owe it to the fallback. */
static int add_flush(struct row *row, const struct run_flush *flush,
		     struct err *err)
{
	char *text;
	bool is_added;

	if (!flush->fallback)
		return 0;
	text = text_format("the flush needed %s too: %s", flush->fallback,
			   flush->cause ? flush->cause
					: "the record has no cause");
	is_added = text && texts_add(&row->flush_causes, text);
	free(text);
	return is_added ? 0 : err_set(err, -ENOMEM, "flush of a row");
}

static int add_failed(struct row *row, const char *why, bool not_available,
		      struct err *err)
{
	struct texts *reasons = not_available ? &row->na_reasons : &row->errors;

	if (not_available)
		row->na_runs++;
	else
		row->failed_runs++;
	return texts_add(reasons, why)
		       ? 0
		       : err_set(err, -ENOMEM, "error of a row");
}

/* Of what the test does: the other is somebody else's. */
static void add_requests(struct row *row, const struct run_record *run)
{
	bool writes = run->params.test->is_write;
	size_t i;

	for (i = 0; i < run->shape.count; i++) {
		const struct run_device *device = &run->shape.list[i];

		row->requests += (double)(writes ? device->write_requests
						 : device->requests);
		row->request_bytes += (double)(writes ? device->write_bytes
						      : device->read_bytes);
	}
}

int row_add_run(struct row *row, const struct run_record *run, struct err *err)
{
	int rc;

	row->runs++;
	if (run->imported_metric)
		return add_imported(row, run, err);
	rc = add_flush(row, &run->flush, err);
	if (rc < 0)
		return rc;
	if (run->error || run->not_available)
		return add_failed(row, run->error ? run->error : "no reason",
				  run->not_available, err);
	if (!run->span_ns)
		return add_failed(row, "the record has no span_ns", false, err);
	rc = figures_add(&row->kbs,
			 (double)run->bytes / KB /
				 ((double)run->span_ns / (double)NS_PER_S),
			 err);
	if (rc < 0)
		return rc;
	row->bytes += (double)run->bytes;
	add_ticks(row, &run->cpu);
	row->cpus_changed_runs += run->cpu.cpus_changed;
	row->moved_runs += run->moved_threads || run->moved_buffers;
	row->verified_runs += run->params.verify;
	add_requests(row, run);
	return add_cold(row, run, err);
}

size_t row_results(const struct row *row)
{
	if (row->imported)
		return row->kbs.count > row->cpu_pct.count ? row->kbs.count
							   : row->cpu_pct.count;
	return row->runs - row->failed_runs - row->na_runs;
}

bool row_is_short(const struct row *row)
{
	return !row->imported && row_results(row) && row->ticks < TICKS_LEAST;
}

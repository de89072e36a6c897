// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/settings_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "reports/settings_value.h"
#include "reports/texts.h"

static int copy_text(const char *from, char **text)
{
	if (!from)
		return 0;
	*text = strdup(from);
	return setting_done(text);
}

static int copy_number(int64_t number, char **text)
{
	if (number < 0)
		return 0;
	*text = text_format("%" PRId64, number);
	return setting_done(text);
}

static int yes_or_no(bool is, char **text)
{
	return copy_text(is ? "yes" : "no", text);
}

/* What was asked for, which imported figures do not tell. */
static bool is_measured(const struct run_record *run)
{
	return !run->imported_metric;
}

int run_threads_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	(void)campaign;
	return is_measured(run) ? copy_number(run->params.threads, text) : 0;
}

int run_target_count_text(const struct run_record *run,
			  const struct campaign *campaign, char **text)
{
	(void)campaign;
	return run->target_count ? copy_number(run->target_count, text) : 0;
}

int run_range_text(const struct run_record *run,
		   const struct campaign *campaign, char **text)
{
	struct texts parts = { 0 };
	unsigned int i;
	int rc = 0;

	(void)campaign;
	for (i = 0; !rc && i < run->target_count; i++) {
		char size[24], offset[24];

		size_format(run->targets[i].range_bytes, size);
		size_format(run->targets[i].offset_bytes, offset);
		rc = setting_add(&parts, run->targets[i].offset_bytes
						 ? text_format("%s from %s",
							       size, offset)
						 : strdup(size));
	}
	return setting_join(&parts, rc, text);
}

int run_file_size_text(const struct run_record *run,
		       const struct campaign *campaign, char **text)
{
	struct texts parts = { 0 };
	unsigned int i;
	int rc = 0;

	(void)campaign;
	for (i = 0; !rc && i < run->target_count; i++) {
		char size[24];

		size_format(run->targets[i].size_bytes, size);
		rc = setting_add(&parts, strdup(size));
	}
	return setting_join(&parts, rc, text);
}

int run_engine_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	const char *engine = params_engine(&run->params);

	(void)campaign;
	return is_measured(run) ? copy_text(engine, text) : 0;
}

int run_iovecs_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!is_measured(run) || !run->params.test->is_vectored)
		return 0;
	return copy_number(run->params.iovecs, text);
}

int run_layout_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!is_measured(run))
		return 0;
	return copy_text(layout_name(run->params.layout), text);
}

int run_pin_text(const struct run_record *run, const struct campaign *campaign,
		 char **text)
{
	(void)campaign;
	return is_measured(run) ? copy_text(run->params.pin, text) : 0;
}

/* In bytes, so that the rows of the classic sweep, whose -n falls as -s grows,
 * are of one kind.
 */
int run_count_bytes_text(const struct run_record *run,
			 const struct campaign *campaign, char **text)
{
	const struct run_params *params = &run->params;
	uint64_t bytes;
	char size[24];

	(void)campaign;
	if (!is_measured(run))
		return 0;
	if (!params->reads)
		return copy_text("whole range", text);
	if (__builtin_mul_overflow(params->reads, params->loops, &bytes) ||
	    __builtin_mul_overflow(bytes, params->block_bytes, &bytes) ||
	    __builtin_mul_overflow(bytes, params->iovecs ? params->iovecs : 1,
				   &bytes))
		bytes = UINT64_MAX;
	size_format(bytes, size);
	*text = text_format("%s a thread at least", size);
	return setting_done(text);
}

int run_direct_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	(void)campaign;
	return is_measured(run) ? yes_or_no(run->params.direct, text) : 0;
}

int run_sync_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	return is_measured(run) ? yes_or_no(run->params.sync, text) : 0;
}

int run_fadvise_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!is_measured(run))
		return 0;
	return copy_text(fadvise_name(run->params.fadvise), text);
}

int run_read_ahead_text(const struct run_record *run,
			const struct campaign *campaign, char **text)
{
	struct texts parts = { 0 };
	unsigned int i;
	int rc = 0;

	(void)campaign;
	for (i = 0; !rc && i < run->target_count; i++)
		rc = setting_add_number(&parts, run->targets[i].read_ahead_kib);
	return setting_join(&parts, rc, text);
}

int run_paths_text(const struct run_record *run,
		   const struct campaign *campaign, char **text)
{
	struct texts parts = { 0 };
	unsigned int i;
	int rc = 0;

	(void)campaign;
	for (i = 0; !rc && i < run->target_count; i++)
		if (run->targets[i].path &&
		    !texts_add(&parts, run->targets[i].path))
			rc = -ENOMEM;
	return setting_join(&parts, rc, text);
}

int run_flush_text(const struct run_record *run,
		   const struct campaign *campaign, char **text)
{
	const char *method = run->flush.method;

	if (!method && campaign)
		method = campaign->flush_method;
	if (!method || !run->flush.fallback)
		return copy_text(method, text);
	*text = text_format("%s, then %s", method, run->flush.fallback);
	return setting_done(text);
}

int run_cpus_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	return copy_text(run->cpus, text);
}

int run_seed_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	if (!is_measured(run) || !params_is_random(&run->params))
		return 0;
	*text = text_format("%" PRIu64, run->params.seed);
	return setting_done(text);
}

int run_read_ahead_asked_text(const struct run_record *run,
			      const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!is_measured(run))
		return 0;
	if (!run->params.read_ahead_given)
		return copy_text("not given", text);
	*text = text_format("%" PRIu64, run->params.read_ahead_kib);
	return setting_done(text);
}

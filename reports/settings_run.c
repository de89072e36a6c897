// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/settings_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "reports/settings_value.h"
#include "reports/texts.h"

int run_threads_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	(void)campaign;
	return setting_is_known(run)
		       ? setting_copy_number(run->params.threads, text)
		       : 0;
}

int run_target_count_text(const struct run_record *run,
			  const struct campaign *campaign, char **text)
{
	(void)campaign;
	return run->target_count ? setting_copy_number(run->target_count, text)
				 : 0;
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
	return setting_is_known(run) ? setting_copy(engine, text) : 0;
}

int run_iovecs_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!setting_is_known(run) || !run->params.test->is_vectored)
		return 0;
	return setting_copy_number(run->params.iovecs, text);
}

int run_layout_text(const struct run_record *run,
		    const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	return setting_copy(layout_name(run->params.layout), text);
}

int run_pin_text(const struct run_record *run, const struct campaign *campaign,
		 char **text)
{
	(void)campaign;
	return setting_is_known(run) ? setting_copy(run->params.pin, text) : 0;
}

/* "10s", or "10s after 2s" that do not count. */
static int time_text(const struct run_params *params, char **text)
{
	char time[32], ramp[32];

	duration_format(params->time_ns, time);
	duration_format(params->ramp_ns, ramp);
	*text = text_format("%s%s%s", time, params->ramp_ns ? " after " : "",
			    params->ramp_ns ? ramp : "");
	return setting_done(text);
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
	if (!setting_is_known(run))
		return 0;
	if (params->time_ns)
		return time_text(params, text);
	if (params->stop_bytes) {
		size_format(params->stop_bytes, size);
		*text = text_format("%s of each target", size);
		return setting_done(text);
	}
	if (!params->reads)
		return setting_copy("whole range", text);
	if (__builtin_mul_overflow(params->reads, params->loops, &bytes) ||
	    __builtin_mul_overflow(bytes, params->block_bytes, &bytes) ||
	    __builtin_mul_overflow(bytes, params->iovecs ? params->iovecs : 1,
				   &bytes))
		bytes = UINT64_MAX;
	size_format(bytes, size);
	*text = text_format("%s a thread at least", size);
	return setting_done(text);
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
		return setting_copy(method, text);
	*text = text_format("%s, then %s", method, run->flush.fallback);
	return setting_done(text);
}

int run_seed_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	if (!setting_is_known(run) || !params_is_random(&run->params))
		return 0;
	*text = text_format("%" PRIu64, run->params.seed);
	return setting_done(text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of how a run opened, read and treated the page cache. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "reports/settings_run.h"
#include "reports/settings_value.h"

/* Lines from before there was a choice have the order that the test has. */
int run_pattern_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	enum pattern pattern = params_pattern(&run->params);
	char size[24];

	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	if (pattern != PATTERN_STRIDE)
		return setting_copy(pattern_name(pattern), text);
	size_format(run->params.stride_bytes, size);
	*text = text_format("stride of %s", size);
	return setting_done(text);
}

int run_rwf_text(const struct run_record *run, const struct campaign *campaign,
		 char **text)
{
	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	if (!run->params.rwf)
		return setting_copy("none", text);
	*text = rwf_text(run->params.rwf);
	return setting_done(text);
}

int run_fadvise_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	return setting_copy(fadvise_name(run->params.fadvise), text);
}

int run_madvise_text(const struct run_record *run,
		     const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	return setting_copy(madvise_name(run->params.madvise), text);
}

int run_warm_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	return setting_is_known(run)
		       ? setting_copy(warm_name(run->params.warm), text)
		       : 0;
}

int run_read_ahead_asked_text(const struct run_record *run,
			      const struct campaign *campaign, char **text)
{
	(void)campaign;
	if (!setting_is_known(run))
		return 0;
	if (!run->params.read_ahead_given)
		return setting_copy("not given", text);
	*text = text_format("%" PRIu64, run->params.read_ahead_kib);
	return setting_done(text);
}

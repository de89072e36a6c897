// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/direct.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/record.h"
#include "lib/system/residency.h"
#include "rawread/ratio.h"

/* Of a tail that is no whole sector, some file systems read by the cache. */
#define TAIL_PAGES 2

/* What others read meanwhile may come too; it is never taken for a proof. */
static uint64_t cached_bytes(const struct direct_evidence *e)
{
	uint64_t before = e->before->resident_bytes;
	uint64_t after = e->after->resident_bytes;

	if (!e->before->known || !e->after->known || after <= before ||
	    after - before <= TAIL_PAGES * e->page_bytes)
		return 0;
	return after - before;
}

static const char *with_reason(const char *verdict, char **reason, char *text)
{
	*reason = text;
	return verdict;
}

/* What the devices say, where there are any. */
static const char *judge_devices(const struct direct_evidence *e, char **reason)
{
	if (e->device_bytes < 0)
		return with_reason(
			DIRECT_UNKNOWN, reason,
			strdup("a device's counters could not be read"));
	if (!e->bytes)
		return with_reason(DIRECT_UNKNOWN, reason,
				   strdup("no byte was moved"));
	if (ratio_reaches((uint64_t)e->device_bytes, e->bytes, PROOF_PCT))
		return DIRECT_EFFECTIVE;
	if (e->layer)
		return with_reason(DIRECT_NOT_EFFECTIVE, reason,
				   strdup(e->layer));
	return with_reason(
		e->is_alone ? DIRECT_NOT_EFFECTIVE : DIRECT_UNKNOWN, reason,
		text_format("device bytes %" PRId64 " of %" PRIu64 "%s",
			    e->device_bytes, e->bytes,
			    e->is_alone ? "" : " of all targets"));
}

int direct_judge(const struct direct_evidence *e, const char **verdict,
		 char **reason, struct err *err)
{
	uint64_t cached = cached_bytes(e);

	*reason = NULL;
	if (e->reads_nothing)
		*verdict = with_reason(DIRECT_UNKNOWN, reason,
				       strdup("the engine null moves nothing"));
	else if (cached)
		*verdict = with_reason(DIRECT_NOT_EFFECTIVE, reason,
				       text_format("%" PRIu64 " bytes came "
						   "into the page cache",
						   cached));
	else if (e->hidden)
		*verdict = with_reason(DIRECT_UNKNOWN, reason,
				       strdup(e->layer ? e->layer
						       : "what is below is out "
							 "of sight"));
	else if (!e->has_devices)
		*verdict = with_reason(
			e->layer ? DIRECT_NOT_EFFECTIVE : DIRECT_UNKNOWN,
			reason,
			strdup(e->layer ? e->layer
					: "no block device could be watched"));
	else
		*verdict = judge_devices(e, reason);
	if (!*reason && strcmp(*verdict, DIRECT_EFFECTIVE) != 0)
		return err_set(err, -ENOMEM, "judge direct I/O");
	return 0;
}

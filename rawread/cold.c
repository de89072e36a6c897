// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/cold.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/err.h"
#include "lib/record/record.h"
#include "lib/system/extents.h"
#include "lib/system/residency.h"
#include "rawread/ratio.h"

#define NO_DEVICE "no block device could be watched"

/* Holes and the like beyond what is allowed to be missing. */
static bool is_too_much(uint64_t part, uint64_t whole)
{
	return part &&
	       (part > whole || !ratio_reaches(whole - part, whole, PROOF_PCT));
}

static unsigned int share_pct(uint64_t part, uint64_t whole)
{
	return (unsigned int)ratio_of(part, 100, whole);
}

/* Each adds its sentence when it finds something. */

static int find_resident(const struct cold_evidence *e, struct run_cold *cold)
{
	const struct residency *before = e->before;
	uint64_t bytes = before->resident_bytes;
	char dirty[64] = "";

	if (!before->known || !bytes)
		return 0;
	cold->verdict = COLD_WARM;
	/* Pages may reach beyond the range. */
	if (bytes > e->range_bytes)
		bytes = e->range_bytes;
	if (before->dirty_bytes)
		snprintf(dirty, sizeof(dirty),
			 ", %" PRIu64 " dirty or under writeback",
			 before->dirty_bytes);
	return run_cold_add_cause(cold,
				  "%" PRIu64 " of %" PRIu64
				  " bytes of the range were in the page cache "
				  "before%s",
				  bytes, e->range_bytes, dirty);
}

static int find_twice(const struct cold_evidence *e, struct run_cold *cold)
{
	if (e->unique_bytes >= e->bytes)
		return 0;
	cold->verdict = COLD_WARM;
	return run_cold_add_cause(cold,
				  "blocks were read twice: %" PRIu64
				  " bytes delivered, %" PRIu64
				  " of them for the first time",
				  e->bytes, e->unique_bytes);
}

static int find_layer(const struct cold_evidence *e, struct run_cold *cold)
{
	if (!e->layer || e->hidden)
		return 0;
	cold->verdict = COLD_WARM;
	return run_cold_add_cause(cold, "%s", e->layer);
}

/*
 * What others read from the lowest devices does not pass those of the mounts,
 * and what these answer from memory below does not reach the lowest.
 */
static int64_t device_bytes_of(const struct cold_evidence *e)
{
	return e->mount_bytes < e->lowest_bytes ? e->mount_bytes
						: e->lowest_bytes;
}

static int find_few_device_bytes(const struct cold_evidence *e,
				 struct run_cold *cold)
{
	int64_t bytes = device_bytes_of(e);

	if (!e->has_devices || bytes < 0 ||
	    ratio_reaches((uint64_t)bytes, e->unique_bytes, PROOF_PCT))
		return 0;
	cold->verdict = COLD_WARM;
	/* In the words of reports, which then tell it once. */
	return run_cold_add_cause(cold, "device bytes %" PRId64 " of %" PRIu64,
				  bytes, e->unique_bytes);
}

static int find_holes(const struct cold_evidence *e, struct run_cold *cold)
{
	uint64_t holes = e->extents->hole_bytes + e->extents->unwritten_bytes;

	if (!e->extents->known || !is_too_much(holes, e->range_bytes))
		return 0;
	cold->verdict = COLD_WARM;
	return run_cold_add_cause(cold,
				  "holes and unwritten extents are %" PRIu64
				  " of %" PRIu64 " bytes of the range (%u %%)",
				  holes, e->range_bytes,
				  share_pct(holes, e->range_bytes));
}

static int find_encoded(const struct cold_evidence *e, struct run_cold *cold)
{
	uint64_t encoded = e->extents->encoded_bytes + e->extents->inline_bytes;

	if (!e->extents->known || !is_too_much(encoded, e->range_bytes))
		return 0;
	cold->verdict = COLD_WARM;
	return run_cold_add_cause(
		cold,
		"compressed or inline extents are %" PRIu64 " of %" PRIu64
		" bytes of the range (%u %%), so fewer bytes "
		"came from the device",
		encoded, e->range_bytes, share_pct(encoded, e->range_bytes));
}

static int find_nothing_read(const struct cold_evidence *e,
			     struct run_cold *cold)
{
	if (!e->reads_nothing)
		return 0;
	cold->verdict = COLD_UNKNOWN;
	return run_cold_add_cause(cold, "the engine null reads nothing");
}

static int find_unknown(const struct cold_evidence *e, struct run_cold *cold)
{
	int rc = 0;

	if (!e->before->known) {
		cold->verdict = COLD_UNKNOWN;
		rc = run_cold_add_cause(cold, "page cache: %s",
					e->before->reason[0]
						? e->before->reason
						: "not told by the kernel");
	}
	if (!rc && e->extents_reason) {
		cold->verdict = COLD_UNKNOWN;
		rc = run_cold_add_cause(cold, "layout cannot be told: %s",
					e->extents_reason);
	}
	if (!rc && e->hidden) {
		cold->verdict = COLD_UNKNOWN;
		rc = run_cold_add_cause(cold, "%s",
					e->layer ? e->layer : NO_DEVICE);
	} else if (!rc && device_bytes_of(e) < 0 && !e->layer) {
		cold->verdict = COLD_UNKNOWN;
		rc = run_cold_add_cause(
			cold, "%s",
			e->has_devices ? "a device's counters could not be read"
				       : NO_DEVICE);
	}
	return rc;
}

/*
 * Whoever reads the same files at the same time moves the devices as we do,
 * and leaves us pages that no device had to be asked for.
 */
static int find_others(const struct cold_evidence *e, struct run_cold *cold)
{
	if (cold->verdict != COLD_PROVED || e->fetched_bytes < 0 ||
	    ratio_reaches((uint64_t)e->fetched_bytes, e->unique_bytes,
			  PROOF_PCT))
		return 0;
	cold->verdict = COLD_UNKNOWN;
	return run_cold_add_cause(cold,
				  "this process fetched %" PRId64 " of %" PRIu64
				  " bytes itself; others read these files too",
				  e->fetched_bytes, e->unique_bytes);
}

static int find_write(const struct cold_evidence *e, struct run_cold *cold)
{
	(void)e;
	cold->verdict = COLD_UNKNOWN;
	return run_cold_add_cause(cold, "the test writes");
}

static int find_filled(const struct cold_evidence *e, struct run_cold *cold)
{
	int rc;

	cold->verdict = COLD_WARM;
	rc = run_cold_add_cause(cold, "filled by %s before, as --warm asked",
				e->warm == WARM_FILL_WRITE ? "writing"
							   : "reading");
	/* Pages of a hole are zeros, and small ones. */
	if (!rc)
		rc = find_holes(e, cold);
	if (rc < 0 || !e->before->known ||
	    e->before->resident_bytes >= e->range_bytes)
		return rc;
	return run_cold_add_cause(cold,
				  "only %" PRIu64 " of %" PRIu64
				  " bytes of the range were in the page cache "
				  "before",
				  e->before->resident_bytes, e->range_bytes);
}

static int find_all(const struct cold_evidence *e, struct run_cold *cold)
{
	/*
	 * What is not known first: what shows memory outweighs it. Of that what
	 * says why stands before that few bytes came, which follows from it.
	 */
	static int (*const finders[])(const struct cold_evidence *,
				      struct run_cold *) = {
		find_unknown,
		find_resident,
		find_twice,
		find_layer,
		find_holes,
		find_encoded,
		find_few_device_bytes,
		find_others,
	};
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < sizeof(finders) / sizeof(finders[0]); i++)
		rc = finders[i](e, cold);
	return rc;
}

int cold_judge(const struct cold_evidence *e, struct run_cold *cold,
	       struct err *err)
{
	const struct extent_shares *extents = e->extents;
	int rc;

	*cold = (struct run_cold){
		.verdict = COLD_PROVED,
		.resident_before_bytes =
			e->before->known ? (int64_t)e->before->resident_bytes
					 : -1,
		.resident_after_bytes =
			e->after->known ? (int64_t)e->after->resident_bytes
					: -1,
		.device_bytes = device_bytes_of(e),
		.hole_bytes = -1,
		.encoded_bytes = -1,
	};
	if (extents->known) {
		cold->hole_bytes = (int64_t)(extents->hole_bytes +
					     extents->unwritten_bytes);
		cold->encoded_bytes = (int64_t)(extents->encoded_bytes +
						extents->inline_bytes);
	}
	rc = e->reads_nothing ? find_nothing_read(e, cold)
	     : e->writes      ? find_write(e, cold)
	     : e->warm	      ? find_filled(e, cold)
			      : find_all(e, cold);
	return rc < 0 ? err_set(err, rc, "judge the run") : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Was the run cold? A pure function of what was observed; rawread(1) has the
 * rule. Any thread.
 */
#ifndef RAWREAD_COLD_H
#define RAWREAD_COLD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/params.h"

struct err;
struct extent_shares;
struct residency;
struct run_cold;

struct cold_evidence {
	const struct residency *before, *after;
	const struct extent_shares *extents;
	const char *extents_reason; /* why they could not be told, or NULL */
	const char *layer;	    /* see lib/system/storage.h */
	bool hidden;
	bool has_devices;
	bool reads_nothing;    /* the engine does */
	bool writes;	       /* the test does */
	enum warm warm;	       /* how the cache was filled before */
	int64_t lowest_bytes;  /* the lowest devices read; -1: not told */
	int64_t mount_bytes;   /* those of the mounts themselves did; -1 */
	int64_t fetched_bytes; /* by this process, as the kernel has it; -1 */
	uint64_t range_bytes;  /* of all targets */
	uint64_t bytes;	       /* delivered */
	uint64_t unique_bytes;
};

/*
 * Fills @cold: the figures, the verdict, and a sentence for everything that
 * speaks against cold. What shows memory was read makes it warm, else what
 * cannot be known makes it unknown. A run that --warm asked for is warm, and
 * one that writes has no such thing. Returns 0 or -ENOMEM; @cold is then to be
 * freed too, with its run record.
 */
int cold_judge(const struct cold_evidence *evidence, struct run_cold *cold,
	       struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Did O_DIRECT go past the page cache? That open() took the flag says little:
 * memory file systems, FUSE and compressed files take it and go their own
 * way. A pure function of what was observed. Any thread.
 */
#ifndef RAWREAD_DIRECT_H
#define RAWREAD_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct residency;

#define DIRECT_EFFECTIVE     "effective"
#define DIRECT_NOT_EFFECTIVE "not effective"
#define DIRECT_UNKNOWN	     "unknown"

struct direct_evidence {
	/* Of the one target. */
	const struct residency *before, *after;
	const char *layer; /* see lib/system/storage.h */
	bool has_devices;
	bool hidden;
	/* Of the run, without targets that have no devices. */
	bool is_alone;	      /* there is no other */
	bool reads_nothing;   /* the engine does */
	uint64_t page_bytes;  /* of the machine */
	int64_t device_bytes; /* of the lowest or the mounts: the fewer; -1 */
	uint64_t bytes;	      /* moved by all of them */
};

/*
 * Sets *@verdict to one of those above, and *@reason to a sentence that the
 * caller frees, or NULL when it is effective. Returns 0 or -ENOMEM.
 *
 * Pages that came into the cache tell of this target. Of several targets the
 * devices' bytes tell of all or of none: which of them was served from memory
 * is not known.
 */
int direct_judge(const struct direct_evidence *evidence, const char **verdict,
		 char **reason, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --warm: a page cache that is full in a known way, since how it was filled
 * (the size of its folios) moves a run from memory up to twofold. Main thread.
 */
#ifndef RAWREAD_WARM_H
#define RAWREAD_WARM_H

#include "lib/record/params.h"

struct err;
struct plan;
struct target;

/* Of one read or write that fills. */
#define WARM_CHUNK_BYTES (UINT64_C(1) << 20)

/*
 * Empties the page cache of each target's range (of the whole file where a
 * folio reaches beyond the range; of the whole device), then fills it, one
 * target after the other from its start: by reading, with the read-ahead in
 * force, or by writing what is there again, which is on disk when it returns.
 * Then all of it must be there. On file systems in memory nothing is emptied.
 *
 * Returns 0; -EBUSY when it could not be emptied; -ENOMEM when the cache did
 * not keep it; -EINTR when a signal asked for the end; -errno. @targets may be
 * written when @warm says so: that is the caller's to have found out.
 */
int warm_fill(enum warm warm, const struct plan *plan,
	      const struct target *targets, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing is believed that can be asked: after a flush the cache is asked
 * what it still holds of each file. Main thread.
 */
#ifndef RAWREAD_SWEEP_FLUSH_PROOF_H
#define RAWREAD_SWEEP_FLUSH_PROOF_H

#include <stdbool.h>

struct err;
struct flush;
struct run_flush;

/*
 * Asks, and while something is left goes down the ladder: the files' own
 * pages, then, where it was allowed, the machine's. What was needed and why
 * is put into @result (@alive, or NULL, is part of why). That the cache is
 * warm after all is told by @is_left, and no error: the run will say so too.
 * Returns 0 or -errno.
 */
int flush_prove(const struct flush *flush, const char *alive,
		struct run_flush *result, bool *is_left, struct err *err);

#endif

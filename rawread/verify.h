/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --verify compares the targets with. Main thread. */
#ifndef RAWREAD_VERIFY_H
#define RAWREAD_VERIFY_H

#include <stdint.h>

struct err;
struct targets;

/*
 * The seed of each target's content (see lib/base/content.h), which the caller
 * frees. Returns 0; -EINVAL for one that "rawread prepare" did not make, or
 * whose file system keeps no mark; -ENOMEM.
 */
int verify_seeds(const struct targets *targets, uint64_t **seeds,
		 struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of storage on scratch loop devices ask for. */
#ifndef RAWREAD_TESTS_UNIT_SCRATCH_STORAGE_H
#define RAWREAD_TESTS_UNIT_SCRATCH_STORAGE_H

#include "lib/system/storage.h"

struct scratch_loop;

struct storage scratch_storage_of(int fd);

/* The mount is on @loop and nothing else. */
void scratch_expect_mount(const struct storage *storage,
			  const struct scratch_loop *loop);

/*
 * Below lies the disk of TMPDIR, which is known from the loop below
 * /mnt/base; where that hangs on no disk, it is its own lowest.
 */
void scratch_expect_lowest(const struct storage *storage,
			   const struct scratch_loop *base);

/* The layer's sentences have @part in them. */
void scratch_expect_layer(const struct storage *storage, const char *part);

#endif

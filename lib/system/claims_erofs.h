/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a file is the image of an erofs that tells no device: private to
 * lib/system. Any thread.
 */
#ifndef RAWREAD_SYSTEM_CLAIMS_EROFS_H
#define RAWREAD_SYSTEM_CLAIMS_EROFS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether the file that is open at @fd for reading (-1: it cannot be had) may
 * be the image of the erofs @dev that is mounted at @target; also when that
 * cannot be told.
 */
bool claim_erofs_may_be(int fd, const char *target, dev_t dev);

#endif

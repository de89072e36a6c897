/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File systems whose files are theirs alone: private to lib/system. */
#ifndef RAWREAD_SYSTEM_CLAIMS_PLAIN_H
#define RAWREAD_SYSTEM_CLAIMS_PLAIN_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether @dev, a number of no block device, is that of such a file system
 * (tmpfs, btrfs, …; not overlay, FUSE or NFS) in a mount namespace that can be
 * seen. On btrfs files have other numbers than mounts, so those are not found.
 */
bool claim_dev_is_plain(const char *root, dev_t dev);

#endif

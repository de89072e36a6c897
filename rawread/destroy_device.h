/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block devices as targets of a run that writes, for destroy.h. Main thread. */
#ifndef RAWREAD_DESTROY_DEVICE_H
#define RAWREAD_DESTROY_DEVICE_H

#include <stdbool.h>

struct claim;
struct destroy;
struct err;
struct target;

/*
 * Adds what leads to the bytes of @target to @destroy; @looks_only: opened for
 * reading alone, as no udev rule minds. Returns 0; -EBUSY with who holds it;
 * -errno.
 */
int destroy_claim_device(const struct target *target, bool looks_only,
			 struct destroy *destroy, struct err *err);

/*
 * Whether we might write @target, asked of the file that is open: by opening it
 * some file systems copy all of it, and its path may lead elsewhere by now.
 */
int destroy_look_writable(const struct target *target, struct err *err);

/* It is @target still, and can be written. */
int destroy_check_writable(int fd, const struct target *target,
			   struct err *err);

/* Returns -EBUSY. */
int destroy_refuse_claimed(const char *path, const struct claim *claim,
			   struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a file that read faster than their bytes, by FIEMAP. Any thread. */
#ifndef RAWREAD_SYSTEM_EXTENTS_H
#define RAWREAD_SYSTEM_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/* Bytes of the range asked for; they may overlap (encoded and shared). */
struct extent_shares {
	bool known;	     /* false: the file system has no FIEMAP */
	uint64_t hole_bytes; /* no extent at all */
	uint64_t unwritten_bytes;
	uint64_t encoded_bytes; /* compressed */
	uint64_t inline_bytes;
	uint64_t shared_bytes;	/* reflinked */
	uint64_t delayed_bytes; /* not on disk yet */
};

/*
 * Of exactly @size_bytes from @offset_bytes, cut at the end of the file. A
 * loop device is as its backing file, or a part of that; any other block
 * device has none of these: known, all 0. Syncs the file first where
 * the kernel allows. Returns 0, also when not known; -errno, and then *@shares
 * is all 0 and not known.
 */
int extents_read(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		 struct extent_shares *shares, struct err *err);

#endif

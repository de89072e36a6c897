/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which block comes next. A thread's sequence counts positions, either of its
 * own part of the range or of a counter that it shares with the other threads
 * of its target; a position is a block, or is sent through a permutation to
 * become one.
 *
 * A struct sequence belongs to one worker. The counter of a target is shared
 * while the workers run, and lies on a cache line of its own.
 */
#ifndef RAWREAD_SEQUENCE_H
#define RAWREAD_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rawread/permutation.h"

#define CACHE_LINE_BYTES 128 /* two of 64: they are fetched in pairs */

struct sequence_counter {
	_Alignas(CACHE_LINE_BYTES) _Atomic uint64_t taken;
};

struct sequence {
	struct sequence_counter *counter; /* NULL: positions of its own */
	uint64_t next;			  /* own position */
	uint64_t first; /* own part; the whole range with a counter */
	uint64_t end;
	bool wraps; /* begins again at the end */
	bool is_random;
	uint64_t block_bytes;
	uint64_t offset_bytes;	   /* of block 0 in the target */
	uint64_t last_block;	   /* which may be shorter … */
	uint64_t last_asked_bytes; /* … and is asked for like this */
	struct permutation order;  /* of the blocks when is_random */
};

/* What a sequence is made from. */
struct sequence_part {
	uint64_t offset_bytes, range_bytes; /* of the target */
	uint64_t block_bytes;
	uint64_t first, count;	   /* blocks: its part of the range */
	uint64_t last_asked_bytes; /* of the range's last block */
	bool wraps;
	bool is_random;
	uint64_t seed;
};

/* @counter: NULL, or that of the target, at 0. */
void sequence_init(struct sequence *sequence, const struct sequence_part *part,
		   struct sequence_counter *counter);

/* Blocks of @block_bytes in @range_bytes, a shorter last one counted. */
static inline uint64_t sequence_blocks(uint64_t range_bytes,
				       uint64_t block_bytes)
{
	return range_bytes / block_bytes + (range_bytes % block_bytes != 0);
}

/*
 * Where to read and how much to ask for; false at the end. In the measured
 * loop: no call, and a lock prefix only where a counter is shared.
 */
static inline bool sequence_next(struct sequence *sequence,
				 uint64_t *offset_bytes, uint64_t *size_bytes)
{
	uint64_t block;

	if (sequence->counter) {
		block = atomic_fetch_add_explicit(&sequence->counter->taken, 1,
						  memory_order_relaxed);
		if (block >= sequence->end) {
			if (!sequence->wraps)
				return false;
			block %= sequence->end;
		}
	} else {
		block = sequence->next;
		if (block == sequence->end) {
			if (!sequence->wraps || block == sequence->first)
				return false;
			block = sequence->first;
		}
		sequence->next = block + 1;
	}
	if (sequence->is_random)
		block = permutation_at(&sequence->order, block);
	*offset_bytes = sequence->offset_bytes + block * sequence->block_bytes;
	*size_bytes = block == sequence->last_block ? sequence->last_asked_bytes
						    : sequence->block_bytes;
	return true;
}

#endif

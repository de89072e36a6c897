/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which block comes next. A thread's sequence counts positions, its own or
 * those of a counter that it shares with the other threads of its target. A
 * position is an index base + position x step, and an index is a block, or
 * becomes one by a permutation or by a draw.
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

/* A limit that is never reached: somebody else ends the run. */
#define SEQUENCE_ENDLESS UINT64_MAX

struct sequence_counter {
	_Alignas(CACHE_LINE_BYTES) _Atomic uint64_t taken;
};

/* What becomes of an index. */
enum sequence_order {
	SEQUENCE_PLAIN,	   /* it is the block */
	SEQUENCE_PERMUTED, /* a block of the range, each index another one */
	SEQUENCE_DRAWN	   /* a block of the range, drawn anew */
};

/* What a sequence is made from. */
struct sequence_part {
	uint64_t offset_bytes, range_bytes; /* of the target */
	uint64_t block_bytes;
	uint64_t last_asked_bytes; /* of the range's last block */
	uint64_t base;
	uint64_t step;	/* modulo 2^64: backwards is a large one */
	uint64_t count; /* positions until it begins again */
	uint64_t limit; /* positions to be taken; more than count: again */
	enum sequence_order order;
	uint64_t seed;
};

struct sequence {
	/* What follows in even steps, each of a whole block: how many, the
	 * next one's offset, and how far it is to the one after it.
	 */
	uint64_t even_left, even_bytes, step_bytes;
	uint64_t block_bytes;

	struct sequence_counter *counter; /* NULL: positions of its own */
	uint64_t position;		  /* after those, below end */
	uint64_t end;			  /* of this turn */
	uint64_t left;			  /* own positions after this turn */
	uint64_t base, step, count, limit;
	enum sequence_order order;
	uint64_t offset_bytes;	   /* of block 0 in the target */
	uint64_t last_block;	   /* which may be shorter … */
	uint64_t last_asked_bytes; /* … and is asked for like this */
	struct permutation permutation;
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
 * What sequence_next() answers where blocks do not follow in even steps: they
 * come from a counter or in an order of their own, a part begins or ends.
 */
bool sequence_seek(struct sequence *sequence, uint64_t *offset_bytes,
		   uint64_t *size_bytes);

/*
 * Where to read and how much to ask for; false at the end. In the measured
 * loop: an addition, and all else is in a call.
 */
static inline bool sequence_next(struct sequence *sequence,
				 uint64_t *offset_bytes, uint64_t *size_bytes)
{
	if (!sequence->even_left)
		return sequence_seek(sequence, offset_bytes, size_bytes);
	sequence->even_left--;
	*offset_bytes = sequence->even_bytes;
	*size_bytes = sequence->block_bytes;
	sequence->even_bytes += sequence->step_bytes;
	return true;
}

#endif

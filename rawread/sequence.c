// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/sequence.h"

#include <assert.h>

#include "lib/base/splitmix.h"
#include "rawread/ratio.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void sequence_init(struct sequence *sequence, const struct sequence_part *part,
		   struct sequence_counter *counter)
{
	uint64_t blocks = sequence_blocks(part->range_bytes, part->block_bytes);

	assert(blocks > 0 && (part->count || !part->limit));
	/* A counter is compared with the lesser of both first. */
	*sequence = (struct sequence){
		.counter = counter,
		.end = 0,
		.left = part->limit,
		.base = part->base,
		.step = part->step,
		.count = least(part->count, part->limit),
		.limit = part->limit,
		.order = part->order,
		.step_bytes = part->step * part->block_bytes,
		.block_bytes = part->block_bytes,
		.offset_bytes = part->offset_bytes,
		.last_block = blocks - 1,
		.last_asked_bytes = part->last_asked_bytes,
		.seed = part->seed,
	};
	if (part->order == SEQUENCE_PERMUTED)
		permutation_init(&sequence->permutation, blocks, part->seed);
}

/* Begins its own part again; false when all that is to be read was. */
static bool turn(struct sequence *sequence)
{
	if (!sequence->left)
		return false;
	sequence->position = 0;
	sequence->end = least(sequence->count, sequence->left);
	if (sequence->left != SEQUENCE_ENDLESS)
		sequence->left -= sequence->end;
	return true;
}

/* A block of the range by @index: independent of those of other indices. */
static uint64_t draw(const struct sequence *sequence, uint64_t index)
{
	uint64_t state = splitmix_before(sequence->seed, index);
	uint64_t random = splitmix_next(&state);
	uint64_t high = sequence->last_block + 1;

	/* The high half of the product is below, and as good as even. */
	return (uint64_t)((ratio_product)random * high >> 64);
}

/*
 * The first position of a turn. All but the ends of it come evenly: the range's
 * last block, which may be shorter, is the highest, so that it comes first or
 * last.
 */
static uint64_t begin_turn(struct sequence *sequence)
{
	if (sequence->order == SEQUENCE_PLAIN && sequence->end > 2) {
		sequence->even_left = sequence->end - 2;
		sequence->even_bytes = sequence->offset_bytes +
				       sequence->base * sequence->block_bytes +
				       sequence->step_bytes;
		sequence->position = sequence->end - 1;
	} else {
		sequence->position = 1;
	}
	return 0;
}

bool sequence_seek(struct sequence *sequence, uint64_t *offset_bytes,
		   uint64_t *size_bytes)
{
	uint64_t block;

	if (sequence->counter) {
		block = atomic_fetch_add_explicit(&sequence->counter->taken, 1,
						  memory_order_relaxed);
		if (block >= sequence->count) {
			if (block >= sequence->limit)
				return false;
			block %= sequence->count;
		}
	} else if (sequence->position == sequence->end) {
		if (!turn(sequence))
			return false;
		block = begin_turn(sequence);
	} else {
		block = sequence->position++;
	}
	block = sequence->base + block * sequence->step;
	if (sequence->order == SEQUENCE_PERMUTED)
		block = permutation_at(&sequence->permutation, block);
	else if (sequence->order == SEQUENCE_DRAWN)
		block = draw(sequence, block);
	*offset_bytes = sequence->offset_bytes + block * sequence->block_bytes;
	*size_bytes = block == sequence->last_block ? sequence->last_asked_bytes
						    : sequence->block_bytes;
	return true;
}

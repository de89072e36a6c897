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
		.block_bytes = part->block_bytes,
		.offset_bytes = part->offset_bytes,
		.last_block = blocks - 1,
		.last_asked_bytes = part->last_asked_bytes,
		.seed = part->seed,
	};
	if (part->order == SEQUENCE_PERMUTED)
		permutation_init(&sequence->permutation, blocks, part->seed);
}

bool sequence_turn(struct sequence *sequence)
{
	if (!sequence->left)
		return false;
	sequence->position = 0;
	sequence->end = least(sequence->count, sequence->left);
	if (sequence->left != SEQUENCE_ENDLESS)
		sequence->left -= sequence->end;
	return true;
}

uint64_t sequence_draw(const struct sequence *sequence, uint64_t index)
{
	uint64_t state = sequence->seed, high = sequence->last_block + 1;
	uint64_t random;

	/* The generator is a counter: any of its numbers can be had at once. */
	state += index * SPLITMIX_STEP;
	random = splitmix_next(&state);
	/* The high half of the product is below, and as good as even. */
	return (uint64_t)((ratio_product)random * high >> 64);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/sequence.h"

#include <assert.h>

void sequence_init(struct sequence *sequence, const struct sequence_part *part,
		   struct sequence_counter *counter)
{
	uint64_t blocks = sequence_blocks(part->range_bytes, part->block_bytes);

	assert(blocks > 0 && part->first + part->count <= blocks);
	*sequence = (struct sequence){
		.counter = counter,
		.next = part->first,
		.first = part->first,
		.end = part->first + part->count,
		.wraps = part->wraps,
		.is_random = part->is_random,
		.block_bytes = part->block_bytes,
		.offset_bytes = part->offset_bytes,
		.last_block = blocks - 1,
		.last_asked_bytes = part->last_asked_bytes,
	};
	if (part->is_random)
		permutation_init(&sequence->order, blocks, part->seed);
}

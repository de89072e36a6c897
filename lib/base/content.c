// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/content.h"

#include <string.h>

#include "lib/base/splitmix.h"

#define WORD_BYTES sizeof(uint64_t)

/* Words between two looks at whether one differed. */
#define STRIDE_WORDS 64

void content_fill(uint64_t seed, uint64_t first_word, uint64_t *words,
		  size_t count)
{
	uint64_t state = splitmix_before(seed, first_word);
	size_t i;

	for (i = 0; i < count; i++)
		words[i] = splitmix_next(&state);
}

/* The first of @size bytes that differs; @size when none does. */
static size_t first_wrong(uint64_t seed, uint64_t offset_bytes,
			  const unsigned char *data, size_t size)
{
	uint64_t state = splitmix_before(seed, offset_bytes / WORD_BYTES);
	size_t in_word = offset_bytes % WORD_BYTES, at = 0;

	while (at < size) {
		uint64_t word = splitmix_next(&state);
		const unsigned char *bytes = (const unsigned char *)&word;

		for (; in_word < WORD_BYTES && at < size; in_word++, at++)
			if (data[at] != bytes[in_word])
				return at;
		in_word = 0;
	}
	return size;
}

/* Whether the whole words at @data are those after @state. */
static bool words_equal(uint64_t *state, const unsigned char *data)
{
	uint64_t differs = 0, word;
	size_t i;

	for (i = 0; i < STRIDE_WORDS; i++) {
		memcpy(&word, data + i * WORD_BYTES, WORD_BYTES);
		differs |= word ^ splitmix_next(state);
	}
	return !differs;
}

bool content_check(uint64_t seed, uint64_t offset_bytes, const void *data,
		   size_t size, size_t *wrong)
{
	const size_t stride = STRIDE_WORDS * WORD_BYTES;
	const unsigned char *bytes = data;
	size_t at = -offset_bytes % WORD_BYTES, found;
	uint64_t state;

	/* The bytes before the first whole word, and all of few. */
	if (at > size)
		at = size;
	found = first_wrong(seed, offset_bytes, bytes, at);
	if (found < at)
		goto differs;
	state = splitmix_before(seed, (offset_bytes + at) / WORD_BYTES);
	while (size - at >= stride && words_equal(&state, bytes + at))
		at += stride;
	/* What is left, or the stride that has the difference. */
	found = at +
		first_wrong(seed, offset_bytes + at, bytes + at, size - at);
	if (found == size)
		return true;
differs:
	if (wrong)
		*wrong = found;
	return false;
}

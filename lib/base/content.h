/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "rawread prepare" writes: a sequence of 64-bit words that does not
 * compress, from a seed, any part of which can be made without the rest. In a
 * file the words stand in the byte order of the machine. Pure, any thread.
 */
#ifndef RAWREAD_BASE_CONTENT_H
#define RAWREAD_BASE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills @words with the @count words of @seed from @first_word on. */
void content_fill(uint64_t seed, uint64_t first_word, uint64_t *words,
		  size_t count);

/*
 * Whether @size bytes at @data are those that @seed has at @offset_bytes; any
 * offset, size and alignment. When they are not, *@wrong, which may be NULL,
 * is the index of the first byte that differs.
 */
bool content_check(uint64_t seed, uint64_t offset_bytes, const void *data,
		   size_t size, size_t *wrong);

#endif

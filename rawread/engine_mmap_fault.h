/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGBUS of a mapping: a page that cannot be read, or lies beyond the end of a
 * file that became shorter. The handler puts zeros in place of the mapping
 * from that page on, so that the copy comes to its end, and takes a note.
 *
 * One handler for the process. It looks at what the faulting thread copies
 * from, and hands all other faults to whoever had SIGBUS before.
 */
#ifndef RAWREAD_ENGINE_MMAP_FAULT_H
#define RAWREAD_ENGINE_MMAP_FAULT_H

#include <stdbool.h>
#include <stdint.h>

struct err;

struct mapped_file {
	char *start;	       /* NULL: nothing of it is mapped */
	uint64_t begin_bytes;  /* in the file, where a page begins */
	uint64_t mapped_bytes; /* whatever of the last page is there */
	uint64_t end_bytes;    /* in the file, of what may be read */
};

struct mapped_files {
	struct mapped_file *files;
	unsigned int count;
	/* Set by the handler, cleared by whoever maps again. */
	volatile bool has_fault;
	/* From the start of that mapping to the first page that failed. */
	volatile uint64_t fault_bytes;
};

/* What this thread copies from: set before each copy. */
extern _Thread_local struct mapped_files *volatile mapped_current;

/* Takes SIGBUS over, once for the process. Any thread. Returns 0 or -errno. */
int mapped_catch_faults(struct err *err);

/* Before the mappings go. */
void mapped_forget(const struct mapped_files *mapped);

#endif

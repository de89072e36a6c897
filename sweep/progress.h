/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far we are and how long it will take, in one line of stderr that is
 * written over: only when stderr is a terminal, and nothing otherwise. Main
 * thread.
 */
#ifndef RAWREAD_SWEEP_PROGRESS_H
#define RAWREAD_SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on; /* stderr is a terminal */
	uint64_t begun_ns;
	uint64_t shown_ns; /* when the line was last written */
};

void progress_begin(struct progress *progress);

/*
 * Shows what is being done, and the time left when @done of @total took as
 * long as it did. Several calls in a tenth of a second show only the first.
 */
void progress_show(struct progress *progress, uint64_t done, uint64_t total,
		   const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Takes the line away, so that what follows stands alone. */
void progress_end(struct progress *progress);

/* Pure: 0 while nothing is done yet, which is "not known". */
uint64_t progress_left_ns(uint64_t elapsed_ns, uint64_t done, uint64_t total);

/* "8 s", "2 min 05 s", "3 h 20 min": rounded up to whole seconds. */
void progress_format_ns(uint64_t ns, char text[static 32]);

#endif

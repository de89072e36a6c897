// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/base/clock.h"

#define SHOW_EVERY_NS (NS_PER_S / 10)

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){ .on = isatty(STDERR_FILENO),
				       .begun_ns = clock_now_ns() };
}

uint64_t progress_left_ns(uint64_t elapsed_ns, uint64_t done, uint64_t total)
{
	/* Nanoseconds times bytes are more than 64 bits hold. */
	__extension__ unsigned __int128 product = elapsed_ns;

	if (!done || done >= total)
		return 0;
	return (uint64_t)(product * (total - done) / done);
}

void progress_format_ns(uint64_t ns, char text[static 32])
{
	uint64_t s = ns / NS_PER_S + (ns % NS_PER_S != 0);

	if (s < 60)
		snprintf(text, 32, "%u s", (unsigned int)s);
	else if (s < 3600)
		snprintf(text, 32, "%u min %02u s", (unsigned int)(s / 60),
			 (unsigned int)(s % 60));
	else
		snprintf(text, 32, "%llu h %02u min",
			 (unsigned long long)(s / 3600),
			 (unsigned int)(s % 3600 / 60));
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total,
		   const char *format, ...)
{
	uint64_t now_ns = clock_now_ns(), left_ns;
	char left[32];
	va_list ap;

	if (!progress->on ||
	    (progress->shown_ns && now_ns - progress->shown_ns < SHOW_EVERY_NS))
		return;
	progress->shown_ns = now_ns;
	fputs("\r\033[K", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	left_ns = progress_left_ns(now_ns - progress->begun_ns, done, total);
	if (left_ns) {
		progress_format_ns(left_ns, left);
		fprintf(stderr, ", %s left", left);
	}
	fflush(stderr);
}

void progress_end(struct progress *progress)
{
	if (progress->on && progress->shown_ns)
		fputs("\r\033[K", stderr);
	progress->shown_ns = 0;
}

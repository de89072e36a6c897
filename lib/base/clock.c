// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/clock.h"

#include "lib/base/file.h"

char *clock_wall_text(void)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	return text_format("%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
			   utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
			   utc.tm_sec);
}

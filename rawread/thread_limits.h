/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a thread could not be made: the limits on them, as they stand now. */
#ifndef RAWREAD_THREAD_LIMITS_H
#define RAWREAD_THREAD_LIMITS_H

struct err;

/*
 * Says that thread @number (from 0) of @count failed with @code, and what the
 * limits are. Returns @code. Main thread.
 */
int thread_limits_say(int code, unsigned int number, unsigned int count,
		      struct err *err);

#endif

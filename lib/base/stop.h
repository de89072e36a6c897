/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT ask for an end in order. One flag for
 * the process: the handler sets it, everyone else looks at it when a step is
 * done.
 */
#ifndef RAWREAD_BASE_STOP_H
#define RAWREAD_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

/* The signals that are taken over: the one list of them. */
void stop_signals(sigset_t *signals);

/*
 * Takes those signals over, and ignores SIGPIPE and SIGXFSZ, so that a closed
 * pipe is an EPIPE and a limit of file size an EFBIG where it is written.
 * System calls are interrupted (no SA_RESTART). A signal that was ignored at
 * the start (nohup) stays ignored. Call once, from the main thread, before
 * others are started.
 */
void stop_install(void);

/* The first signal that came, or 0. Any thread; relaxed. */
int stop_signal(void);

static inline bool stop_asked(void)
{
	return stop_signal() != 0;
}

#endif

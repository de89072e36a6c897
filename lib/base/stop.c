// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/stop.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_int first_signal;

static void stop_handler(int number)
{
	int none = 0;

	atomic_compare_exchange_strong(&first_signal, &none, number);
}

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

void stop_signals(sigset_t *signals)
{
	size_t i;

	sigemptyset(signals);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaddset(signals, ends[i]);
}

void stop_install(void)
{
	struct sigaction act = { .sa_handler = stop_handler }, before;
	size_t i;

	/* Else the last of several that are pending would be handled first. */
	stop_signals(&act.sa_mask);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		sigaction(ends[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(ends[i], &act, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int stop_signal(void)
{
	return atomic_load_explicit(&first_signal, memory_order_relaxed);
}

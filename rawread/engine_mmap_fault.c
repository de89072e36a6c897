// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine_mmap_fault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/err.h"

_Thread_local struct mapped_files *volatile mapped_current;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction previous;
static uintptr_t page_bytes;
static int failed; /* -errno */

/* The mapping of this thread that @address lies in, or NULL. */
static const struct mapped_file *find(const struct mapped_files *mapped,
				      uintptr_t address)
{
	unsigned int i;

	for (i = 0; mapped && i < mapped->count; i++) {
		const struct mapped_file *file = &mapped->files[i];
		uintptr_t start = (uintptr_t)file->start;

		if (start && address >= start &&
		    (address - start) / page_bytes <=
			    (file->mapped_bytes - 1) / page_bytes)
			return file;
	}
	return NULL;
}

/* mmap(2) is a system call and no more, so a handler may call it. */
static bool replace(struct mapped_files *mapped, uintptr_t address)
{
	const struct mapped_file *file = find(mapped, address);
	uint64_t skipped;

	if (!file)
		return false;
	skipped = (address - (uintptr_t)file->start) / page_bytes * page_bytes;
	if (mmap(file->start + skipped, file->mapped_bytes - skipped, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	/* A copy need not go from the first byte to the last. */
	if (!mapped->has_fault || skipped < mapped->fault_bytes)
		mapped->fault_bytes = skipped;
	mapped->has_fault = true;
	return true;
}

/*
 * As if we were not there. With the kernel's own disposition the fault comes
 * again when we return, and a signal that somebody sent has to be sent again.
 * So has what the kernel tells early of bad memory (BUS_MCEERR_AO): no
 * instruction of ours met it.
 */
static void hand_on(int signal_number, siginfo_t *info, void *context)
{
	bool was_sent = info->si_code <= 0 || info->si_code == BUS_MCEERR_AO;

	if (previous.sa_flags & SA_SIGINFO) {
		previous.sa_sigaction(signal_number, info, context);
	} else if (previous.sa_handler == SIG_DFL ||
		   (previous.sa_handler == SIG_IGN && !was_sent)) {
		signal(signal_number, SIG_DFL);
		if (was_sent)
			raise(signal_number);
	} else if (previous.sa_handler != SIG_IGN) {
		previous.sa_handler(signal_number);
	}
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
	int saved = errno;
	bool is_ours = info->si_code == BUS_ADRERR ||
		       info->si_code == BUS_MCEERR_AR;

	if (!is_ours || !replace(mapped_current, (uintptr_t)info->si_addr))
		hand_on(signal_number, info, context);
	errno = saved;
}

static void install(void)
{
	struct sigaction action = { .sa_sigaction = handle,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };

	page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	/* Asked first: the handler may run before a set one is told. */
	if (sigaction(SIGBUS, NULL, &previous) < 0 ||
	    sigaction(SIGBUS, &action, NULL) < 0)
		failed = -errno;
}

int mapped_catch_faults(struct err *err)
{
	pthread_once(&once, install);
	return failed < 0 ? err_set(err, failed, "catch SIGBUS") : 0;
}

void mapped_forget(const struct mapped_files *mapped)
{
	if (mapped_current == mapped)
		mapped_current = NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/gate.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"

int gate_init(struct gate *gate, struct err *err)
{
	sigset_t ends;
	int code;

	gate->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (gate->event_fd < 0)
		return err_set(err, -errno, "eventfd");
	code = pthread_rwlock_init(&gate->lock, NULL);
	if (code) {
		close(gate->event_fd);
		return err_set(err, -code, "lock of the barrier");
	}
	/* Taken in ppoll() only, so none comes between a look and a wait. */
	stop_signals(&ends);
	pthread_sigmask(SIG_BLOCK, &ends, &gate->before);
	pthread_rwlock_wrlock(&gate->lock);
	return 0;
}

void gate_destroy(struct gate *gate)
{
	pthread_rwlock_destroy(&gate->lock);
	close(gate->event_fd);
	pthread_sigmask(SIG_SETMASK, &gate->before, NULL);
}

static void tell(const struct gate *gate)
{
	uint64_t one = 1;
	ssize_t written = write(gate->event_fd, &one, sizeof(one));

	(void)written; /* fails at 2^64 - 1 only */
}

void gate_pass(struct gate *gate)
{
	tell(gate);
	pthread_rwlock_rdlock(&gate->lock);
	pthread_rwlock_unlock(&gate->lock);
}

void gate_leave(struct gate *gate)
{
	tell(gate);
}

void gate_open(struct gate *gate)
{
	pthread_rwlock_unlock(&gate->lock);
}

/* What is left until @until_ns; 0 when that was. */
static struct timespec time_left(uint64_t until_ns)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;

	return (struct timespec){ .tv_sec = (time_t)(left_ns / NS_PER_S),
				  .tv_nsec = (long)(left_ns % NS_PER_S) };
}

bool gate_wait_until(struct gate *gate, unsigned int *count, uint64_t until_ns)
{
	struct pollfd event = { .fd = gate->event_fd, .events = POLLIN };
	uint64_t told;

	while (*count) {
		struct timespec left = time_left(until_ns);
		int events;

		if (stop_asked())
			return false;
		events = ppoll(&event, 1, &left, &gate->before);
		if (!events)
			return false;
		if (events > 0 &&
		    read(gate->event_fd, &told, sizeof(told)) == sizeof(told))
			*count -= (unsigned int)told;
	}
	return true;
}

bool gate_wait(struct gate *gate, unsigned int *count)
{
	/* A clock that begins at the start does not get there. */
	return gate_wait_until(gate, count, UINT64_MAX);
}

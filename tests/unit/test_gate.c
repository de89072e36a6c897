// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/gate.h"

#include <criterion/criterion.h>
#include <stdatomic.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"

#define MOST_THREADS 50

static struct gate gate;
static atomic_uint passed;
static pthread_t ids[MOST_THREADS];

static void gate_begin(void)
{
	struct err err;

	stop_install();
	cr_assert_eq(gate_init(&gate, &err), 0, "%s", err.text);
}

static void gate_end(void)
{
	gate_destroy(&gate);
}

TestSuite(gate, .init = gate_begin, .fini = gate_end, .timeout = 60);

static void *pass(void *unused)
{
	gate_pass(&gate);
	atomic_fetch_add(&passed, 1);
	gate_leave(&gate);
	return unused;
}

static void threads_start(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		cr_assert(!pthread_create(&ids[i], NULL, pass, NULL));
}

static void threads_join(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		cr_assert(!pthread_join(ids[i], NULL));
}

Test(gate, nobody_passes_before_it_is_open_and_all_do_then)
{
	unsigned int count = MOST_THREADS;

	threads_start(MOST_THREADS);
	cr_expect(gate_wait(&gate, &count));
	cr_expect_eq(count, 0);
	cr_expect_eq(passed, 0);
	gate_open(&gate);
	count = MOST_THREADS;
	cr_expect(gate_wait(&gate, &count));
	cr_expect_eq(count, 0);
	cr_expect_eq(passed, MOST_THREADS);
	threads_join(MOST_THREADS);
}

/* As a run does that could not make all of its threads. */
Test(gate, it_may_be_opened_before_all_have_come)
{
	unsigned int count = 2 * 7;

	threads_start(7);
	gate_open(&gate);
	cr_expect(gate_wait(&gate, &count));
	cr_expect_eq(passed, 7);
	threads_join(7);
}

Test(gate, a_wait_ends_at_its_time_and_tells_who_is_missing)
{
	unsigned int count = 3;

	/* One came, as far as the gate knows. */
	gate_leave(&gate);
	cr_expect_not(gate_wait_until(&gate, &count,
				      clock_now_ns() + 20 * NS_PER_MS));
	cr_expect_eq(count, 2);
	/* A time that was is over at once. */
	cr_expect_not(gate_wait_until(&gate, &count, 0));
	cr_expect_eq(count, 2);
	gate_leave(&gate);
	gate_leave(&gate);
	cr_expect(
		gate_wait_until(&gate, &count, clock_now_ns() + 60 * NS_PER_S));
	cr_expect_eq(count, 0);
}

Test(gate, nobody_is_waited_for_when_nobody_is_to_come)
{
	unsigned int count = 0;

	cr_expect(gate_wait(&gate, &count));
	cr_expect(gate_wait_until(&gate, &count, 0));
}

Test(gate, a_signal_ends_a_wait_and_those_who_came_stay_counted)
{
	unsigned int count = 2;

	/* It is held back until somebody waits. */
	cr_assert(!raise(SIGTERM));
	cr_expect_not(stop_asked());
	cr_expect_not(gate_wait(&gate, &count));
	cr_expect_eq(stop_signal(), SIGTERM);
	cr_expect_eq(count, 2);
	cr_expect_not(
		gate_wait_until(&gate, &count, clock_now_ns() + NS_PER_S));
}

Test(gate, signals_are_as_before_when_it_is_gone)
{
	sigset_t during, after;
	struct err err;

	pthread_sigmask(SIG_SETMASK, NULL, &during);
	cr_expect_eq(sigismember(&during, SIGINT), 1);
	cr_expect_eq(sigismember(&during, SIGTERM), 1);
	gate_destroy(&gate);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	cr_expect_eq(sigismember(&after, SIGINT), 0);
	cr_expect_eq(sigismember(&after, SIGTERM), 0);
	cr_assert_eq(gate_init(&gate, &err), 0);
}

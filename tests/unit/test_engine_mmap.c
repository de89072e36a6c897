// SPDX-License-Identifier: GPL-2.0-or-later
/* SIGBUS: whose it is, and what becomes of it. */
#include "rawread/engine.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rawread/engine_mmap_fault.h"
#include "tests/unit/engine_rig.h"

Test(engine_mmap, reads_to_the_new_end_of_a_file_that_became_shorter)
{
	struct engine_rig rig;

	rig_begin(&rig, &engine_mmap,
		  &(struct rig_want){ .block_bytes = 65536 });
	cr_assert(!truncate(rig.path, 50000));
	cr_expect_eq(rig_io(&rig, 45056, 16384, 0), 4944);
	rig_expect(&rig, 45056, 4944, 0);
	cr_expect_eq(rig_io(&rig, 50000, 4096, 0), 0);
	cr_expect_eq(rig_io(&rig, 65536, 4096, 0), 0);
	cr_expect_eq(rig_io(&rig, 0, 65536, 0), 50000);
	rig_expect(&rig, 0, 50000, 0);
	rig_end(&rig);
}

Test(engine_mmap, finds_the_end_at_once_when_a_read_begins_behind_it)
{
	struct engine_rig rig;

	rig_begin(&rig, &engine_mmap, &(struct rig_want){ 0 });
	cr_assert(!truncate(rig.path, 4096));
	cr_expect_eq(rig_io(&rig, 8192, 4096, 0), 0);
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 4096);
	rig_expect(&rig, 0, 4096, 0);
	rig_end(&rig);
}

Test(engine_mmap, says_that_a_block_is_bad)
{
	const struct io_op op = { .offset_bytes = 8192 };
	struct engine_rig rig;
	char expected[256];
	struct err err;

	rig_begin(&rig, &engine_mmap, &(struct rig_want){ 0 });
	cr_assert(engine_mmap.explain(rig.state, &op, -EIO, &err));
	snprintf(expected, sizeof(expected),
		 "read %s at offset 8192: bad block below the mapping (SIGBUS)",
		 rig.path);
	cr_expect_str_eq(err.text, expected);
	cr_expect_not(engine_mmap.explain(rig.state, &op, -ENOMEM, &err));
	rig_end(&rig);
}

/* A mapping that has nothing behind it, and is not the engine's. */
static volatile char *foreign_mapping(void)
{
	int fd = memfd_create("empty", 0);
	void *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	cr_assert_neq(at, MAP_FAILED);
	close(fd);
	return at;
}

/* A copy may begin with its last bytes. */
Test(engine_mmap, the_first_page_that_failed_is_noted_in_whatever_order_they_do)
{
	int fd = memfd_create("empty", 0);
	const uint64_t size = 4 * (uint64_t)sysconf(_SC_PAGESIZE);
	struct mapped_file file = {
		.start = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0),
		.mapped_bytes = size - 10,
	};
	struct mapped_files mapped = { .files = &file, .count = 1 };
	const volatile char *start = file.start;
	struct err err;

	cr_assert(!mapped_catch_faults(&err), "%s", err.text);
	mapped_current = &mapped;
	(void)start[size - 1];
	cr_expect(mapped.has_fault);
	cr_expect_eq(mapped.fault_bytes, size / 4 * 3);
	(void)start[size / 4 + 5];
	cr_expect_eq(mapped.fault_bytes, size / 4);
	(void)start[size / 2];
	cr_expect_eq(mapped.fault_bytes, size / 4);
	mapped_forget(&mapped);
	cr_expect_null(mapped_current);
	close(fd);
}

/* An engine that has met faults of its own before. */
static void use_engine(struct engine_rig *rig)
{
	rig_begin(rig, &engine_mmap, &(struct rig_want){ 0 });
	cr_assert(!truncate(rig->path, 4096));
	cr_expect_eq(rig_io(rig, 8192, 4096, 0), 0);
	unlink(rig->path);
}

Test(engine_mmap, lets_a_fault_that_is_not_its_own_kill, .signal = SIGBUS)
{
	struct engine_rig rig;

	signal(SIGBUS, SIG_DFL);
	use_engine(&rig);
	(void)*foreign_mapping();
}

Test(engine_mmap, lets_a_fault_that_is_not_its_own_kill_where_it_is_ignored,
     .signal = SIGBUS)
{
	struct engine_rig rig;

	signal(SIGBUS, SIG_IGN);
	use_engine(&rig);
	kill(getpid(), SIGBUS); /* which is ignored */
	(void)*foreign_mapping();
}

Test(engine_mmap, lets_a_signal_that_was_sent_kill, .signal = SIGBUS)
{
	struct engine_rig rig;

	signal(SIGBUS, SIG_DFL);
	use_engine(&rig);
	raise(SIGBUS);
}

/* As the kernel tells of bad memory before anybody touched it. */
static void tell_of_bad_memory(void)
{
	siginfo_t info = { .si_signo = SIGBUS, .si_code = BUS_MCEERR_AO };

	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGBUS, &info))
		cr_skip_test("may not tell itself of bad memory");
}

/* It does not come again by itself. */
Test(engine_mmap, lets_bad_memory_that_nobody_touched_kill, .signal = SIGBUS)
{
	struct engine_rig rig;

	signal(SIGBUS, SIG_DFL);
	use_engine(&rig);
	tell_of_bad_memory();
}

Test(engine_mmap, leaves_bad_memory_ignored_where_it_is)
{
	struct engine_rig rig;

	signal(SIGBUS, SIG_IGN);
	use_engine(&rig);
	tell_of_bad_memory();
	/* And our own faults come to us still. */
	tell_of_bad_memory();
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 4096);
	rig_end(&rig);
}

static sigjmp_buf back;
static void *volatile fault_at;

static void catch (int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number;
	(void)context;
	fault_at = info->si_addr;
	siglongjmp(back, 1);
}

Test(engine_mmap, hands_a_fault_that_is_not_its_own_to_who_had_it_before)
{
	struct sigaction action = { .sa_sigaction = catch,
				    .sa_flags = SA_SIGINFO };
	volatile char *foreign = foreign_mapping();
	struct engine_rig rig;

	cr_assert(!sigaction(SIGBUS, &action, NULL));
	use_engine(&rig);
	if (!sigsetjmp(back, 1))
		(void)*foreign;
	cr_expect_eq(fault_at, foreign);
	/* And our own still come to us. */
	cr_expect_eq(rig_io(&rig, 0, 4096, 0), 4096);
	rig_end(&rig);
}

static void *read_shortened(void *argument)
{
	struct engine_rig *rig = argument;
	unsigned int turn;

	for (turn = 0; turn < 200; turn++) {
		struct io_op op = { .offset_bytes = 4096, .size_bytes = 8192 };

		engine_mmap.submit(rig->state, &op);
		if (op.result != 4096)
			return rig;
	}
	return NULL;
}

/* Each maps again what the other has nothing to do with. */
Test(engine_mmap, threads_have_their_faults_apart)
{
	struct engine_rig rigs[2];
	pthread_t threads[2];
	unsigned int i;
	void *failed;

	for (i = 0; i < 2; i++) {
		rig_begin(&rigs[i], &engine_mmap,
			  &(struct rig_want){ .block_bytes = 8192 });
		cr_assert(!truncate(rigs[i].path, 8192));
		unlink(rigs[i].path);
	}
	for (i = 0; i < 2; i++)
		cr_assert(!pthread_create(&threads[i], NULL, read_shortened,
					  &rigs[i]));
	for (i = 0; i < 2; i++) {
		pthread_join(threads[i], &failed);
		cr_expect_null(failed);
		rig_end(&rigs[i]);
	}
}

Test(engine_mmap, gives_its_advice_or_says_what_it_can_not_give)
{
	struct engine_rig rig;
	struct err err;

	rig_begin(&rig, &engine_mmap, &(struct rig_want){ 0 });
	rig.file.memory_advice = MADV_WILLNEED;
	cr_expect(!engine_mmap.begin(rig.state, &err), "%s", err.text);
	rig.file.memory_advice = 4711;
	cr_expect_eq(engine_mmap.begin(rig.state, &err), -EINVAL);
	cr_expect(strstr(err.text, "madvise") && strstr(err.text, rig.path),
		  "%s", err.text);
	rig_end(&rig);
}

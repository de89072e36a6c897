// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/storage.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

static int counters_of(const char *name, struct storage_counters *counters,
		       struct err *err)
{
	const char *tests = getenv("TESTS");
	char *root =
		text_format("%s/fixtures/storage", tests ? tests : "tests");
	int rc = storage_read_counters(root, name, counters, err);

	free(root);
	return rc;
}

static void queue_of(const char *name, struct storage_queue *queue)
{
	const char *tests = getenv("TESTS");
	char *root =
		text_format("%s/fixtures/storage", tests ? tests : "tests");
	struct err err;

	cr_assert(!storage_read_queue(root, name, queue, &err), "%s", err.text);
	free(root);
}

Test(storage_queue, counters_are_those_of_reads_writes_and_busy_time)
{
	struct storage_counters counters;
	struct err err;

	cr_assert(!counters_of("sda", &counters, &err), "%s", err.text);
	cr_expect_eq(counters.reads, 4711);
	cr_expect_eq(counters.read_bytes, UINT64_C(123456) * 512);
	cr_expect_eq(counters.read_ms, 5000);
	cr_expect_eq(counters.writes, 9);
	cr_expect_eq(counters.write_bytes, UINT64_C(77777) * 512);
	cr_expect_eq(counters.busy_ms, 4321);
}

Test(storage_queue, a_partition_counts_for_itself)
{
	struct storage_counters counters;
	struct err err;

	cr_assert(!counters_of("sda1", &counters, &err), "%s", err.text);
	cr_expect_eq(counters.reads, 11);
	cr_expect_eq(counters.read_bytes, 16 * 512);
}

Test(storage_queue, a_device_without_counters_is_an_error)
{
	struct storage_counters counters;
	struct err err;

	cr_expect_eq(counters_of("sdz", &counters, &err), -ENOENT);
	cr_expect(strstr(err.text, "sdz/stat"), "%s", err.text);
	cr_expect_eq(counters_of("sdb", &counters, &err), -EINVAL);
	cr_expect(strstr(err.text, "12 34"), "%s", err.text);
	cr_expect_eq(counters.reads, 0);
}

Test(storage_queue, settings_are_those_of_the_disk_also_for_a_partition)
{
	static const char *const names[] = { "sda", "sda1" };
	struct storage_queue queue;
	size_t i;

	for (i = 0; i < 2; i++) {
		queue_of(names[i], &queue);
		cr_expect_eq(queue.read_ahead_kib, 128);
		cr_expect_eq(queue.max_sectors_kib, 1280);
		cr_expect_eq(queue.nr_requests, 256);
		cr_expect_eq(queue.rotational, 1);
		cr_expect_eq(queue.loop_direct, -1);
		cr_expect_str_eq(queue.scheduler, "mq-deadline");
		storage_queue_free(&queue);
		cr_expect_null(queue.scheduler);
	}
}

Test(storage_queue, what_a_device_does_not_have_is_told_so)
{
	struct storage_queue queue;

	queue_of("zram0", &queue);
	cr_expect_eq(queue.read_ahead_kib, -1);
	cr_expect_eq(queue.nr_requests, -1);
	cr_expect_eq(queue.rotational, 0);
	cr_expect_str_eq(queue.scheduler, "none");
	storage_queue_free(&queue);
	queue_of("sdz", &queue);
	cr_expect_eq(queue.rotational, -1);
	cr_expect_null(queue.scheduler);
	storage_queue_free(&queue);
}

Test(storage_queue, a_loop_tells_of_its_direct_io)
{
	struct storage_queue queue;

	queue_of("loop0", &queue);
	cr_expect_eq(queue.loop_direct, 1);
	storage_queue_free(&queue);
	queue_of("loop1", &queue);
	cr_expect_eq(queue.loop_direct, 0);
	storage_queue_free(&queue);
	queue_of("loop2p1", &queue);
	cr_expect_eq(queue.loop_direct, 1);
	storage_queue_free(&queue);
}

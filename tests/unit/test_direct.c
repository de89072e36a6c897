// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/direct.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/system/residency.h"

#define BYTES UINT64_C(104857600)
#define PAGE  UINT64_C(4096)

/* A read of one file that went past the cache; changed by tests. */
static struct residency before, after;
static struct direct_evidence evidence;

static void begin(void)
{
	before = after = (struct residency){ .known = true };
	evidence = (struct direct_evidence){ .before = &before,
					     .after = &after,
					     .has_devices = true,
					     .is_alone = true,
					     .page_bytes = PAGE,
					     .device_bytes = (int64_t)BYTES,
					     .bytes = BYTES };
}

TestSuite(direct, .init = begin);

static void expect_verdict(const char *wanted, const char *why)
{
	const char *verdict;
	struct err err;
	char *reason;

	cr_assert(!direct_judge(&evidence, &verdict, &reason, &err));
	cr_expect_str_eq(verdict, wanted);
	if (why)
		cr_expect(reason && strstr(reason, why), "'%s' lacks '%s'",
			  reason ? reason : "", why);
	else
		cr_expect_null(reason, "%s", reason);
	free(reason);
}

Test(direct, bytes_of_the_device_and_no_page_are_effective)
{
	expect_verdict(DIRECT_EFFECTIVE, NULL);
	/* What was there before may stay, or go. */
	before.resident_bytes = 8 * PAGE;
	expect_verdict(DIRECT_EFFECTIVE, NULL);
}

Test(direct, pages_beyond_a_tail_are_not_effective_whatever_the_device_did)
{
	after.resident_bytes = 2 * PAGE;
	expect_verdict(DIRECT_EFFECTIVE, NULL);
	after.resident_bytes = 3 * PAGE;
	expect_verdict(DIRECT_NOT_EFFECTIVE,
		       "12288 bytes came into the page cache");
	evidence.is_alone = false;
	expect_verdict(DIRECT_NOT_EFFECTIVE, "12288 bytes");
}

Test(direct, the_device_may_miss_two_percent_and_no_byte_more)
{
	evidence.device_bytes = (int64_t)(BYTES / 100 * 98);
	expect_verdict(DIRECT_EFFECTIVE, NULL);
	evidence.device_bytes--;
	expect_verdict(DIRECT_NOT_EFFECTIVE,
		       "device bytes 102760447 of 104857600");
}

Test(direct, of_several_targets_few_device_bytes_do_not_tell_which)
{
	evidence.is_alone = false;
	evidence.device_bytes = 0;
	expect_verdict(DIRECT_UNKNOWN,
		       "device bytes 0 of 104857600 of all targets");
}

Test(direct, a_memory_file_system_took_the_flag_and_no_more)
{
	evidence.has_devices = false;
	evidence.device_bytes = -1;
	evidence.layer = "tmpfs: memory, no device is below it";
	expect_verdict(DIRECT_NOT_EFFECTIVE, "tmpfs: memory");
	/* Beside a file that has a device, which moved all there was. */
	evidence.is_alone = false;
	evidence.device_bytes = (int64_t)BYTES;
	expect_verdict(DIRECT_NOT_EFFECTIVE, "tmpfs: memory");
}

Test(direct, what_is_out_of_sight_is_unknown)
{
	evidence.hidden = true;
	evidence.layer = "FUSE: what is below it keeps a cache of its own";
	expect_verdict(DIRECT_UNKNOWN, "FUSE");
	evidence.layer = NULL;
	expect_verdict(DIRECT_UNKNOWN, "out of sight");
}

Test(direct, a_cache_in_a_lower_layer_is_named_when_the_disk_was_not_asked)
{
	evidence.layer = "loop3 has no direct I/O";
	expect_verdict(DIRECT_EFFECTIVE, NULL);
	evidence.device_bytes = 0;
	expect_verdict(DIRECT_NOT_EFFECTIVE, "loop3 has no direct I/O");
}

Test(direct, what_was_not_told_is_unknown)
{
	evidence.device_bytes = -1;
	expect_verdict(DIRECT_UNKNOWN, "counters");
	evidence.has_devices = false;
	expect_verdict(DIRECT_UNKNOWN, "no block device");
	begin();
	evidence.bytes = 0;
	expect_verdict(DIRECT_UNKNOWN, "no byte");
	begin();
	evidence.reads_nothing = true;
	expect_verdict(DIRECT_UNKNOWN, "null");
}

Test(direct, residency_that_is_not_told_leaves_it_to_the_device)
{
	after.known = false;
	after.resident_bytes = BYTES;
	expect_verdict(DIRECT_EFFECTIVE, NULL);
	evidence.device_bytes = 0;
	expect_verdict(DIRECT_NOT_EFFECTIVE, "device bytes 0");
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/cold.h"

#include <criterion/criterion.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/record.h"
#include "lib/system/extents.h"
#include "lib/system/residency.h"

#define RANGE UINT64_C(104857600)

/* What was seen of a run that was as cold as it can be; changed by tests. */
struct scene {
	struct residency before, after;
	struct extent_shares extents;
	struct cold_evidence evidence;
	struct run_record run; /* owns the verdict */
};

static void scene_begin(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->before.known = true;
	scene->after.known = true;
	scene->after.resident_bytes = RANGE;
	scene->extents.known = true;
	scene->evidence = (struct cold_evidence){
		.before = &scene->before,
		.after = &scene->after,
		.extents = &scene->extents,
		.has_devices = true,
		.lowest_bytes = (int64_t)RANGE,
		.mount_bytes = (int64_t)RANGE,
		.fetched_bytes = (int64_t)RANGE,
		.range_bytes = RANGE,
		.bytes = RANGE,
		.unique_bytes = RANGE,
	};
}

static void expect_verdict(struct scene *scene, enum cold_verdict verdict,
			   const char *cause)
{
	const struct run_cold *cold = &scene->run.cold;
	bool found;
	struct err err;
	size_t i;

	cr_assert(!cold_judge(&scene->evidence, &scene->run.cold, &err));
	found = !cause && !cold->cause_count;
	for (i = 0; cause && i < cold->cause_count; i++)
		found |= strstr(cold->causes[i], cause) != NULL;
	cr_expect_eq(cold->verdict, verdict, "%s",
		     cold_verdict_name(cold->verdict));
	cr_expect(found, "'%s' is not among %zu causes, the first: %s",
		  cause ? cause : "none", cold->cause_count,
		  cold->cause_count ? cold->causes[0] : "");
	run_record_free(&scene->run);
}

Test(cold, no_page_before_and_all_bytes_from_the_device_is_cold)
{
	struct scene scene;

	scene_begin(&scene);
	expect_verdict(&scene, COLD_PROVED, NULL);
}

Test(cold, figures_are_kept_beside_the_verdict)
{
	struct scene scene;
	struct err err;

	scene_begin(&scene);
	scene.extents.hole_bytes = 5;
	scene.extents.unwritten_bytes = 6;
	scene.extents.encoded_bytes = 7;
	scene.extents.inline_bytes = 8;
	cr_assert(!cold_judge(&scene.evidence, &scene.run.cold, &err));
	cr_expect_eq(scene.run.cold.resident_before_bytes, 0);
	cr_expect_eq(scene.run.cold.resident_after_bytes, (int64_t)RANGE);
	cr_expect_eq(scene.run.cold.device_bytes, (int64_t)RANGE);
	cr_expect_eq(scene.run.cold.hole_bytes, 11);
	cr_expect_eq(scene.run.cold.encoded_bytes, 15);
	run_record_free(&scene.run);
}

Test(cold, the_device_may_miss_two_percent_and_no_byte_more)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = (int64_t)(RANGE / 100 * 98);
	expect_verdict(&scene, COLD_PROVED, NULL);
	scene.evidence.lowest_bytes--;
	expect_verdict(&scene, COLD_WARM,
		       "device bytes 102760447 of 104857600");
}

Test(cold, a_resident_page_before_is_warm)
{
	struct scene scene;

	scene_begin(&scene);
	scene.before.resident_bytes = 4096;
	expect_verdict(&scene, COLD_WARM,
		       "4096 of 104857600 bytes of the range were in the page "
		       "cache before");
	scene.before.dirty_bytes = 4096;
	expect_verdict(&scene, COLD_WARM, "4096 dirty");
}

Test(cold, a_preallocated_file_is_warm_and_says_what_it_is)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = 0;
	scene.extents.unwritten_bytes = RANGE;
	expect_verdict(&scene, COLD_WARM, "device bytes 0 of 104857600");
	expect_verdict(&scene, COLD_WARM,
		       "holes and unwritten extents are 104857600 of 104857600 "
		       "bytes of the range (100 %)");
}

/* Bytes of others on the same device do not make up for them. */
Test(cold, holes_are_warm_even_when_the_device_was_busy)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = (int64_t)RANGE * 2;
	scene.extents.hole_bytes = RANGE / 2;
	expect_verdict(&scene, COLD_WARM, "(50 %)");
	scene.extents.hole_bytes = RANGE / 100;
	expect_verdict(&scene, COLD_PROVED, NULL);
}

/* Another process's bytes on the disk below an image full of holes. */
Test(cold, the_devices_of_the_mount_must_have_moved_the_bytes_too)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = (int64_t)RANGE * 9;
	scene.evidence.mount_bytes = 0;
	expect_verdict(&scene, COLD_WARM, "device bytes 0 of 104857600");
	scene.evidence.mount_bytes = (int64_t)(RANGE / 100 * 98);
	expect_verdict(&scene, COLD_PROVED, NULL);
	scene.evidence.mount_bytes = -1;
	expect_verdict(&scene, COLD_UNKNOWN, "counters");
	scene.evidence.mount_bytes = (int64_t)RANGE * 9;
	scene.evidence.lowest_bytes = 0;
	expect_verdict(&scene, COLD_WARM, "device bytes 0 of 104857600");
}

Test(cold, compressed_extents_are_warm)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = 1 << 20;
	scene.extents.encoded_bytes = RANGE;
	expect_verdict(&scene, COLD_WARM, "compressed or inline");
	/* An inline extent may be counted as encoded too. */
	scene.extents.inline_bytes = RANGE;
	expect_verdict(&scene, COLD_WARM, "compressed or inline");
}

Test(cold, a_cache_in_a_lower_layer_is_warm_and_named)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.layer = "loop3 has no direct I/O";
	expect_verdict(&scene, COLD_WARM, "loop3 has no direct I/O");
}

Test(cold, a_memory_file_system_is_warm_with_no_device_to_watch)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.layer = "tmpfs: memory file system, no cold read exists";
	scene.evidence.has_devices = false;
	scene.evidence.lowest_bytes = -1;
	expect_verdict(&scene, COLD_WARM, "no cold read exists");
}

Test(cold, a_hidden_layer_is_unknown)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.layer = "overlay: another file system is below";
	scene.evidence.hidden = true;
	scene.evidence.has_devices = false;
	scene.evidence.lowest_bytes = -1;
	expect_verdict(&scene, COLD_UNKNOWN, "overlay");
}

Test(cold, residency_that_is_not_told_is_unknown)
{
	struct scene scene;

	scene_begin(&scene);
	scene.before.known = false;
	strcpy(scene.before.reason, "cachestat: Operation not permitted");
	expect_verdict(&scene, COLD_UNKNOWN,
		       "page cache: cachestat: Operation not permitted");
}

Test(cold, counters_that_are_not_told_are_unknown)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.lowest_bytes = -1;
	expect_verdict(&scene, COLD_UNKNOWN, "counters");
	scene.evidence.has_devices = false;
	expect_verdict(&scene, COLD_UNKNOWN, "no block device");
}

/* The first cause is what a sweep's last line tells of a warm run. */
Test(cold, what_says_why_stands_before_few_device_bytes)
{
	static const char *const order[] = {
		"page cache before", "read twice",    "in memory",
		"holes and",	     "compressed or", "device bytes",
	};
	struct scene scene;
	struct run_cold *cold = &scene.run.cold;
	struct err err;
	size_t i;

	scene_begin(&scene);
	scene.before.resident_bytes = 4096;
	scene.evidence.bytes = RANGE + 65536;
	scene.evidence.layer = "zram0 is in memory";
	scene.evidence.lowest_bytes = 0;
	scene.extents.hole_bytes = RANGE / 2;
	scene.extents.encoded_bytes = RANGE / 2;
	cr_assert(!cold_judge(&scene.evidence, cold, &err));
	cr_expect_eq(cold->verdict, COLD_WARM);
	cr_assert_eq(cold->cause_count, 6);
	for (i = 0; i < 6; i++)
		cr_expect(strstr(cold->causes[i], order[i]), "%zu: %s", i,
			  cold->causes[i]);
	/* Not one more word: equal facts are one line of a report. */
	cr_expect_str_eq(cold->causes[5], "device bytes 0 of 104857600");
	run_record_free(&scene.run);
}

Test(cold, what_shows_memory_outweighs_what_is_unknown)
{
	struct scene scene;

	scene_begin(&scene);
	scene.before.known = false;
	scene.evidence.lowest_bytes = 0;
	expect_verdict(&scene, COLD_WARM, "device bytes 0 of 104857600");
}

Test(cold, blocks_read_twice_are_warm)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.bytes = RANGE + 65536;
	expect_verdict(&scene, COLD_WARM,
		       "blocks were read twice: 104923136 bytes delivered");
}

Test(cold, extents_that_are_not_told_prove_nothing_against)
{
	struct scene scene;
	struct err err;

	scene_begin(&scene);
	scene.extents.known = false;
	scene.extents.hole_bytes = RANGE;
	cr_assert(!cold_judge(&scene.evidence, &scene.run.cold, &err));
	cr_expect_eq(scene.run.cold.hole_bytes, -1);
	cr_expect_eq(scene.run.cold.encoded_bytes, -1);
	cr_expect_eq(scene.run.cold.verdict, COLD_PROVED);
	run_record_free(&scene.run);
}

Test(cold, extents_that_could_not_be_looked_at_are_unknown)
{
	struct scene scene;

	scene_begin(&scene);
	scene.extents.known = false;
	scene.evidence.extents_reason = "FIEMAP of /f: Input/output error";
	expect_verdict(&scene, COLD_UNKNOWN,
		       "layout cannot be told: FIEMAP of /f: Input/output "
		       "error");
	scene.before.resident_bytes = 4096;
	expect_verdict(&scene, COLD_WARM, "layout cannot be told");
}

Test(cold, an_engine_that_reads_nothing_proves_nothing)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.reads_nothing = true;
	expect_verdict(&scene, COLD_UNKNOWN, "null reads nothing");
}

Test(cold, a_test_that_writes_is_neither_and_has_one_cause)
{
	struct scene scene;
	struct err err;

	scene_begin(&scene);
	scene.evidence.writes = true;
	scene.before.resident_bytes = 4096;
	scene.extents.hole_bytes = RANGE;
	cr_assert(!cold_judge(&scene.evidence, &scene.run.cold, &err));
	cr_expect_eq(scene.run.cold.verdict, COLD_UNKNOWN);
	cr_assert_eq(scene.run.cold.cause_count, 1);
	cr_expect_str_eq(scene.run.cold.causes[0], "the test writes");
	run_record_free(&scene.run);
}

Test(cold, a_run_that_was_to_be_warm_is_and_says_how)
{
	struct scene scene;
	struct err err;

	scene_begin(&scene);
	scene.evidence.warm = WARM_FILL_WRITE;
	scene.evidence.lowest_bytes = 0;
	scene.before.resident_bytes = RANGE;
	cr_assert(!cold_judge(&scene.evidence, &scene.run.cold, &err));
	cr_expect_eq(scene.run.cold.verdict, COLD_WARM);
	cr_assert_eq(scene.run.cold.cause_count, 1);
	cr_expect_str_eq(scene.run.cold.causes[0],
			 "filled by writing before, as --warm asked");
	run_record_free(&scene.run);
	scene.evidence.warm = WARM_FILL_READ;
	scene.before.resident_bytes = RANGE - 4096;
	expect_verdict(&scene, COLD_WARM,
		       "only 104853504 of 104857600 bytes of the range");
}

Test(cold, pages_that_others_read_meanwhile_are_no_proof)
{
	struct scene scene;

	scene_begin(&scene);
	scene.evidence.fetched_bytes = (int64_t)(RANGE / 100 * 40);
	expect_verdict(&scene, COLD_UNKNOWN, "others read these files too");

	scene_begin(&scene);
	scene.evidence.fetched_bytes = -1;
	expect_verdict(&scene, COLD_PROVED, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/plan.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"
#include "tests/unit/planned.h"

TestSuite(plan, .fini = planned_free);

/* What the threads of @target read adds up to its range, without overlap. */
static void expect_slices(const struct plan *plan, unsigned int target)
{
	const struct plan_target *planned = &plan->targets[target];
	uint64_t next = 0, bytes = 0;
	unsigned int i;

	for (i = 0; i < plan->lane_count; i++) {
		const struct plan_lane *lane = &plan->lanes[i];

		if (lane->target != target)
			continue;
		cr_expect_eq(lane->part.base, next);
		next += lane->part.count;
		bytes += lane->bytes;
	}
	cr_expect_eq(next, planned->blocks);
	cr_expect_eq(bytes, planned->range_bytes);
}

Test(plan, thread_i_works_on_target_i_modulo_m)
{
	const struct plan_file files[] = { { .path = "a", .size_bytes = MIB },
					   { .path = "b", .size_bytes = MIB },
					   { .path = "c", .size_bytes = MIB } };
	struct run_params params = planned_params(FORM_READ, 3, 8);
	struct plan plan = planned_make(&params, files);
	unsigned int i;

	for (i = 0; i < 8; i++) {
		cr_expect_eq(plan.threads[i].target, i % 3);
		cr_expect_eq(plan.lanes[i].rank, i / 3);
	}
	cr_expect_eq(plan.targets[0].threads, 3);
	cr_expect_eq(plan.targets[1].threads, 3);
	cr_expect_eq(plan.targets[2].threads, 2);
}

Test(plan, slices_cover_the_whole_range_once)
{
	const uint64_t sizes[] = { 1,	   65535,     65536,	   65537,
				   100001, 7 * 65536, 10 * MIB + 3 };
	unsigned int threads;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (threads = 1; threads < 12; threads++) {
			const struct plan_file file = {
				.path = "a", .size_bytes = sizes[i]
			};
			struct run_params params =
				planned_params(FORM_READ, 1, threads);
			struct plan plan = planned_make(&params, &file);

			expect_slices(&plan, 0);
			cr_expect_eq(plan.bytes, sizes[i]);
		}
}

Test(plan, read_takes_each_whole_target_and_the_classic_form_the_smallest)
{
	const struct plan_file files[] = {
		{ .path = "a", .size_bytes = 3 * MIB },
		{ .path = "b", .size_bytes = 2 * MIB + 5 }
	};
	struct run_params params = planned_params(FORM_READ, 2, 2);
	struct plan plan = planned_make(&params, files);

	cr_expect_eq(plan.targets[0].range_bytes, 3 * MIB);
	cr_expect_eq(plan.targets[1].range_bytes, 2 * MIB + 5);
	cr_expect_eq(plan.common_range_bytes, 0);
	params = planned_params(FORM_CLASSIC, 2, 2);
	plan = planned_make(&params, files);
	cr_expect_eq(plan.targets[0].range_bytes, 2 * MIB + 5);
	cr_expect_eq(plan.common_range_bytes, 2 * MIB + 5);
}

Test(plan, the_classic_range_is_1024_mb_of_larger_targets)
{
	const struct plan_file file = { .path = "a", .size_bytes = 5000 * MIB };
	struct run_params params = planned_params(FORM_CLASSIC, 1, 1);
	struct plan plan = planned_make(&params, &file);

	cr_expect_eq(plan.targets[0].range_bytes, 1024 * MIB);
	params.offset_bytes = 4500 * MIB;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.targets[0].range_bytes, 500 * MIB);
	cr_expect_eq(plan.targets[0].offset_bytes, 4500 * MIB);
}

Test(plan, a_range_beyond_a_target_is_refused_with_the_one_that_fits)
{
	const struct plan_file files[] = {
		{ .path = "/big", .size_bytes = 10 * MIB },
		{ .path = "/small", .size_bytes = 4 * MIB }
	};
	struct run_params params = planned_params(FORM_READ, 2, 2);

	params.range_bytes = 5 * MIB;
	planned_refused(&params, files, -EINVAL,
			"/small: 4194304 bytes, and the range needs 5242880");
	planned_refused(&params, files, -EINVAL, "1048576 more than there are");
	planned_refused(&params, files, -EINVAL, "-r 4 fits");
	params.offset_bytes = MIB;
	planned_refused(&params, files, -EINVAL, "-r 3 fits");
}

Test(plan, nothing_to_read_is_refused_with_sizes)
{
	const struct plan_file empty = { .path = "/e", .size_bytes = 0 };
	const struct plan_file odd = { .path = "/o", .size_bytes = 100001 };
	struct run_params params = planned_params(FORM_READ, 1, 1);

	planned_refused(&params, &empty, -EINVAL, "/e is empty");
	params.offset_bytes = 100001;
	planned_refused(&params, &odd, -EINVAL, "/o has 100001 bytes");
	params.offset_bytes = 104096;
	planned_refused(&params, &odd, -EINVAL, "the offset 104096");
	params.offset_bytes = 100000;
	cr_expect_eq(planned_make(&params, &odd).bytes, 1);
}

Test(plan, with_a_counter_the_whole_range_is_everyones)
{
	const struct plan_file file = { .path = "a", .size_bytes = 100001 };
	struct run_params params = planned_params(FORM_CLASSIC, 1, 3);
	struct plan plan = planned_make(&params, &file);
	unsigned int i;

	cr_expect_eq(plan.layout, LAYOUT_SHARED);
	for (i = 0; i < 3; i++) {
		cr_expect_eq(plan.lanes[i].part.base, 0);
		cr_expect_eq(plan.lanes[i].part.count, 2);
		cr_expect_eq(plan.lanes[i].part.limit, SEQUENCE_ENDLESS);
	}
}

Test(plan, n_times_l_is_the_least_of_each_thread)
{
	const struct plan_file file = { .path = "a", .size_bytes = 100 * MIB };
	struct run_params params = planned_params(FORM_CLASSIC, 1, 4);
	struct plan plan;

	params.reads = 20;
	params.loops = 3;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.least_reads, 60);
	cr_expect_eq(plan.lanes[0].bytes, 60 * 64 * KIB);
	cr_expect_eq(plan.bytes, 4 * 60 * 64 * KIB);
	cr_expect_eq(plan.note_count, 0);
}

Test(plan, blocks_that_have_to_be_read_twice_are_noted)
{
	const struct plan_file file = { .path = "/f", .size_bytes = MIB };
	struct run_params params = planned_params(FORM_CLASSIC, 1, 4);
	struct plan plan;

	params.reads = 4; /* 4 x 4 of 16 blocks */
	plan = planned_make(&params, &file);
	cr_expect_not(planned_has_note(&plan, "read twice"));
	params.reads = 5;
	plan = planned_make(&params, &file);
	cr_expect(planned_has_note(&plan, "/f: blocks are read twice"));
}

Test(plan, threads_without_a_block_are_noted_and_cannot_have_a_minimum)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 100001 };
	struct run_params params = planned_params(FORM_READ, 1, 5);
	struct plan plan = planned_make(&params, &file);

	cr_expect(planned_has_note(&plan, "3 of its 5 threads have no block"));
	cr_expect_eq(plan.lanes[4].part.count, 0);
	cr_expect_eq(plan.lanes[4].bytes, 0);
	params.reads = 10;
	planned_refused(&params, &file, -EINVAL,
			"5 threads cannot share out 2");
	params.layout = LAYOUT_SHARED;
	cr_expect_eq(planned_make(&params, &file).least_reads, 10);
}

Test(plan, of_one_thread_without_a_block_the_note_is_in_the_singular)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 100001 };
	struct run_params params = planned_params(FORM_READ, 1, 3);
	struct plan plan = planned_make(&params, &file);

	cr_expect(planned_has_note(&plan, "1 of its 3 threads has no block"));
}

Test(plan, a_thread_that_draws_or_goes_round_has_a_block)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 8192 };
	struct run_params params = planned_params(FORM_READ, 1, 4);
	struct plan plan;

	params.block_bytes = 4096;
	params.stop_bytes = 16384;
	params.layout = LAYOUT_SHARED;
	plan = planned_make(&params, &file);
	cr_expect_not(planned_has_note(&plan, "no block to read"));
	params.layout = LAYOUT_SLICE;
	params.test = test_by_name("randread");
	params.pattern = PATTERN_RANDOM_REPEAT;
	plan = planned_make(&params, &file);
	cr_expect_not(planned_has_note(&plan, "no block to read"));
	/* Of three draws the fourth thread has none. */
	params.stop_bytes = 12288;
	plan = planned_make(&params, &file);
	cr_expect(planned_has_note(&plan, "1 of its 4 threads has no block"));
}

Test(plan, a_counter_that_ends_early_leaves_threads_without_a_block)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 8192 };
	struct run_params params = planned_params(FORM_READ, 1, 4);
	struct plan plan;

	params.block_bytes = 4096;
	params.layout = LAYOUT_SHARED;
	plan = planned_make(&params, &file);
	cr_expect(planned_has_note(&plan, "2 of its 4 threads have no block"));
	params.layout = LAYOUT_EACH;
	plan = planned_make(&params, &file);
	cr_expect_not(planned_has_note(&plan, "no block to read"));
}

Test(plan, a_block_longer_than_the_range_is_cut_and_noted)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 1000 };
	struct run_params params = planned_params(FORM_READ, 1, 1);
	struct plan plan = planned_make(&params, &file);

	cr_expect_eq(plan.targets[0].blocks, 1);
	cr_expect_eq(plan.lanes[0].part.last_asked_bytes, 1000);
	cr_expect_eq(plan.bytes, 1000);
	cr_expect(planned_has_note(&plan, "longer than the range"));
}

Test(plan, iovecs_count_into_the_bytes_of_a_read)
{
	const struct plan_file file = { .path = "a", .size_bytes = 100 * MIB };
	struct run_params params = planned_params(FORM_READ, 1, 1);
	struct plan plan;

	params.iovecs = 8;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.read_bytes, 512 * KIB);
	cr_expect_eq(plan.targets[0].blocks, 200);
}

Test(plan, sizes_and_counts_beyond_32_bits_are_whole)
{
	const struct plan_file file = { .path = "/huge",
					.size_bytes = UINT64_C(7) << 40 };
	struct run_params params = planned_params(FORM_READ, 1, 64);
	struct plan plan;

	params.block_bytes = KIB;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.targets[0].blocks, UINT64_C(7516192768));
	cr_expect_eq(plan.bytes, UINT64_C(7) << 40);
	expect_slices(&plan, 0);
	params.offset_bytes = UINT64_C(5) << 40;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.targets[0].range_bytes, UINT64_C(2) << 40);
}

Test(plan, more_than_63_bits_of_bytes_are_refused)
{
	const struct plan_file file = { .path = "a", .size_bytes = MIB };
	struct run_params params = planned_params(FORM_CLASSIC, 1, 64);

	params.reads = INT64_MAX;
	planned_refused(&params, &file, -ERANGE, "2^63");
	params.reads = INT64_MAX / 64 / (64 * KIB) + 1;
	planned_refused(&params, &file, -ERANGE, "2^63");
}

/* A sparse file can be that long. */
Test(plan, bytes_that_threads_share_out_count_once)
{
	const struct plan_file file = { .path = "a",
					.size_bytes = UINT64_C(1) << 62 };
	struct run_params params = planned_params(FORM_READ, 1, 7);

	params.layout = LAYOUT_SLICE;
	cr_expect_eq(planned_make(&params, &file).bytes, UINT64_C(1) << 62);
	params.layout = LAYOUT_SHARED;
	cr_expect_eq(planned_make(&params, &file).bytes, UINT64_C(1) << 62);
	params.layout = LAYOUT_EACH;
	planned_refused(&params, &file, -ERANGE, "by 7 threads are more than");
	params.time_ns = 1;
	cr_expect_eq(planned_make(&params, &file).bytes, 0);
}

Test(plan, direct_io_asks_for_whole_sectors_at_the_end_of_the_file)
{
	const struct plan_file file = { .path = "a",
					.size_bytes = 100001,
					.direct_offset_bytes = 4096,
					.direct_memory_bytes = 512 };
	struct run_params params = planned_params(FORM_READ, 1, 1);
	struct plan plan;

	params.direct = true;
	plan = planned_make(&params, &file);
	cr_expect_eq(plan.lanes[0].part.last_asked_bytes, 64 * KIB);
	cr_expect_eq(plan.bytes, 100001);
}

Test(plan, direct_io_that_cannot_be_aligned_is_not_available)
{
	const struct plan_file file = { .path = "/d/f",
					.size_bytes = MIB,
					.direct_offset_bytes = 4096,
					.direct_memory_bytes = 512 };
	struct run_params params = planned_params(FORM_READ, 1, 1);

	params.direct = true;
	params.block_bytes = 1024;
	planned_refused(&params, &file, -EOPNOTSUPP, "n/a: needs 4096: ");
	planned_refused(&params, &file, -EOPNOTSUPP, "/d/f");
	params.block_bytes = 4096;
	params.offset_bytes = 512;
	planned_refused(&params, &file, -EOPNOTSUPP, "the offset is 512");
	params.offset_bytes = 0;
	params.range_bytes = 6000;
	planned_refused(&params, &file, -EOPNOTSUPP, "the range is 6000");
	params.range_bytes = 8192;
	cr_expect_eq(planned_make(&params, &file).bytes, 8192);
	params.direct = false;
	params.block_bytes = 1024;
	cr_expect_eq(planned_make(&params, &file).bytes, 8192);
}

Test(plan, targets_have_orders_of_their_own_from_one_seed)
{
	const struct plan_file files[] = { { .path = "a", .size_bytes = MIB },
					   { .path = "b", .size_bytes = MIB } };
	struct run_params params = planned_params(FORM_READ, 2, 4);
	struct plan plan;

	params.test = test_by_name("randread");
	params.seed = 9;
	plan = planned_make(&params, files);
	cr_expect_eq(plan.lanes[0].part.order, SEQUENCE_PERMUTED);
	cr_expect_neq(plan.lanes[0].part.seed, plan.lanes[1].part.seed);
	cr_expect_eq(plan.lanes[0].part.seed, plan.lanes[2].part.seed);
}

Test(plan, a_stride_is_a_multiple_of_a_read)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 1 << 20 };
	struct run_params params = planned_params(FORM_READ, 1, 1);

	params.pattern = PATTERN_STRIDE;
	params.stride_bytes = 100 * KIB;
	planned_refused(&params, &file, -EOPNOTSUPP,
			"n/a: a stride of 102400 bytes is not a multiple of "
			"the 65536 of a read");
	params.stride_bytes = 64 * KIB * 5;
	cr_expect_eq(planned_make(&params, &file).targets[0].positions, 4);
	/* All iovecs of it. */
	params.iovecs = 2;
	planned_refused(&params, &file, -EOPNOTSUPP, "of the 131072 of a read");
	/* Beyond the range it is one block. */
	params.iovecs = 1;
	params.stride_bytes = INT64_MAX - INT64_MAX % (64 * KIB);
	cr_expect_eq(planned_make(&params, &file).bytes, 64 * KIB);
}

Test(plan, bytes_of_a_stop_count_like_those_of_reads)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 1 << 20 };
	struct run_params params = planned_params(FORM_READ, 1, 2);

	params.stop_bytes = INT64_MAX;
	planned_refused(&params, &file, -ERANGE, "more than 2^63 bytes");
	planned_refused(&params, &file, -ERANGE, "lower -n, -l or --bytes");
	params.stop_bytes = INT64_MAX / 4;
	cr_expect_geq(planned_make(&params, &file).bytes, INT64_MAX / 4);
}

/* Two threads that drew the same would read from what the other brought. */
Test(plan, threads_that_draw_have_draws_of_their_own)
{
	const struct plan_file file = { .path = "/f", .size_bytes = 1 << 30 };
	struct run_params params = planned_params(FORM_READ, 1, 2);
	uint64_t a, b, size, i, same = 0;
	struct sequence first, second;
	struct plan plan;

	params.test = test_by_name("randread");
	params.pattern = PATTERN_RANDOM_REPEAT;
	params.block_bytes = KIB;
	params.layout = LAYOUT_SLICE;
	plan = planned_make(&params, &file);
	sequence_init(&first, &plan.lanes[0].part, NULL);
	sequence_init(&second, &plan.lanes[1].part, NULL);
	for (i = 0; i < 10000; i++) {
		cr_assert(sequence_next(&first, &a, &size));
		cr_assert(sequence_next(&second, &b, &size));
		same += a == b;
	}
	/* Of 2^20 blocks, and 10000 draws. */
	cr_expect_lt(same, 5, "%lu", same);
}

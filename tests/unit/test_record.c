// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"

static void fill_threads(struct run_record *run)
{
	run->thread_count = 2;
	run->threads = calloc(2, sizeof(*run->threads));
	run->threads[0] = (struct run_thread_record){ .cpu = 50,
						      .node = -1,
						      .core = 51,
						      .smt = 52,
						      .kind = 53,
						      .target = 1,
						      .bytes = 54,
						      .reads = 55,
						      .done_ns = 56,
						      .cpu_ns = 57 };
	run->threads[1] = (struct run_thread_record){ .cpu = 58,
						      .node = 1,
						      .is_moved = true };
	run->latency = malloc(sizeof(*run->latency));
	histogram_init(run->latency);
	histogram_add(run->latency, 60);
	histogram_add(run->latency, 1000001);
	histogram_add(run->latency, 1000002);
}

/* Every member another value, so that two swapped keys are seen. */
static void fill(struct run_record *run)
{
	struct err err;

	*run = (struct run_record){
		.campaign_id = strdup("c1"),
		.rep = 2,
		.order = 3,
		.begun = strdup("2026-11-30T16:21:48Z"),
		.command = strdup("rawread read -- 'my disk #1/foo'"),
		.span_ns = 4,
		.bytes = UINT64_C(7) << 40,
		.reads = UINT64_C(7516192768),
		.short_reads = 5,
		.unique_bytes = 6,
		.first_done_ns = 7,
		.own_cpu_ns = 8,
		.task_read_bytes = 9,
		.loop_ns_per_1000_reads = 10,
		.latency_ns_per_1000_reads = 40,
		.nowait_retries = 41,
		.voluntary_switches = 42,
		.involuntary_switches = 43,
		.minor_faults = 44,
		.major_faults = 45,
		.target_count = 2,
		.cpu = { .user = 11,
			 .system = 12,
			 .idle = 13,
			 .iowait = 14,
			 .irq = 15,
			 .softirq = 16,
			 .steal = 17,
			 .ticks_per_s = 100,
			 .cpus = 2,
			 .cpus_changed = true },
		.cold = { .verdict = COLD_WARM,
			  .resident_before_bytes = 18,
			  .resident_after_bytes = 19,
			  .device_bytes = 0,
			  .hole_bytes = 20,
			  .encoded_bytes = -1 },
		.flush = { .method = strdup("remount"),
			   .fallback = strdup("drop-caches"),
			   .cause = strdup("still mounted"),
			   .took_ns = 21 },
		.cpus = strdup("0,1"),
		.moved_threads = 22,
		.moved_buffers = 23,
	};
	cr_assert_eq(params_init(&run->params, FORM_READ, &err), 0);
	run->params.test = test_by_name("randpread");
	run->params.block_bytes = 4096;
	run->params.fadvise = FADVISE_RANDOM;
	run->params.read_ahead_given = true;
	run->targets = calloc(2, sizeof(*run->targets));
	run->targets[0] =
		(struct run_target){ .path = strdup("/m/foo"),
				     .size_bytes = 24,
				     .offset_bytes = 25,
				     .range_bytes = 26,
				     .threads = 27,
				     .bytes = 28,
				     .reads = 29,
				     .thread_ns = 30,
				     .first_done_ns = 46,
				     .last_done_ns = 47,
				     .direct_io = strdup("unknown"),
				     .direct_io_reason = strdup("overlay"),
				     .read_ahead_kib = 0 };
	run->targets[1] = (struct run_target){ .path = strdup("/n"),
					       .read_ahead_kib = -1 };
	run->lowest.count = run->shape.count = 1;
	run->lowest.list = calloc(1, sizeof(*run->lowest.list));
	run->lowest.list[0] =
		(struct run_device){ strdup("vda"), 31, 32, 33, 34, 0, 0 };
	run->shape.list = calloc(1, sizeof(*run->shape.list));
	run->shape.list[0] =
		(struct run_device){ strdup("loop0"), 35, 36, 37, 38, 48, 49 };
	fill_threads(run);
	cr_assert_eq(run_cold_add_cause(&run->cold, "device bytes %d", 0), 0);
	cr_assert_eq(run_cold_add_cause(&run->cold, "holes"), 0);
}

/* Through the text of a line, as a file has it. */
static int through_text(const struct run_record *from, struct run_record *to,
			char **text, struct err *err)
{
	json_t *json = run_record_encode(from);
	int rc;

	cr_assert_not_null(json);
	*text = json_dumps(json, JSON_COMPACT);
	json_decref(json);
	json = json_loads(*text, 0, NULL);
	cr_assert_not_null(json);
	rc = run_record_decode(json, to, err);
	json_decref(json);
	return rc;
}

Test(record, a_run_comes_back_whole)
{
	struct run_record run, back, again;
	char *first, *second;
	struct err err;

	fill(&run);
	cr_assert_eq(through_text(&run, &back, &first, &err), 0, "%s",
		     err.text);
	cr_assert_eq(through_text(&back, &again, &second, &err), 0);
	cr_expect_str_eq(first, second);
	cr_expect_eq(back.bytes, UINT64_C(7) << 40);
	cr_expect_eq(back.reads, UINT64_C(7516192768));
	cr_expect_str_eq(back.command, run.command);
	cr_expect_eq(back.params.test, run.params.test);
	cr_expect_eq(back.params.fadvise, FADVISE_RANDOM);
	cr_expect(back.params.read_ahead_given);
	cr_assert_eq(back.target_count, 2);
	cr_expect_eq(back.targets[0].thread_ns, 30);
	cr_expect_eq(back.targets[0].read_ahead_kib, 0);
	cr_expect_eq(back.targets[1].read_ahead_kib, -1);
	cr_expect_eq(back.cpu.steal, 17);
	cr_expect(back.cpu.cpus_changed);
	cr_expect_eq(back.lowest.list[0].read_bytes, 32);
	cr_expect_eq(back.shape.list[0].busy_ms, 38);
	cr_expect_eq(back.cold.verdict, COLD_WARM);
	cr_expect_eq(back.cold.device_bytes, 0);
	cr_expect_eq(back.cold.encoded_bytes, -1);
	cr_assert_eq(back.cold.cause_count, 2);
	cr_expect_str_eq(back.cold.causes[0], "device bytes 0");
	cr_expect_str_eq(back.flush.fallback, "drop-caches");
	cr_expect_eq(back.moved_buffers, 23);
	run_record_free(&run);
	run_record_free(&back);
	run_record_free(&again);
	free(first);
	free(second);
}

Test(record, what_each_thread_did_comes_back)
{
	struct run_record run, back;
	struct err err;
	char *text;

	fill(&run);
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_assert_eq(back.thread_count, 2);
	cr_expect(!memcmp(&back.threads[0], &run.threads[0],
			  sizeof(run.threads[0])));
	cr_expect_eq(back.threads[1].cpu, 58);
	cr_expect_eq(back.threads[1].node, 1);
	cr_expect(back.threads[1].is_moved);
	cr_expect_eq(back.targets[0].first_done_ns, 46);
	cr_expect_eq(back.targets[0].last_done_ns, 47);
	cr_expect_str_eq(back.targets[0].direct_io, "unknown");
	cr_expect_str_eq(back.targets[0].direct_io_reason, "overlay");
	cr_expect_null(back.targets[1].direct_io);
	cr_expect_eq(back.nowait_retries, 41);
	cr_expect_eq(back.involuntary_switches, 43);
	cr_expect_eq(back.major_faults, 45);
	cr_expect_eq(back.shape.list[0].write_bytes, 49);
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

Test(record, columns_that_say_nothing_are_left_out)
{
	static const char *const columns[] = { "\"node\"", "\"smt\"",
					       "\"kind\"", "\"target\"",
					       "\"moved\"" };
	struct run_record run, back;
	struct err err;
	char *text;
	size_t i;

	fill(&run);
	run.threads[0] = (struct run_thread_record){ .cpu = 1, .core = 1 };
	run.threads[1] = (struct run_thread_record){ .target = 1 };
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		cr_expect_null(strstr(text, columns[i]), "%s", columns[i]);
	cr_expect(strstr(text, "\"threads\":{\"cpu\":[1,0],\"core\":[1,0]}"),
		  "%s", text);
	cr_expect_eq(back.threads[1].target, 1);
	cr_expect_eq(back.threads[0].node, 0);
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

Test(record, without_pinning_no_place_is_told)
{
	struct run_record run, back;
	struct err err;
	char *text;

	fill(&run);
	free(run.cpus);
	run.cpus = NULL;
	run.threads[0] = (struct run_thread_record){ .reads = 5 };
	run.threads[1] = (struct run_thread_record){ .target = 1 };
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_expect(strstr(text, "\"threads\":{\"reads\":[5,0]}"), "%s", text);
	cr_expect_eq(back.thread_count, 2);
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

Test(record, latencies_come_back_in_their_buckets)
{
	struct run_record run, back;
	struct err err;
	char *text;

	fill(&run);
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_assert_not_null(back.latency);
	cr_expect(!memcmp(back.latency, run.latency, sizeof(*run.latency)));
	cr_expect(strstr(text, "\"p50_ns\":"), "%s", text);
	cr_expect(strstr(text, "\"buckets\":[[60,1],[999424,2]]"), "%s", text);
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

Test(record, a_failed_run_keeps_what_it_was_about)
{
	struct run_record run, back;
	struct err err;
	char *text;

	fill(&run);
	run.error = strdup("read /m/foo at 65536: Input/output error");
	run.not_available = true;
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_expect_str_eq(back.error, run.error);
	cr_expect(back.not_available);
	cr_expect_eq(back.target_count, 2);
	cr_expect_eq(back.cold.verdict, COLD_UNKNOWN);
	cr_expect_null(strstr(text, "\"verdict\""));
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

Test(record, a_path_may_hold_any_byte)
{
	struct run_record run, back;
	struct err err;
	char *text;

	fill(&run);
	free(run.targets[0].path);
	run.targets[0].path = strdup("/m/a\"b\\c\t\n\xff\xc3 d");
	free(run.targets[1].path);
	run.targets[1].path = strdup("/m/\xc3\xa4");
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_expect_str_eq(back.targets[0].path, "/m/a\"b\\c\t\n\\xff\\xc3 d");
	cr_expect_str_eq(back.targets[1].path, "/m/\xc3\xa4");
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

static int decode(const char *text, struct run_record *run, struct err *err)
{
	json_t *json = json_loads(text, 0, NULL);
	int rc;

	cr_assert_not_null(json, "%s", text);
	err->text[0] = '\0';
	rc = run_record_decode(json, run, err);
	json_decref(json);
	return rc;
}

Test(record, what_a_line_does_not_tell_is_not_known)
{
	struct run_record run;
	struct err err;

	cr_assert_eq(decode("{\"params\":{\"test\":\"seqread\"},"
			    "\"targets\":[{\"path\":\"/f\"}],\"later\":[1]}",
			    &run, &err),
		     0, "%s", err.text);
	cr_expect_eq(run.targets[0].read_ahead_kib, -1);
	cr_expect_eq(run.cold.verdict, COLD_UNKNOWN);
	cr_expect_eq(run.cold.device_bytes, -1);
	cr_expect_null(run.campaign_id);
	run_record_free(&run);
}

Test(record, a_hostile_line_is_refused_by_the_name_of_its_key)
{
	static const struct {
		const char *members, *fault;
	} cases[] = {
		{ "\"span_ns\":-1", "run.span_ns" },
		{ "\"span_ns\":1.5", "run.span_ns" },
		{ "\"span_ns\":\"1\"", "run.span_ns" },
		{ "\"moved_threads\":4294967296", "run.moved_threads" },
		{ "\"error\":5", "run.error" },
		{ "\"not_available\":1", "run.not_available" },
		{ "\"targets\":5", "targets" },
		{ "\"targets\":[5]", "targets" },
		{ "\"targets\":[{\"path\":\"a\"},{\"path\":[]}]",
		  "targets.path" },
		{ "\"targets\":[{\"read_ahead_kib\":-5}]",
		  "targets.read_ahead_kib" },
		{ "\"lowest_devices\":{}", "lowest_devices" },
		{ "\"devices\":[{\"name\":\"a\",\"requests\":true}]",
		  "devices.requests" },
		{ "\"threads\":[]", "threads" },
		{ "\"threads\":{\"reads\":1}", "threads.reads" },
		{ "\"threads\":{\"cpu\":[0,1],\"reads\":[1]}",
		  "threads.reads has 1 number, and threads.cpu has 2" },
		{ "\"threads\":{\"reads\":[1,-1]}", "threads.reads[1]" },
		{ "\"threads\":{\"smt\":[4294967296]}", "threads.smt[0]" },
		{ "\"targets\":[{}],\"threads\":{\"target\":[1]}",
		  "threads.target[0]" },
		{ "\"threads\":{\"reads\":[1],\"moved\":[1]}",
		  "threads.moved[0]" },
		{ "\"threads\":{\"moved\":7}", "threads.moved" },
		{ "\"latency\":[]", "latency" },
		{ "\"latency\":{}", "latency.count" },
		{ "\"latency\":{\"count\":1,\"buckets\":[[5,1]]}",
		  "latency.count, sum_ns" },
		{ "\"latency\":{\"count\":2,\"sum_ns\":5,\"min_ns\":5,"
		  "\"max_ns\":5,\"buckets\":[[5,1]]}",
		  "latency.count, sum_ns" },
		{ "\"latency\":{\"buckets\":[[65,1],[64,1]]}",
		  "latency.buckets[1]" },
		{ "\"latency\":{\"buckets\":[[129,1]]}", "latency.buckets[0]" },
		{ "\"latency\":{\"buckets\":[[5,0]]}", "latency.buckets[0]" },
		{ "\"latency\":{\"buckets\":[[-5,1]]}", "latency.buckets[0]" },
		{ "\"latency\":{\"buckets\":[5]}", "latency.buckets[0]" },
		{ "\"cpu\":[]", "cpu" },
		{ "\"cpu\":{\"user\":-3}", "cpu.user" },
		{ "\"flush\":1", "flush" },
		{ "\"cold\":1", "cold" },
		{ "\"cold\":{}", "cold.verdict" },
		{ "\"cold\":{\"verdict\":\"hot\"}", "cold.verdict" },
		{ "\"cold\":{\"verdict\":\"warm\",\"causes\":[\"a\",5]}",
		  "cold.causes" },
		{ "\"params\":5", "params.test" },
		{ "\"params\":{}", "params.test" },
		{ "\"params\":{\"test\":\"nonesuch\"}", "params.test" },
		{ "\"params\":{\"test\":\"seqread\",\"threads\":-1}",
		  "params.threads" },
		{ "\"params\":{\"test\":\"seqread\",\"threads\":4294967296}",
		  "params.threads" },
		{ "\"params\":{\"test\":\"seqread\",\"threads\":65537}",
		  "params.threads is 65537, and not from 1 to 65536" },
		{ "\"params\":{\"test\":\"seqread\",\"threads\":0}",
		  "params.threads is 0" },
		{ "\"params\":{\"test\":\"seqread\","
		  "\"block_bytes\":4611686018427387904}",
		  "params.block_bytes is 4611686018427387904" },
		{ "\"params\":{\"test\":\"seqread\",\"block_bytes\":0}",
		  "params.block_bytes is 0" },
		{ "\"params\":{\"test\":\"seqread\",\"loops\":0}",
		  "params.loops is 0" },
		{ "\"params\":{\"test\":\"seqreadv\",\"iovecs\":1025}",
		  "params.iovecs is 1025" },
		{ "\"params\":{\"test\":\"seqread\",\"seed\":-1}",
		  "params.seed is -1" },
		{ "\"params\":{\"test\":\"seqread\","
		  "\"read_ahead_kib\":4294967296}",
		  "params.read_ahead_kib is 4294967296" },
		{ "\"params\":{\"test\":\"seqread\",\"direct\":1}",
		  "params.direct" },
		{ "\"params\":{\"test\":\"seqread\",\"fadvise\":\"x\"}",
		  "hint 'x'" },
		{ "\"params\":{\"test\":\"seqread\",\"layout\":7}",
		  "params.layout" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_record run;
		struct err err;
		char text[256];

		snprintf(text, sizeof(text), "{%s%s}",
			 strstr(cases[i].members, "params")
				 ? ""
				 : "\"params\":{\"test\":\"seqread\"},",
			 cases[i].members);
		cr_expect_eq(decode(text, &run, &err), -EINVAL, "%s", text);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		cr_expect_null(run.targets);
		cr_expect_null(run.threads);
		cr_expect_null(run.latency);
		cr_expect_null(run.error);
	}
}

/* As lines of earlier days have them. */
Test(record, a_number_that_was_not_given_may_be_0)
{
	static const char line[] =
		"{\"imported_metric\":\"kbs\",\"imported_text\":\"1\","
		"\"params\":{\"test\":\"seqread\",\"threads\":0,"
		"\"iovecs\":0,\"reads\":0,\"range_bytes\":0}}";
	struct run_record run;
	struct err err;

	cr_assert_eq(decode(line, &run, &err), 0, "%s", err.text);
	cr_expect_eq(run.params.threads, 0);
	run_record_free(&run);
}

Test(record, figures_that_were_published_have_no_proof)
{
	struct run_record run, back;
	struct err err;
	char *text;

	run = (struct run_record){ .imported_metric = strdup("cpu"),
				   .imported_text = strdup("4.70") };
	cr_assert_eq(params_init(&run.params, FORM_READ, &err), 0);
	run.params.test = test_by_name("seqaioread");
	cr_assert_eq(through_text(&run, &back, &text, &err), 0, "%s", err.text);
	cr_expect_str_eq(back.imported_text, "4.70");
	cr_expect_eq(back.params.test, run.params.test);
	cr_expect_null(strstr(text, "\"cold\""));
	run_record_free(&run);
	run_record_free(&back);
	free(text);
}

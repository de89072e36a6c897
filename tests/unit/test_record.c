// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"

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
	run->targets[0] = (struct run_target){ .path = strdup("/m/foo"),
					       .size_bytes = 24,
					       .offset_bytes = 25,
					       .range_bytes = 26,
					       .threads = 27,
					       .bytes = 28,
					       .reads = 29,
					       .thread_ns = 30,
					       .read_ahead_kib = 0 };
	run->targets[1] = (struct run_target){ .path = strdup("/n"),
					       .read_ahead_kib = -1 };
	run->lowest.count = run->shape.count = 1;
	run->lowest.list = calloc(1, sizeof(*run->lowest.list));
	run->lowest.list[0] =
		(struct run_device){ strdup("vda"), 31, 32, 33, 34 };
	run->shape.list = calloc(1, sizeof(*run->shape.list));
	run->shape.list[0] =
		(struct run_device){ strdup("loop0"), 35, 36, 37, 38 };
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
		cr_expect_null(run.error);
	}
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

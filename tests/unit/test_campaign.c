// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/record/campaign.h"

static int decode(const char *text, struct campaign *campaign, struct err *err)
{
	json_t *json = json_loads(text, 0, NULL);
	int rc;

	cr_assert_not_null(json, "%s", text);
	err->text[0] = '\0';
	rc = campaign_decode(json, campaign, err);
	json_decref(json);
	return rc;
}

Test(campaign, a_line_comes_back_whole)
{
	static const char line[] =
		"{\"type\":\"campaign\",\"schema\":1,\"campaign_id\":\"1\","
		"\"label\":\"6.18\",\"begun\":\"b\",\"tool_version\":\"t\","
		"\"command\":\"c\",\"host\":\"h\",\"kernel_release\":\"r\","
		"\"kernel_version\":\"v\",\"config_hash\":\"x\","
		"\"boot_id\":\"i\",\"cpu_model\":\"m\",\"topology\":\"o\","
		"\"memory_bytes\":2,\"seed\":3,\"reps\":4,\"runs\":5,"
		"\"flush_method\":\"f\",\"imported_from\":\"p\","
		"\"targets\":[{\"path\":\"/m/foo\",\"mount_point\":\"/m\","
		"\"source\":\"/dev/loop0\",\"fs_type\":\"ext4\","
		"\"options\":\"rw\",\"uuid\":\"u\",\"size_bytes\":6,"
		"\"device\":\"loop0\",\"read_ahead_kib\":7,"
		"\"fs_read_ahead_kib\":8,\"max_sectors_kib\":9,"
		"\"nr_requests\":10,\"rotational\":0,\"loop_direct\":null,"
		"\"scheduler\":\"none\",\"lowest\":\"vda\"}]}";
	struct campaign campaign;
	struct err err;
	json_t *json;
	char *text;

	cr_assert_eq(decode(line, &campaign, &err), 0, "%s", err.text);
	cr_expect_eq(campaign.targets[0].rotational, 0);
	cr_expect_eq(campaign.targets[0].loop_direct, -1);
	json = campaign_encode(&campaign);
	text = json_dumps(json, JSON_COMPACT);
	cr_expect_str_eq(text, line);
	json_decref(json);
	free(text);
	campaign_free(&campaign);
}

Test(campaign, a_hostile_line_is_refused_by_the_name_of_its_key)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ "{\"label\":\"x\"}", "no campaign_id" },
		{ "{\"campaign_id\":\"1\"}", "no label" },
		{ "{\"campaign_id\":1,\"label\":\"x\"}",
		  "campaign.campaign_id" },
		{ "{\"campaign_id\":\"1\",\"label\":null}", "campaign.label" },
		{ "{\"campaign_id\":\"1\",\"label\":\"x\",\"runs\":-1}",
		  "campaign.runs" },
		{ "{\"campaign_id\":\"1\",\"label\":\"x\",\"targets\":1}",
		  "campaign.targets" },
		{ "{\"campaign_id\":\"1\",\"label\":\"x\",\"targets\":[{},1]}",
		  "campaign.targets" },
		{ "{\"campaign_id\":\"1\",\"label\":\"x\","
		  "\"targets\":[{\"rotational\":\"no\"}]}",
		  "campaign.targets.rotational" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct campaign campaign;
		struct err err;

		cr_expect_eq(decode(cases[i].text, &campaign, &err), -EINVAL,
			     "%s", cases[i].text);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		cr_expect_null(campaign.id);
		cr_expect_null(campaign.targets);
	}
}

Test(campaign, each_begins_with_an_id_of_its_own)
{
	struct campaign one, two;
	struct err err;

	cr_assert_eq(campaign_begin("x", "rawread sweep", &one, &err), 0);
	cr_assert_eq(campaign_begin("x", "rawread sweep", &two, &err), 0);
	cr_expect_eq(strlen(one.id), 32);
	cr_expect_str_neq(one.id, two.id);
	cr_expect_str_eq(one.label, "x");
	cr_expect_str_eq(one.command, "rawread sweep");
	cr_expect(one.begun && one.tool_version);
	campaign_free(&one);
	campaign_free(&two);
}

Test(campaign, its_end_says_whether_all_was_done)
{
	const struct campaign_end end = { .campaign_id = (char[]){ "1" },
					  .runs = 12,
					  .cause = (char[]){ "SIGINT" } };
	struct campaign_end back;
	json_t *json = campaign_end_encode(&end);
	struct err err;

	cr_assert_eq(campaign_end_decode(json, &back, &err), 0, "%s", err.text);
	cr_expect_str_eq(back.campaign_id, "1");
	cr_expect_eq(back.runs, 12);
	cr_expect_not(back.complete);
	cr_expect_str_eq(back.cause, "SIGINT");
	campaign_end_free(&back);
	json_object_del(json, "campaign_id");
	cr_expect_eq(campaign_end_decode(json, &back, &err), -EINVAL);
	cr_expect(strstr(err.text, "campaign_id"), "%s", err.text);
	json_decref(json);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/campaign.h"
#include "lib/record/label.h"
#include "lib/record/record.h"
#include "lib/record/store.h"
#include "lib/record/tests.h"
#include "reports/import_csv.h"
#include "reports/metric.h"
#include "reports/print.h"

enum {
	KEY_CSV = 0x100,
	KEY_LABEL,
	KEY_TEST,
};

struct request {
	const char *csv;
	const char *label;
	const char *output;
	const struct test *test;
};

static const struct argp_option options[] = {
	{ "csv", KEY_CSV, "FILE", 0,
	  "Two columns with a heading: Blocksize, and KBs/sec, KB/s or %CPU",
	  0 },
	{ "label", KEY_LABEL, "LABEL", 0, "What the figures are of", 0 },
	{ "output", 'o', "FILE", 0, "The record file to append to", 0 },
	{ "test", KEY_TEST, "N|NAME", 0,
	  "Which test gave them (default: 0, seqread)", 0 },
	{ 0 },
};

/* Figures may be of a test that this version cannot run. */
static int take_test(struct request *request, const char *arg, struct err *err)
{
	size_t i;

	for (i = 0; i < TEST_COUNT; i++) {
		char id[12];

		snprintf(id, sizeof(id), "%u", tests[i].id);
		if (!strcmp(arg, id) || !strcmp(arg, tests[i].name)) {
			request->test = &tests[i];
			return 0;
		}
	}
	return err_say(err, -EINVAL,
		       "--test: '%s' does not exist; tests are 0 to 23, or "
		       "names such as seqread",
		       arg);
}

static int take(int key, char *arg, void *input, struct err *err)
{
	struct request *request = input;

	switch (key) {
	case KEY_CSV:
		request->csv = arg;
		return 0;
	case KEY_LABEL:
		request->label = arg;
		return 0;
	case 'o':
		request->output = arg;
		return 0;
	case KEY_TEST:
		return take_test(request, arg, err);
	case ARGP_KEY_ARG:
		return err_say(err, -EINVAL,
			       "import: '%s' is no option; the file to read is "
			       "given as --csv %s",
			       arg, arg);
	default:
		return err_say(err, -EINVAL, "import: option %d is not known",
			       key);
	}
}

static int check(const struct request *request, struct err *err)
{
	if (!request->csv)
		return err_say(err, -EINVAL,
			       "import: --csv FILE says what to read");
	if (!request->label)
		return err_say(err, -EINVAL,
			       "import: --label LABEL says what the figures "
			       "are of");
	if (!request->output || !*request->output)
		return err_say(err, -EINVAL,
			       "import: -o FILE says which record file to "
			       "append to");
	return label_check(request->label, err);
}

static int make_campaign(const struct request *request,
			 const struct import_table *table, char **argv,
			 struct campaign *campaign, struct err *err)
{
	char *words = argv_quote(argv);
	char *command = words ? text_format("rawread %s", words) : NULL;
	int rc;

	free(words);
	if (!command)
		return err_set(err, -ENOMEM, "command line");
	rc = campaign_begin(request->label, command, campaign, err);
	free(command);
	campaign->reps = 1;
	campaign->runs = table->count;
	campaign->imported_from = strdup(request->csv);
	if (!rc && !campaign->imported_from)
		rc = err_set(err, -ENOMEM, "campaign");
	return rc;
}

static int append_figure(const struct request *request,
			 const struct import_table *table, size_t index,
			 const char *campaign_id, struct err *err)
{
	const struct import_figure *figure = &table->figures[index];
	struct run_record run = { .rep = 1, .order = index + 1 };
	int rc;

	rc = params_init(&run.params, FORM_READ, err);
	if (rc < 0)
		return rc;
	run.params.test = request->test;
	run.params.block_bytes = figure->block_bytes;
	run.campaign_id = strdup(campaign_id);
	run.imported_metric = strdup(table->metric->name);
	run.imported_text = strdup(figure->text);
	if (run.campaign_id && run.imported_metric && run.imported_text)
		rc = store_append_new(request->output, run_record_encode(&run),
				      err);
	else
		rc = err_set(err, -ENOMEM, "figure");
	run_record_free(&run);
	return rc;
}

static int append_all(const struct request *request,
		      const struct import_table *table,
		      struct campaign *campaign, struct err *err)
{
	struct campaign_end end = { .campaign_id = campaign->id,
				    .runs = table->count,
				    .complete = true };
	size_t i;
	int rc;

	rc = store_append_new(request->output, campaign_encode(campaign), err);
	for (i = 0; !rc && i < table->count; i++)
		rc = append_figure(request, table, i, campaign->id, err);
	if (!rc)
		rc = store_append_new(request->output,
				      campaign_end_encode(&end), err);
	return rc;
}

static int import(const struct request *request, char **argv, struct err *err)
{
	struct import_table table;
	struct campaign campaign = { 0 };
	size_t torn_bytes;
	int rc;

	/* Nothing is written before all of it was read and found good. */
	rc = import_csv_read(request->csv, &table, err);
	if (rc < 0)
		return rc;
	rc = make_campaign(request, &table, argv, &campaign, err);
	if (!rc)
		rc = store_prepare(request->output, &torn_bytes, err);
	if (!rc && torn_bytes)
		fprintf(stderr, "rawread: " STORE_TORN_CUT "\n",
			request->output, torn_bytes);
	if (!rc)
		rc = append_all(request, &table, &campaign, err);
	if (!rc)
		printf("%s: %zu figures of %s for %s, label %s\n",
		       request->output, table.count, table.metric->column,
		       request->test->name, request->label);
	campaign_free(&campaign);
	import_table_free(&table);
	return rc;
}

static int run_import(int argc, char **argv)
{
	struct request request = { .test = &tests[TEST_DEFAULT_ID] };
	struct err err;
	int rc;

	print_begin();
	rc = command_parse(&command_import, argc, argv, take, &request, &err);
	if (rc > 0)
		return EXIT_GOOD;
	if (!rc)
		rc = check(&request, &err);
	if (!rc)
		rc = import(&request, argv, &err);
	if (!rc)
		rc = command_close_stdout(&err);
	if (!rc)
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

const struct command command_import = {
	.name = "import",
	.summary = "Published figures into a record file",
	.args_doc = "--csv FILE --label LABEL -o FILE",
	.options = options,
	.run = run_import,
};

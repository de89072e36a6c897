// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/cmd_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/stop.h"
#include "lib/record/record.h"
#include "rawread/classic_output.h"
#include "rawread/engine.h"
#include "rawread/findings_output.h"
#include "rawread/measure.h"
#include "rawread/record_run.h"
#include "rawread/record_sink.h"
#include "rawread/setup.h"
#include "rawread/topology.h"

/* hwloc says that it bound a thread also where there is no such CPU. */
static int check_pinnable(const struct setup *setup, struct err *err)
{
	if (!setup->placement.pus || topology_is_this_system(setup->topology))
		return 0;
	return err_say(err, -EINVAL,
		       "--pin %s: the topology is not this machine's; unset "
		       "HWLOC_SYNTHETIC and HWLOC_XMLFILE, or give --pin none",
		       setup->params.pin);
}

/* The text of a run that was measured: all of it, or nothing beside --json. */
static void print_run(const struct setup *setup, const struct run_record *run)
{
	const struct run_params *params = &setup->params;

	if (params->form == FORM_READ && params->json)
		return;
	classic_print(stdout, params, &setup->plan, run);
	if (!params->quiet)
		putchar('\n');
	findings_print(params->quiet ? stderr : stdout, &setup->plan, run);
}

static void say_not_cold(const struct run_cold *cold)
{
	/* Of a memory file system, which has no device, there is no flush. */
	bool is_cached = cold->resident_before_bytes > 0 &&
			 cold->device_bytes >= 0;
	size_t i;

	fprintf(stderr, "rawread: --cold: the run was %s",
		cold->verdict == COLD_WARM ? "warm" : "not proved cold");
	for (i = 0; i < cold->cause_count; i++)
		fprintf(stderr, "%s %s", i ? ";" : ":", cold->causes[i]);
	fprintf(stderr, "%s\n",
		is_cached ? "; flush the cache before, as 'rawread sweep' does"
			  : "");
}

/* Records and prints; returns the exit status. */
static int tell(const struct setup *setup, const struct measurement *m,
		const struct record_sink *sink, const char *error)
{
	const struct record_sources sources = {
		.params = &setup->params,
		.plan = setup->plan.targets ? &setup->plan : NULL,
		.placement = &setup->placement,
		.samples = &m->samples,
		.observation = &m->observation,
		.read_ahead_kib = m->read_ahead.effective_kib,
		.cost = m->cost,
		.reads_nothing = setup->ops->reads_nothing,
		.begun = m->begun,
		.error = error,
		.not_available = setup->not_available || m->not_available,
	};
	struct run_record run;
	struct err err;
	int status = error ? EXIT_WORSE : EXIT_GOOD;

	if (record_run_make(&sources, &run, &err) < 0)
		goto trouble;
	if (!error)
		print_run(setup, &run);
	if (record_sink_write(sink, &run, &err) < 0 ||
	    command_close_stdout(&err) < 0)
		goto trouble;
	if (stop_asked())
		goto interrupted;
	if (!error && setup->params.cold && run.cold.verdict != COLD_PROVED) {
		say_not_cold(&run.cold);
		status = EXIT_WORSE;
	}
	run_record_free(&run);
	return status;
trouble:
	err_print(&err);
interrupted:
	run_record_free(&run);
	if (!stop_asked())
		return EXIT_TROUBLE;
	/* Else exit() would wait again for whoever does not read it. */
	__fpurge(stdout);
	return EXIT_SIGNAL + stop_signal();
}

/* From a setup to an exit status, with everything put back. */
static int read_and_tell(const struct setup *setup,
			 const struct record_sink *sink)
{
	struct measurement m;
	struct err err, restore_err;
	int rc, restored, status;

	rc = measure(setup, &m, &err);
	/* Telling may take as long as a pipe or a lock is taken. */
	restored = measurement_restore(&m, &restore_err);
	if (rc < 0)
		err_print(&err);
	if (restored < 0)
		err_print(&restore_err);
	if (stop_asked())
		status = EXIT_SIGNAL + stop_signal();
	else if (rc < 0 && !m.attempted)
		status = EXIT_TROUBLE;
	else
		status = tell(setup, &m, sink, rc < 0 ? err.text : NULL);
	/* Nothing was measured when no byte could be read. */
	if (restored < 0 ||
	    (status == EXIT_WORSE && (!m.samples.opened || m.not_available)))
		status = EXIT_TROUBLE;
	measurement_free(&m);
	return status;
}

/* A target that cannot be read like this is recorded, as a row that is n/a. */
static int tell_not_available(const struct setup *setup,
			      const struct record_sink *sink, const char *error)
{
	const struct measurement nothing = { 0 };
	int status = tell(setup, &nothing, sink, error);

	return status == EXIT_WORSE ? EXIT_TROUBLE : status;
}

int cmd_read(int argc, char **argv, enum params_form form)
{
	struct record_sink sink = { .fd = -1 };
	int status = EXIT_TROUBLE, rc;
	struct setup setup;
	struct err err;

	stop_install();
	rc = setup_parse(&command_read, form, argc, argv, &setup, &err);
	if (rc == 1) {
		rc = command_close_stdout(&err);
		status = rc < 0 ? EXIT_TROUBLE : EXIT_GOOD;
		goto out;
	}
	if (!rc)
		rc = setup_make(&setup, &err);
	if (!rc)
		rc = check_pinnable(&setup, &err);
	if (!rc) {
		rc = record_sink_open(setup.params.json, &sink, &err);
		if (!rc)
			status = read_and_tell(&setup, &sink);
	} else if (setup.not_available &&
		   !record_sink_open(setup.params.json, &sink, NULL)) {
		status = tell_not_available(&setup, &sink, err.text);
	}
	if (rc < 0 && stop_asked())
		status = EXIT_SIGNAL + stop_signal();
out:
	if (rc < 0)
		err_print(&err);
	setup_free(&setup);
	return status;
}

static int run_read(int argc, char **argv)
{
	return cmd_read(argc, argv, FORM_READ);
}

const struct command command_read = {
	.name = "read",
	.summary = "One run: read files or devices, and measure it",
	.args_doc = "[FILE|DEVICE|DIR...]",
	.options = params_options,
	.run = run_read,
};

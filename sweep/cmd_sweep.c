// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "lib/record/label.h"
#include "lib/record/store.h"
#include "lib/record/tests.h"
#include "sweep/flush.h"
#include "sweep/sweep.h"

#define BLOCK_SIZES_DEFAULT "1k..512k"
#define REPS_DEFAULT	    3
#define REPS_MAX	    1000000

/* Away from the keys of the shared table. */
enum { KEY_FLUSH = 0x200, KEY_OFFSET, KEY_ALLOW_DROP_CACHES };

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0,
	  "Record file that the runs are appended to (required)", 0 },
	{ "label", 'L', "TEXT", 0,
	  "What the tables call this kernel (default: its release)", 0 },
	{ "block-sizes", 's', "SIZES", 0,
	  "As 1k..512k, 4k,64k or both mixed (default: " BLOCK_SIZES_DEFAULT
	  ")",
	  0 },
	{ "reps", 'R', "N", 0, "Repetitions of all block sizes (default: 3)",
	  0 },
	{ "flush", KEY_FLUSH, "HOW", 0,
	  "Before each run: remount (default), fadvise, drop-caches, none "
	  "(default with --warm)",
	  0 },
	{ "allow-drop-caches", KEY_ALLOW_DROP_CACHES, NULL, 0,
	  "Drop the whole machine's cache when the flush left something", 0 },
	{ "offset", KEY_OFFSET, "MB", 0,
	  "Start of the range in MB, or with a suffix", 0 },
	{ 0 },
};

static int dir_add(struct sweep_plan *plan, char *dir, struct err *err)
{
	char **grown =
		reallocarray(plan->dirs, plan->dir_count + 1, sizeof(*grown));

	if (!grown)
		return err_set(err, -ENOMEM, "directory %s", dir);
	plan->dirs = grown;
	plan->dirs[plan->dir_count++] = dir;
	return 0;
}

static int take(int key, char *arg, void *input, struct err *err)
{
	struct sweep_plan *plan = input;

	switch (key) {
	case 'o':
		return text_set(&plan->record_path, arg, err);
	case 'L':
		return text_set(&plan->label, arg, err);
	case 's':
		free(plan->block_sizes);
		plan->block_sizes = NULL;
		return size_list_parse("block-sizes", arg, &plan->block_sizes,
				       &plan->size_count, err);
	case 'R':
		return count_parse("reps", arg, 1, REPS_MAX, &plan->reps, err);
	case KEY_FLUSH:
		return flush_method_parse(arg, &plan->method, err);
	case KEY_ALLOW_DROP_CACHES:
		plan->may_drop_caches = true;
		return 0;
	case KEY_OFFSET:
		return size_parse("offset", arg, MIB,
				  &plan->params.offset_bytes, err);
	case ARGP_KEY_ARG:
		return dir_add(plan, arg, err);
	default:
		return params_take(key, arg, &plan->params, err);
	}
}

static int plan_init(struct sweep_plan *plan, struct err *err)
{
	*plan = (struct sweep_plan){ .reps = REPS_DEFAULT };
	return params_init(&plan->params, FORM_READ, err);
}

static int check_block_sizes(const struct sweep_plan *plan, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->size_count; i++)
		if (plan->block_sizes[i] > BLOCK_MAX_BYTES)
			return err_say(
				err, -ERANGE,
				"block-sizes: %llu bytes are more than "
				"1g, the largest block",
				(unsigned long long)plan->block_sizes[i]);
	return 0;
}

/* --warm empties and fills the cache itself, in the process that reads. */
static int method_finish(struct sweep_plan *plan, struct err *err)
{
	const struct flush_method *usual = plan->params.warm ? &flush_none
							     : &flush_remount;

	if (!plan->method)
		plan->method = usual;
	if (plan->params.warm && plan->method->is_cold)
		return err_say(err, -EINVAL,
			       "--warm fills the cache before each run, and "
			       "--flush %s empties it; give one",
			       plan->method->name);
	if (plan->may_drop_caches && plan->method != &flush_remount &&
	    plan->method != &flush_fadvise)
		return err_say(err, -EINVAL,
			       "--allow-drop-caches helps remount and fadvise, "
			       "and --flush %s has no use for it; leave it out",
			       plan->method->name);
	return 0;
}

/* What is written over is not read the same again. */
static int check_test(const struct test *test, struct err *err)
{
	if (!test || !test->is_write)
		return 0;
	return err_say(
		err, -EINVAL,
		"sweep: test %u, %s, writes, and a sweep compares reads; "
		"use 'rawread read' for it, or change -t",
		test->id, test->title);
}

/* Defaults, and what has to be given. */
static int plan_finish(struct sweep_plan *plan, struct err *err)
{
	struct utsname names;
	int rc = 0;

	if (!plan->record_path || !*plan->record_path)
		return err_say(err, -EINVAL,
			       "sweep: -o FILE is required: the record file "
			       "that the runs go to");
	if (!plan->dir_count)
		return err_say(err, -EINVAL,
			       "sweep: no directory; name mount points that "
			       "hold a file foo ('rawread prepare' makes it)");
	rc = check_test(plan->params.test, err);
	if (!rc)
		rc = method_finish(plan, err);
	if (!rc && !plan->label) {
		uname(&names);
		rc = text_set(&plan->label, names.release, err);
	}
	if (!rc)
		rc = label_check(plan->label, err);
	if (!rc && !plan->block_sizes)
		rc = size_list_parse("block-sizes", BLOCK_SIZES_DEFAULT,
				     &plan->block_sizes, &plan->size_count,
				     err);
	if (!rc)
		rc = check_block_sizes(plan, err);
	return rc;
}

/* The words as they were typed, with our name before. */
static int command_keep(struct sweep_plan *plan, int argc, char **argv,
			struct err *err)
{
	char **words = calloc((size_t)argc + 2, sizeof(*words));
	char name[] = "rawread", command[] = "sweep";
	int i;

	if (!words)
		return err_set(err, -ENOMEM, "command line");
	words[0] = name;
	words[1] = command;
	for (i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	plan->command = argv_quote(words);
	free(words);
	return plan->command ? 0 : err_set(err, -ENOMEM, "command line");
}

/* A line on stderr that is no error of the command's own. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	struct err note;
	va_list ap;

	va_start(ap, format);
	vsnprintf(note.text, sizeof(note.text), format, ap);
	va_end(ap);
	err_print(&note);
}

/* One line for each kind of trouble; returns the exit status. */
static int tell(const struct sweep_plan *plan, const struct sweep_tally *tally)
{
	unsigned long long written = tally->written;

	if (tally->errors)
		say("%llu of %llu runs failed; first: %s",
		    (unsigned long long)tally->errors, written,
		    tally->first_error ? tally->first_error : "?");
	if (tally->not_cold)
		say("%llu of %llu runs were not proved cold; first: %s",
		    (unsigned long long)tally->not_cold, written,
		    tally->first_warmth ? tally->first_warmth : "?");
	if (tally->fallbacks)
		say("%llu of %llu runs needed more than %s; first: %s",
		    (unsigned long long)tally->fallbacks, written,
		    plan->method == &flush_remount ? "unmounting"
						   : plan->method->name,
		    tally->first_fallback ? tally->first_fallback : "?");
	printf("%s: %llu run%s of %s, %zu block size%s x %llu repetition%s",
	       plan->record_path, written, plural(written), plan->label,
	       plan->size_count, plural(plan->size_count),
	       (unsigned long long)plan->reps, plural(plan->reps));
	if (plan->method->is_cold && !tally->not_cold && !tally->errors &&
	    tally->not_available < tally->written)
		printf(", all proved cold");
	if (tally->not_available)
		printf(", %llu not available here",
		       (unsigned long long)tally->not_available);
	putchar('\n');
	return tally->errors || tally->not_cold ? EXIT_WORSE : EXIT_GOOD;
}

static void tell_stop(const struct sweep_plan *plan,
		      const struct sweep_tally *tally)
{
	const char *name = sigabbrev_np(stop_signal());
	unsigned long long planned = tally->planned;

	if (tally->written)
		say("stopped by SIG%s after %llu of %llu runs; %s has them",
		    name, (unsigned long long)tally->written, planned,
		    plan->record_path);
	else
		say("stopped by SIG%s before the first of %llu runs was done; "
		    "nothing was written to %s",
		    name, planned, plan->record_path);
}

static int sweep_and_tell(struct sweep_plan *plan, struct err *err)
{
	struct sweep_tally tally;
	int rc, status;

	rc = sweep_run(plan, &tally, err);
	if (tally.torn_bytes)
		say(STORE_TORN_CUT, plan->record_path, tally.torn_bytes);
	if (rc == -EINTR && stop_asked()) {
		tell_stop(plan, &tally);
		status = EXIT_SIGNAL + stop_signal();
	} else if (rc < 0) {
		err_print(err);
		status = EXIT_TROUBLE;
	} else {
		status = tell(plan, &tally);
	}
	sweep_tally_free(&tally);
	return status;
}

static int cmd_sweep(int argc, char **argv)
{
	struct sweep_plan plan;
	struct err err;
	int rc, status = EXIT_TROUBLE;

	stop_install();
	rc = plan_init(&plan, &err);
	if (!rc)
		rc = command_parse(&command_sweep, argc, argv, take, &plan,
				   &err);
	if (!rc)
		rc = plan_finish(&plan, &err);
	if (!rc)
		rc = command_keep(&plan, argc, argv, &err);
	if (rc < 0)
		err_print(&err);
	else
		status = rc ? EXIT_GOOD : sweep_and_tell(&plan, &err);
	/* A signal's status says more than a pipe that went with it. */
	if (status < EXIT_SIGNAL && command_close_stdout(&err) < 0) {
		err_print(&err);
		status = EXIT_TROUBLE;
	}
	sweep_plan_free(&plan);
	return status;
}

const struct command command_sweep = {
	.name = "sweep",
	.summary = "Measure all block sizes, with a flush before each run",
	.args_doc = "DIR...",
	.options = options,
	.shared_options = params_shared_options,
	.run = cmd_sweep,
};

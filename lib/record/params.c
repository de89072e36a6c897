// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/params_table.h"
#include "lib/record/tests.h"

void params_number_set(struct run_params *params, const struct param_row *row,
		       uint64_t number)
{
	if (row->size == sizeof(uint64_t))
		*(uint64_t *)params_member(params, row) = number;
	else
		*(unsigned int *)params_member(params, row) =
			(unsigned int)number;
	if (row->key == KEY_READ_AHEAD)
		params->read_ahead_given = true;
}

static int size_set(struct run_params *params, const struct param_row *row,
		    const char *text, uint64_t unit, struct err *err)
{
	uint64_t bytes;
	int rc = size_parse(row->name, text, unit, &bytes, err);

	if (rc < 0)
		return rc;
	if (bytes < row->lowest || bytes > row->highest)
		return err_say(err, -ERANGE, "%s: '%s' is too %s", row->name,
			       text, bytes < row->lowest ? "small" : "large");
	params_number_set(params, row, bytes);
	return 0;
}

int params_row_set(struct run_params *params, const struct param_row *row,
		   const char *text, struct err *err)
{
	uint64_t number;
	int rc;

	switch (row->kind) {
	case PARAM_FLAG:
		*(bool *)params_member(params, row) = true;
		return 0;
	case PARAM_COUNT:
		rc = count_parse(row->name, text, row->lowest, row->highest,
				 &number, err);
		if (!rc)
			params_number_set(params, row, number);
		return rc;
	case PARAM_SIZE:
		return size_set(params, row, text, 1, err);
	case PARAM_SIZE_MB:
		return size_set(params, row, text, MIB, err);
	case PARAM_TEXT:
		return text_set(params_member(params, row), text, err);
	case PARAM_TEST:
		return test_parse(text, params_member(params, row), err);
	case PARAM_LAYOUT:
		return layout_parse(text, params_member(params, row), err);
	case PARAM_HINT:
		return hint_parse(text, params_member(params, row), err);
	}
	return -EINVAL;
}

int params_init(struct run_params *params, enum params_form form,
		struct err *err)
{
	*params = (struct run_params){
		.form = form,
		.block_bytes = BLOCK_DEFAULT_BYTES,
		.layout = form == FORM_CLASSIC ? LAYOUT_SHARED : LAYOUT_SLICE,
		.reads = form == FORM_CLASSIC ? READS_DEFAULT : 0,
		.loops = 1,
		.seed = 1,
		.pin = strdup("scatter"),
	};
	if (params->pin)
		return 0;
	params_free(params);
	return err_set(err, -ENOMEM, "options");
}

void params_free(struct run_params *params)
{
	unsigned int i;

	for (i = 0; i < params->target_count; i++)
		free(params->targets[i]);
	free(params->targets);
	free(params->engine);
	free(params->pin);
	free(params->file_pattern);
	free(params->json);
	*params = (struct run_params){ 0 };
}

static int target_add(struct run_params *params, const char *path,
		      struct err *err)
{
	char **grown, *copy;

	grown = reallocarray(params->targets, params->target_count + 1,
			     sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "target %s", path);
	params->targets = grown;
	copy = strdup(path);
	if (!copy)
		return err_set(err, -ENOMEM, "target %s", path);
	params->targets[params->target_count++] = copy;
	return 0;
}

int params_take(int key, char *arg, void *input, struct err *err)
{
	struct run_params *params = input;
	size_t i;

	if (key == ARGP_KEY_ARG)
		return target_add(params, arg, err);
	for (i = 0; i < params_row_count; i++)
		if (params_rows[i].key == key)
			return params_row_set(params, &params_rows[i], arg,
					      err);
	return err_say(err, -EINVAL, "option %d is not known", key);
}

static int check_vectors(struct run_params *params, struct err *err)
{
	bool given = params->iovecs != 0;

	if (!params->test)
		params->test =
			&tests[given ? TEST_DEFAULT_READV : TEST_DEFAULT_ID];
	if (given && !params->test->is_vectored)
		return err_say(err, -EINVAL,
			       "-i %u is for the readv tests 2 and 8, and this "
			       "is test %u, %s; leave -i out or change -t",
			       params->iovecs, params->test->id,
			       params->test->title);
	if (!given)
		params->iovecs = params->test->is_vectored ? TEST_DEFAULT_IOVECS
							   : 1;
	return 0;
}

/* What is for numbered targets alone would do nothing with others. */
static int check_numbers(struct run_params *params, struct err *err)
{
	bool numbered = params->use_disks || params->use_files;

	if (params->first_device && !numbered)
		return err_say(err, -EINVAL,
			       "-d %u numbers the targets of -x or -f, and "
			       "neither is given",
			       params->first_device);
	if (params->file_pattern && !params->use_files)
		return err_say(err, -EINVAL,
			       "--file-pattern %s is where -f looks, which is "
			       "not given",
			       params->file_pattern);
	if (params->file_pattern && !strstr(params->file_pattern, "%d") &&
	    (params->modulo > 1 || params->first_device))
		return err_say(err, -EINVAL,
			       "file pattern '%s' has no %%d for the number",
			       params->file_pattern);
	if (!params->first_device)
		params->first_device = 1;
	if (params->use_files && !params->file_pattern)
		return text_set(&params->file_pattern, FILE_PATTERN, err);
	return 0;
}

/* Beside its record "rawread read" prints no text, in whatever form. */
static int check_report(const struct run_params *params, struct err *err)
{
	if (params->form != FORM_READ || !params->json ||
	    (!params->quiet && !params->spreadsheet))
		return 0;
	return err_say(err, -EINVAL,
		       "-%c is a form of the text, and read --json prints the "
		       "record in its place; give one, or use the classic form",
		       params->quiet ? 'q' : 'e');
}

/* A target's number or its path: one way at a time. */
static int check_targets(struct run_params *params, struct err *err)
{
	if (params->use_disks && params->use_files)
		return err_say(err, -EINVAL,
			       "-x names disks and -f names files; give one");
	if (params->target_count && (params->use_disks || params->use_files))
		return err_say(err, -EINVAL,
			       "-%c names targets by number, and %s by path; "
			       "give one",
			       params->use_disks ? 'x' : 'f',
			       params->targets[0]);
	if (!params->target_count && !params->use_disks && !params->use_files)
		return err_say(err, -EINVAL,
			       "no target: raw devices (/dev/raw) left the "
			       "kernel in 5.14; name a FILE, DEVICE or mounted "
			       "DIR, or use -f for /mnt/mntN/foo, -x for "
			       "/dev/sdX, -z for O_DIRECT");
	if (params->target_count && params->modulo &&
	    params->modulo != params->target_count)
		return err_say(err, -EINVAL,
			       "-m %u, but %u targets are named; leave -m out",
			       params->modulo, params->target_count);
	if (params->target_count)
		params->modulo = params->target_count;
	if (!params->threads)
		params->threads = params->target_count ? params->target_count
						       : 1;
	if (!params->modulo)
		params->modulo = params->threads;
	if (params->modulo > params->threads)
		return err_say(err, -EINVAL,
			       "%u targets need at least as many threads, and "
			       "--threads (-p) is %u; give --threads %u or "
			       "more, or fewer targets",
			       params->modulo, params->threads, params->modulo);
	return 0;
}

int params_finish(struct run_params *params, struct err *err)
{
	uint64_t product;
	int rc;

	rc = check_vectors(params, err);
	if (!rc)
		rc = check_targets(params, err);
	if (!rc)
		rc = check_numbers(params, err);
	if (!rc)
		rc = check_report(params, err);
	if (rc < 0)
		return rc;
	if (!params->reads && params->loops > 1)
		return err_say(err, -EINVAL,
			       "-l %llu repeats -n, which is not given",
			       (unsigned long long)params->loops);
	if (__builtin_mul_overflow(params->reads, params->loops, &product) ||
	    product > INT64_MAX)
		return err_say(err, -ERANGE, "-n times -l is more than 2^63");
	return 0;
}

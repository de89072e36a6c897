// SPDX-License-Identifier: GPL-2.0-or-later
/* Defaults that hang on other options, and options that do not go together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/params.h"
#include "lib/record/tests.h"

static int check_vectors(struct run_params *params, struct err *err)
{
	bool given = params->iovecs != 0;

	if (!params->test)
		params->test =
			&tests[given ? TEST_DEFAULT_READV : TEST_DEFAULT_ID];
	if (given && !params->test->is_vectored)
		return err_say(
			err, -EINVAL,
			"-i %u is for the readv and writev tests 2, 3, 8 "
			"and 9, and this is test %u, %s; leave -i out "
			"or change -t",
			params->iovecs, params->test->id, params->test->title);
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
			       "-m %u, but %u target%s named; leave -m out",
			       params->modulo, params->target_count,
			       params->target_count == 1 ? " is" : "s are");
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

/* One way to end a run, and what belongs to it. */
static int check_stop(struct run_params *params, struct err *err)
{
	int ways = (params->reads != 0) + (params->stop_bytes != 0) +
		   (params->time_ns != 0);
	uint64_t product;

	if (ways > 1)
		return err_say(err, -EINVAL,
			       "%s and %s are two ways to end a run; give one",
			       params->reads ? "--reads (-n)" : "--bytes",
			       params->time_ns ? "--time" : "--bytes");
	if (params->ramp_ns && !params->time_ns)
		return err_say(
			err, -EINVAL,
			"--ramp comes before --time, which is not given");
	if (!ways && params->form == FORM_CLASSIC)
		params->reads = READS_DEFAULT;
	if (!params->reads && params->loops > 1)
		return err_say(err, -EINVAL,
			       "-l %llu repeats -n, which is not given",
			       (unsigned long long)params->loops);
	if (__builtin_mul_overflow(params->reads, params->loops, &product) ||
	    product > INT64_MAX)
		return err_say(err, -ERANGE, "-n times -l is more than 2^63");
	if (__builtin_add_overflow(params->time_ns, params->ramp_ns,
				   &product) ||
	    product > INT64_MAX)
		return err_say(err, -ERANGE,
			       "--time and --ramp are more than 2^63 ns");
	return 0;
}

static int check_pattern(const struct run_params *params, struct err *err)
{
	const struct test *test = params->test;

	if (params->pattern != PATTERN_DEFAULT &&
	    params_is_random(params) != test->is_random)
		return err_say(err, -EINVAL,
			       "--pattern %s does not go with test %u, %s; "
			       "change --pattern or -t",
			       pattern_name(params->pattern), test->id,
			       test->title);
	if (params->pattern == PATTERN_STRIDE && !params->stride_bytes)
		return err_say(
			err, -EINVAL,
			"--pattern stride wants --stride, the bytes from "
			"one read to the next");
	if (params->pattern != PATTERN_STRIDE && params->stride_bytes)
		return err_say(err, -EINVAL,
			       "--stride is of --pattern stride, which is not "
			       "given");
	return 0;
}

/* Of two options that do not go together the first is told with the reason. */
struct conflict {
	bool is_given;
	const char *option;
	bool is_against;
	const char *reason;
};

static int check_conflicts(const struct conflict *conflicts, size_t count,
			   struct err *err)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (conflicts[i].is_given && conflicts[i].is_against)
			return err_say(err, -EINVAL, "%s %s; give one",
				       conflicts[i].option,
				       conflicts[i].reason);
	return 0;
}

/* Hints would do nothing where they cannot reach the read-ahead. */
static int check_hints(const struct run_params *params, struct err *err)
{
	bool is_mmap = !strcmp(params_engine(params), "mmap");
	bool hinted = params->fadvise != FADVISE_NONE || params->readahead;
	const struct conflict conflicts[] = {
		{ params->rwf, "--rwf",
		  strcmp(params_engine(params), "preadv2"),
		  "has flags of engine preadv2, and this is another engine" },
		{ params->madvise, "--madvise", !is_mmap,
		  "is for mappings of engine mmap, and this is another engine" },
		{ params->direct, "--direct (-z)", is_mmap,
		  "goes past the page cache that engine mmap maps" },
		{ params->direct, "--direct (-z)", hinted,
		  "goes past the page cache that --fadvise and --readahead "
		  "fill" },
		{ params->direct, "--direct (-z)", params->warm,
		  "goes past the page cache that --warm fills" },
	};

	return check_conflicts(conflicts,
			       sizeof(conflicts) / sizeof(conflicts[0]), err);
}

static int check_purpose(const struct run_params *params, struct err *err)
{
	const struct conflict conflicts[] = {
		{ params->cold, "--cold", params->warm,
		  "wants an empty cache, and --warm fills it" },
		{ params->latency, "--latency", params->verify,
		  "times the reads, and --verify compares between them" },
	};

	return check_conflicts(conflicts,
			       sizeof(conflicts) / sizeof(conflicts[0]), err);
}

/* What a write test has no use for. */
static int check_write(const struct run_params *params, struct err *err)
{
	const struct {
		bool is_given;
		const char *option;
	} reading[] = {
		{ params->cold, "--cold" },
		{ params->warm, "--warm" },
		{ params->verify, "--verify" },
		{ params->fadvise != FADVISE_NONE, "--fadvise" },
		{ params->readahead, "--readahead" },
		{ params->noatime, "--noatime" },
		{ params->read_ahead_given, "--read-ahead-kb" },
	};
	size_t i;

	if (!params->test->is_write)
		return 0;
	for (i = 0; i < sizeof(reading) / sizeof(reading[0]); i++)
		if (reading[i].is_given)
			return err_say(err, -EINVAL,
				       "%s is about reading, and test %u, %s, "
				       "writes; leave it out",
				       reading[i].option, params->test->id,
				       params->test->title);
	return 0;
}

int params_finish(struct run_params *params, struct err *err)
{
	static int (*const checks[])(const struct run_params *,
				     struct err *) = {
		check_report,  check_pattern, check_hints,
		check_purpose, check_write,
	};
	size_t i;
	int rc;

	rc = check_vectors(params, err);
	if (!rc)
		rc = check_targets(params, err);
	if (!rc)
		rc = check_numbers(params, err);
	if (!rc)
		rc = check_stop(params, err);
	for (i = 0; !rc && i < sizeof(checks) / sizeof(checks[0]); i++)
		rc = checks[i](params, err);
	return rc;
}

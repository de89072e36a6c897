// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/params.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/fields.h"
#include "lib/record/tests.h"

enum kind {
	KIND_FLAG,
	KIND_COUNT,
	KIND_SIZE,    /* a plain number is bytes */
	KIND_SIZE_MB, /* a plain number is MB */
	KIND_TEXT,
	KIND_TEST,
	KIND_LAYOUT,
	KIND_HINT,
};

/* Keys of options without a letter. */
enum {
	KEY_ENGINE = 0x100,
	KEY_LAYOUT,
	KEY_PIN,
	KEY_SEED,
	KEY_HINT,
	KEY_READ_AHEAD,
	KEY_FILE_PATTERN,
	KEY_COLD,
	KEY_JSON,
};

/*
 * X(name, key, argument, kind, member, lowest, highest, record key, help)
 *
 * An option without a record key is about reporting, or about how targets are
 * named, and is no part of the run itself. What is shared is the same for all
 * runs of a sweep, which takes these options too.
 */
#define PARAMS_SHARED(X)                                                      \
	X("test", 't', "N|NAME", TEST, test, 0, 0, "test",                    \
	  "Test 0, 2, 4, 6, 8 or 10, or its name: seqread, seqreadv, "        \
	  "seqpread, randread, randreadv, randpread (default: 0, or 2 with "  \
	  "-i)")                                                              \
	X("engine", KEY_ENGINE, "NAME", TEXT, engine, 0, 0, "engine",         \
	  "Read with read, readv, pread or null in place of the test's own")  \
	X("iovecs", 'i', "N", COUNT, iovecs, 1, IOV_MAX, "iovecs",            \
	  "Number of iovecs of the readv tests (default: 8)")                 \
	X("threads", 'p', "N", COUNT, threads, 1, 65536, "threads",           \
	  "Threads in all (default: one for each target; 1 with -x or -f)")   \
	X("layout", KEY_LAYOUT, "NAME", LAYOUT, layout, 0, 0, "layout",       \
	  "How threads of one target divide it: shared (one counter; the "    \
	  "classic form's default) or slice")                                 \
	X("pin", KEY_PIN, "HOW", TEXT, pin, 0, 0, "pin",                      \
	  "Pin threads: scatter (default), none, or a LIST of CPUs as 0,2-5") \
	X("reads", 'n', "N", COUNT, reads, 1, INT64_MAX, "reads",             \
	  "Each thread reads at least N blocks; all stop together (default: " \
	  "1024 in the classic form, else the whole range once)")             \
	X("loops", 'l', "N", COUNT, loops, 1, INT64_MAX, "loops",             \
	  "Repeat -n so often (default: 1)")                                  \
	X("range", 'r', "MB", SIZE_MB, range_bytes, 1, INT64_MAX,             \
	  "range_bytes",                                                      \
	  "Length of the range in MB, or with a suffix (default: 1024 MB or " \
	  "the smallest target in the classic form, else each whole target)") \
	X("seed", KEY_SEED, "N", COUNT, seed, 0, INT64_MAX, "seed",           \
	  "Seed of the random tests' order (default: 1)")                     \
	X("direct", 'z', NULL, FLAG, direct, 0, 0, "direct",                  \
	  "Open with O_DIRECT")                                               \
	X("sync", 'c', NULL, FLAG, sync, 0, 0, "sync", "Open with O_SYNC")    \
	X("fadvise", KEY_HINT, "HINT", HINT, hint, 0, 0, "fadvise",           \
	  "Give posix_fadvise: none, normal, sequential, random, willneed, "  \
	  "noreuse")                                                          \
	X("read-ahead-kb", KEY_READ_AHEAD, "N", COUNT, read_ahead_kib, 0,     \
	  UINT32_MAX, "read_ahead_kib",                                       \
	  "Read-ahead of the targets' file systems for this run; put back "   \
	  "after it")

/* A single run's own: what is read, and which targets. */
#define PARAMS_READ(X)                                                         \
	X("block-size", 's', "SIZE", SIZE, block_bytes, 1, BLOCK_MAX_BYTES,    \
	  "block_bytes", "Bytes of one read, or of one iovec (default: 256k)") \
	X("offset", 'o', "MB", SIZE_MB, offset_bytes, 0, INT64_MAX,            \
	  "offset_bytes", "Start of the range in MB, or with a suffix")        \
	X("device-modulo", 'm', "N", COUNT, modulo, 1, 65536, NULL,            \
	  "Number of targets with -x or -f (default: -p); thread i works on "  \
	  "target i modulo N")                                                 \
	X("first-device", 'd', "N", COUNT, first_device, 1, 65536, NULL,       \
	  "Number of the first target with -x or -f: 2 is sdb, /mnt/mnt2 "     \
	  "(default: 1)")                                                      \
	X("disks", 'x', NULL, FLAG, use_disks, 0, 0, NULL,                     \
	  "Read /dev/sda, /dev/sdb, ...")                                      \
	X("files", 'f', NULL, FLAG, use_files, 0, 0, NULL,                     \
	  "Read the file foo in /mnt/mnt1, /mnt/mnt2, ...")                    \
	X("file-pattern", KEY_FILE_PATTERN, "PATH", TEXT, file_pattern, 0, 0,  \
	  NULL, "Where -f looks; %d is the number (default: /mnt/mnt%d/foo)")

/* What is told of a run that was done, and to whom; "plan" does none. */
#define PARAMS_REPORT(X)                                           \
	X("cold", KEY_COLD, NULL, FLAG, cold, 0, 0, NULL,          \
	  "Exit 1 unless the run was proved cold")                 \
	X("json", KEY_JSON, "FILE|fd:N|-", TEXT, json, 0, 0, NULL, \
	  "Write the run's record there, one line; - is stdout")   \
	X("spreadsheet", 'e', NULL, FLAG, spreadsheet, 0, 0, NULL, \
	  "One more line, for a spreadsheet")                      \
	X("quiet", 'q', NULL, FLAG, quiet, 0, 0, NULL,             \
	  "Only the results, a line for each target")

#define OPTION(name, key, arg, kind, member, lowest, highest, json, help) \
	{ name, key, arg, 0, help, 0 },
const struct argp_option params_options[] = { PARAMS_SHARED(OPTION) PARAMS_READ(
	OPTION) PARAMS_REPORT(OPTION){ 0 } };
const struct argp_option params_plan_options[] = { PARAMS_SHARED(
	OPTION) PARAMS_READ(OPTION){ 0 } };
const struct argp_option params_shared_options[] = { PARAMS_SHARED(OPTION){
	0 } };
#undef OPTION

struct param_row {
	const char *name;
	const char *json; /* NULL: no part of the run itself */
	int key;
	enum kind kind;
	size_t offset;
	size_t size; /* of the member */
	uint64_t lowest, highest;
};

#define ROW(name, key, arg, kind, member, lowest, highest, json, help) \
	{ name,                                                        \
	  json,                                                        \
	  key,                                                         \
	  KIND_##kind,                                                 \
	  offsetof(struct run_params, member),                         \
	  sizeof(((struct run_params *)0)->member),                    \
	  lowest,                                                      \
	  highest },
static const struct param_row rows[] = { PARAMS_SHARED(ROW) PARAMS_READ(ROW)
						 PARAMS_REPORT(ROW) };
#undef ROW

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* Names of an enum in its order, and those that are known and not there yet. */
struct names {
	const char *what;
	const char *const *list, *const *later; /* both end in NULL */
	const char *all;
};

static const struct names layouts = {
	.what = "layout",
	.list = (const char *const[]){ "shared", "slice", NULL },
	.later = (const char *const[]){ "stripe", "each", NULL },
	.all = "shared and slice",
};

static const struct names hints = {
	.what = "hint",
	.list = (const char *const[]){ "none", "normal", "sequential", "random",
				       "willneed", "noreuse", NULL },
	.later = (const char *const[]){ NULL },
	.all = "none, normal, sequential, random, willneed and noreuse",
};

static bool name_find(const char *const *list, const char *text,
		      unsigned int *index)
{
	for (*index = 0; list[*index]; ++*index)
		if (!strcmp(list[*index], text))
			return true;
	*index = 0;
	return false;
}

static int name_parse(const struct names *names, const char *text,
		      unsigned int *index, struct err *err)
{
	if (name_find(names->later, text, index)) {
		*index = 0;
		return err_say(err, -EOPNOTSUPP,
			       "%s '%s' is not in this version, which has %s",
			       names->what, text, names->all);
	}
	if (name_find(names->list, text, index))
		return 0;
	return err_say(err, -EINVAL, "%s '%s' is not known; there are %s",
		       names->what, text, names->all);
}

const char *layout_name(enum layout layout)
{
	return layouts.list[layout];
}

const char *hint_name(enum hint hint)
{
	return hints.list[hint];
}

int layout_parse(const char *text, enum layout *layout, struct err *err)
{
	unsigned int i;
	int rc = name_parse(&layouts, text, &i, err);

	*layout = (enum layout)i;
	return rc;
}

int hint_parse(const char *text, enum hint *hint, struct err *err)
{
	unsigned int i;
	int rc = name_parse(&hints, text, &i, err);

	*hint = (enum hint)i;
	return rc;
}

/* The member of @params that @row is about. */
static void *member_of(const struct run_params *params,
		       const struct param_row *row)
{
	return (char *)params + row->offset;
}

static uint64_t number_get(const struct run_params *params,
			   const struct param_row *row)
{
	if (row->size == sizeof(uint64_t))
		return *(uint64_t *)member_of(params, row);
	return *(unsigned int *)member_of(params, row);
}

static void number_set(struct run_params *params, const struct param_row *row,
		       uint64_t number)
{
	if (row->size == sizeof(uint64_t))
		*(uint64_t *)member_of(params, row) = number;
	else
		*(unsigned int *)member_of(params, row) = (unsigned int)number;
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
	number_set(params, row, bytes);
	return 0;
}

static int row_set(struct run_params *params, const struct param_row *row,
		   const char *text, struct err *err)
{
	uint64_t number;
	int rc;

	switch (row->kind) {
	case KIND_FLAG:
		*(bool *)member_of(params, row) = true;
		return 0;
	case KIND_COUNT:
		rc = count_parse(row->name, text, row->lowest, row->highest,
				 &number, err);
		if (!rc)
			number_set(params, row, number);
		return rc;
	case KIND_SIZE:
		return size_set(params, row, text, 1, err);
	case KIND_SIZE_MB:
		return size_set(params, row, text, MIB, err);
	case KIND_TEXT:
		return text_set(member_of(params, row), text, err);
	case KIND_TEST:
		return test_parse(text, member_of(params, row), err);
	case KIND_LAYOUT:
		return layout_parse(text, member_of(params, row), err);
	case KIND_HINT:
		return hint_parse(text, member_of(params, row), err);
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
	for (i = 0; i < ROW_COUNT; i++)
		if (rows[i].key == key)
			return row_set(params, &rows[i], arg, err);
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

/* What stands behind the option, or NULL when it need not be given. */
static int row_get(const struct run_params *params,
		   const struct run_params *defaults,
		   const struct param_row *row, char **text)
{
	const char *now, *usual;
	char size[24];

	*text = NULL;
	switch (row->kind) {
	case KIND_FLAG:
		return *(bool *)member_of(params, row) ? 1 : 0;
	case KIND_COUNT:
		if (row->key == KEY_READ_AHEAD
			    ? !params->read_ahead_given
			    : number_get(params, row) ==
				      number_get(defaults, row))
			return 0;
		*text = text_format(
			"%llu", (unsigned long long)number_get(params, row));
		break;
	case KIND_SIZE:
	case KIND_SIZE_MB:
		if (number_get(params, row) == number_get(defaults, row))
			return 0;
		size_format(number_get(params, row), size);
		*text = text_format("%s%s", size,
				    size[strlen(size) - 1] > '9' ? "" : "b");
		break;
	case KIND_TEXT:
		now = *(char **)member_of(params, row);
		usual = *(char **)member_of(defaults, row);
		if (!now || (usual && !strcmp(now, usual)))
			return 0;
		*text = strdup(now);
		break;
	case KIND_TEST:
		*text = strdup(params->test->name);
		break;
	case KIND_LAYOUT:
		if (params->layout == defaults->layout)
			return 0;
		*text = strdup(layout_name(params->layout));
		break;
	case KIND_HINT:
		if (params->hint == defaults->hint)
			return 0;
		*text = strdup(hint_name(params->hint));
		break;
	}
	return *text ? 1 : -ENOMEM;
}

/* Reporting is no part of the run; a proof that is asked for is. */
static bool row_repeats(const struct param_row *row)
{
	return row->key != KEY_JSON && row->key != 'q' && row->key != 'e';
}

/* What is decided by params_finish() need not be said then. */
static bool row_is_implied(const struct run_params *params,
			   const struct param_row *row)
{
	if (row->key == 'i')
		return !params->test->is_vectored;
	if (row->key == 'm')
		return params->target_count != 0;
	if (row->key == 'd')
		return params->first_device <= 1;
	if (row->key == KEY_FILE_PATTERN)
		return !params->file_pattern ||
		       !strcmp(params->file_pattern, FILE_PATTERN);
	return false;
}

int params_argv(const struct run_params *params, char ***argv, struct err *err)
{
	struct run_params defaults;
	size_t count = 0, i;
	char **words;
	int rc;

	*argv = NULL;
	rc = params_init(&defaults, FORM_READ, err);
	if (rc < 0)
		return rc;
	/* Two words an option, "rawread read --", the targets, the end. */
	words = calloc(2 * ROW_COUNT + params->target_count + 4,
		       sizeof(*words));
	if (!words)
		goto no_memory;
	words[count++] = strdup("rawread");
	words[count++] = strdup("read");
	for (i = 0; i < ROW_COUNT; i++) {
		char *text;

		if (!row_repeats(&rows[i]) || row_is_implied(params, &rows[i]))
			continue;
		rc = row_get(params, &defaults, &rows[i], &text);
		if (rc < 0)
			goto no_memory;
		if (!rc)
			continue;
		words[count++] = text_format("--%s", rows[i].name);
		if (text)
			words[count++] = text;
		if (!words[count - 1])
			goto no_memory;
	}
	if (params->target_count)
		words[count++] = strdup("--");
	for (i = 0; i < params->target_count; i++)
		words[count++] = strdup(params->targets[i]);
	for (i = 0; i < count; i++)
		if (!words[i])
			goto no_memory;
	params_free(&defaults);
	*argv = words;
	return 0;
no_memory:
	while (words && count)
		free(words[--count]);
	free(words);
	params_free(&defaults);
	return err_set(err, -ENOMEM, "command line");
}

void argv_free(char **argv)
{
	char **word;

	for (word = argv; word && *word; word++)
		free(*word);
	free(argv);
}

json_t *params_to_json(const struct run_params *params)
{
	json_t *json = json_object();
	size_t i;

	for (i = 0; json && i < ROW_COUNT; i++) {
		const struct param_row *row = &rows[i];
		json_t *value = NULL;

		if (!row->json)
			continue;
		switch (row->kind) {
		case KIND_FLAG:
			if (!*(bool *)member_of(params, row))
				continue;
			value = json_true();
			break;
		case KIND_COUNT:
		case KIND_SIZE:
		case KIND_SIZE_MB:
			if (row->key == KEY_READ_AHEAD &&
			    !params->read_ahead_given)
				continue;
			value = json_integer(
				(json_int_t)number_get(params, row));
			break;
		case KIND_TEXT:
			if (!*(char **)member_of(params, row))
				continue;
			value = json_text(*(char **)member_of(params, row));
			break;
		case KIND_TEST:
			value = json_string(params->test->name);
			break;
		case KIND_LAYOUT:
			value = json_string(layout_name(params->layout));
			break;
		case KIND_HINT:
			value = json_string(hint_name(params->hint));
			break;
		}
		if (json_object_set_new(json, row->json, value)) {
			json_decref(json);
			json = NULL;
		}
	}
	return json;
}

/* A record is read as options are: numbers are bounded, names known. */
static int row_from_json(struct run_params *params, const struct param_row *row,
			 const json_t *value, struct err *err)
{
	bool is_number = row->kind == KIND_COUNT || row->kind == KIND_SIZE ||
			 row->kind == KIND_SIZE_MB;

	if (row->kind == KIND_FLAG && json_is_boolean(value)) {
		*(bool *)member_of(params, row) = json_is_true(value);
		return 0;
	}
	if (is_number && json_is_integer(value) &&
	    json_integer_value(value) >= 0 &&
	    (row->size == sizeof(uint64_t) ||
	     json_integer_value(value) <= UINT_MAX)) {
		number_set(params, row, (uint64_t)json_integer_value(value));
		return 0;
	}
	if (row->kind == KIND_TEST && json_is_string(value)) {
		params->test = test_by_name(json_string_value(value));
		if (params->test)
			return 0;
	} else if (!is_number && row->kind != KIND_FLAG &&
		   json_is_string(value)) {
		return row_set(params, row, json_string_value(value), err);
	}
	return err_say(err, -EINVAL, "params.%s has no meaning here",
		       row->json);
}

int params_from_json(const json_t *json, struct run_params *params,
		     struct err *err)
{
	size_t i;
	int rc;

	rc = params_init(params, FORM_READ, err);
	for (i = 0; !rc && i < ROW_COUNT; i++) {
		const json_t *value =
			rows[i].json ? json_object_get(json, rows[i].json)
				     : NULL;

		if (value)
			rc = row_from_json(params, &rows[i], value, err);
	}
	if (!rc && !params->test)
		rc = err_say(err, -EINVAL, "params.test is missing");
	if (rc < 0)
		params_free(params);
	return rc;
}

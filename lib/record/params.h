/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run is asked to do, and the one table of options that says so: the
 * classic form, "rawread read", "rawread plan", the command line that a sweep
 * starts, and the keys of a record's "params" are all made from it.
 *
 * A struct run_params owns its strings. Fill it on the main thread; const
 * once the plan is made.
 */
#ifndef RAWREAD_RECORD_PARAMS_H
#define RAWREAD_RECORD_PARAMS_H

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct test;

enum layout { LAYOUT_SHARED, LAYOUT_SLICE };

/* POSIX_FADV_*, given to each descriptor after it is opened. */
enum hint {
	HINT_NONE,
	HINT_NORMAL,
	HINT_SEQUENTIAL,
	HINT_RANDOM,
	HINT_WILLNEED,
	HINT_NOREUSE
};

#define BLOCK_DEFAULT_BYTES 262144
#define BLOCK_MAX_BYTES	    (UINT64_C(1) << 30)
#define READS_DEFAULT	    1024		   /* classic form */
#define RANGE_DEFAULT_BYTES (UINT64_C(1024) << 20) /* classic form */
#define FILE_PATTERN	    "/mnt/mnt%d/foo"
#define DISK_PATTERN	    "/dev/sd%s"

/* The two ways to start a read; they differ in defaults only. */
enum params_form { FORM_CLASSIC, FORM_READ };

struct run_params {
	enum params_form form;
	const struct test *test;
	char *engine;	      /* NULL: the test's own */
	uint64_t block_bytes; /* of one read, or of one iovec */
	unsigned int iovecs;  /* 1 for tests that are not vectored */

	unsigned int threads; /* 0: one for each target */
	enum layout layout;
	char *pin; /* "none", "scatter" or a CPU list */

	/* Stop by count: each thread reads at least reads x loops blocks.
	 * 0: stop at the end of the range.
	 */
	uint64_t reads;
	uint64_t loops;
	uint64_t offset_bytes;
	uint64_t range_bytes; /* 0: none given */
	uint64_t seed;

	bool direct;
	bool sync;
	enum hint hint;
	bool read_ahead_given;
	uint64_t read_ahead_kib;

	/* Targets: paths as given, or numbers with -x or -f. */
	char **targets;
	unsigned int target_count;
	unsigned int first_device; /* -d, 1-based; 0: not given */
	unsigned int modulo;	   /* -m; 0: as many as threads */
	bool use_disks;		   /* -x */
	bool use_files;		   /* -f */
	char *file_pattern;	   /* NULL: not given */

	/* What is told, and to whom. */
	bool cold;	  /* fail when the run was not proved cold */
	bool quiet;	  /* -q */
	bool spreadsheet; /* -e */
	char *json;	  /* FILE, fd:N or - */
};

/* One row for each option, in the order of the manual; ends in { 0 }. */
extern const struct argp_option params_options[];
/* Without those that are about a run that was done. */
extern const struct argp_option params_plan_options[];
/* Those that are the same for all runs of a sweep, which takes them too. */
extern const struct argp_option params_shared_options[];

/* All defaults of @form. Free with params_free(). Returns 0 or -ENOMEM. */
int params_init(struct run_params *params, enum params_form form,
		struct err *err);
void params_free(struct run_params *params);

/*
 * The `take` of command_parse(): @input is the struct run_params. Plain words
 * become targets.
 */
int params_take(int key, char *arg, void *input, struct err *err);

/*
 * After the last option: defaults that hang on others, contradictions, and
 * options that would do nothing beside the others. Returns 0 or -EINVAL with
 * the reason.
 */
int params_finish(struct run_params *params, struct err *err);

/*
 * The words of "rawread read …" that repeat @params exactly, NULL-terminated,
 * "rawread" first; what merely reports (--json, -q) is left out. Free with
 * argv_free(). Returns 0 or -ENOMEM.
 */
int params_argv(const struct run_params *params, char ***argv, struct err *err);
void argv_free(char **argv);

/* @argv as one line that a shell takes apart the same way; the caller frees. */
char *argv_quote(char *const argv[]);

/*
 * The "params" object of a run line, and back: the keys stand in the table of
 * options. params_from_json() begins from the defaults of FORM_READ, ignores
 * keys it does not know, and leaves targets empty. Returns 0, -EINVAL when a
 * value is not of its kind, or -ENOMEM.
 */
json_t *params_to_json(const struct run_params *params);
int params_from_json(const json_t *json, struct run_params *params,
		     struct err *err);

/* Names for records and tables. */
const char *layout_name(enum layout layout);
const char *hint_name(enum hint hint);
int layout_parse(const char *text, enum layout *layout, struct err *err);
int hint_parse(const char *text, enum hint *hint, struct err *err);

#endif

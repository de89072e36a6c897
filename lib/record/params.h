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

/* How the threads of one target divide it. */
enum layout {
	LAYOUT_SHARED, /* blocks from one counter */
	LAYOUT_SLICE,  /* a contiguous part each */
	LAYOUT_STRIPE, /* thread j of k: blocks j, j + k, … */
	LAYOUT_EACH    /* all of it, each */
};

enum pattern {
	PATTERN_DEFAULT, /* sequential or random, as the test says */
	PATTERN_SEQUENTIAL,
	PATTERN_RANDOM,	       /* each block once */
	PATTERN_RANDOM_REPEAT, /* each draw independent */
	PATTERN_REVERSE,
	PATTERN_STRIDE
};

/* POSIX_FADV_*, given to each descriptor inside the span. */
enum fadvise {
	FADVISE_NONE,
	FADVISE_NORMAL,
	FADVISE_SEQUENTIAL,
	FADVISE_RANDOM,
	FADVISE_WILLNEED,
	FADVISE_NOREUSE
};

/* MADV_*, given to each mapping inside the span. */
enum madvise {
	MADVISE_NONE,
	MADVISE_NORMAL,
	MADVISE_SEQUENTIAL,
	MADVISE_RANDOM,
	MADVISE_WILLNEED,
	MADVISE_HUGEPAGE,
	MADVISE_NOHUGEPAGE
};

/* How the page cache is filled before a run that is to be warm. */
enum warm { WARM_NONE, WARM_FILL_READ, WARM_FILL_WRITE };

/* Flags of preadv2: bits of run_params.rwf. */
enum { RWF_FLAG_NOWAIT = 1, RWF_FLAG_HIPRI = 2, RWF_FLAG_DONTCACHE = 4 };

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
	char *pin; /* "none", "compact", "scatter", "near" or a CPU list */

	/* When a run ends, one of: each thread has done at least reads x loops
	 * blocks; stop_bytes were read of each target; time_ns have passed,
	 * after ramp_ns that do not count. All 0: at the end of the range.
	 */
	uint64_t reads;
	uint64_t loops;
	uint64_t stop_bytes;
	uint64_t time_ns;
	uint64_t ramp_ns;
	uint64_t offset_bytes;
	uint64_t range_bytes; /* 0: none given */
	enum pattern pattern; /* see params_pattern() */
	uint64_t stride_bytes;
	bool seed_given;
	uint64_t seed;

	bool direct;
	bool sync;
	bool noatime;
	unsigned int rwf;
	enum fadvise fadvise;
	enum madvise madvise;
	bool readahead; /* readahead(2) before the first read */
	bool read_ahead_given;
	uint64_t read_ahead_kib;

	enum warm warm;
	bool verify;
	bool latency;
	/* What may be overwritten: NULL: nothing; "": what the rules of safety
	 * allow; else this one target.
	 */
	char *destroy_data;

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

/* The pattern that is in force: never PATTERN_DEFAULT. */
enum pattern params_pattern(const struct run_params *params);
bool params_is_random(const struct run_params *params);

/* Whether the targets are written to: by the test, or to fill the cache. */
bool params_writes(const struct run_params *params);

/* The engine's name: the one given, or the test's own. */
const char *params_engine(const struct run_params *params);

/* Names for records and tables. */
const char *layout_name(enum layout layout);
const char *pattern_name(enum pattern pattern);
const char *fadvise_name(enum fadvise fadvise);
const char *madvise_name(enum madvise madvise);
const char *warm_name(enum warm warm);

/* "nowait,hipri"; the caller frees it. NULL without memory. */
char *rwf_text(unsigned int rwf);

#endif

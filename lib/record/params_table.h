/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the option table, for the files that parse, print and record by
 * it: private to lib/record. Constant data.
 */
#ifndef RAWREAD_RECORD_PARAMS_TABLE_H
#define RAWREAD_RECORD_PARAMS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record/params.h"
#include "lib/record/params_names.h"

struct err;

enum param_kind {
	PARAM_FLAG,
	PARAM_COUNT,
	PARAM_SIZE,    /* a plain number is bytes */
	PARAM_SIZE_MB, /* a plain number is MB */
	PARAM_TIME,    /* ns; a plain number is seconds */
	PARAM_TEXT,
	PARAM_TEST,
	PARAM_NAME,    /* one of names */
	PARAM_SET,     /* a bit for each of names */
	PARAM_CONSENT, /* a text that need not be given: "" then */
};

/* Keys of options without a letter. */
enum {
	KEY_ENGINE = 0x100,
	KEY_RWF,
	KEY_LAYOUT,
	KEY_PATTERN,
	KEY_STRIDE,
	KEY_PIN,
	KEY_BYTES,
	KEY_TIME,
	KEY_RAMP,
	KEY_SEED,
	KEY_NOATIME,
	KEY_FADVISE,
	KEY_MADVISE,
	KEY_READAHEAD,
	KEY_READ_AHEAD,
	KEY_WARM,
	KEY_LATENCY,
	KEY_VERIFY,
	KEY_DESTROY,
	KEY_FILE_PATTERN,
	KEY_COLD,
	KEY_JSON,
};

struct param_row {
	const char *name;
	const char *json; /* NULL: no part of the run itself */
	int key;
	enum param_kind kind;
	size_t offset;
	size_t size; /* of the member */
	uint64_t lowest, highest;
	enum param_names_id names; /* of PARAM_NAME and PARAM_SET */
};

extern const struct param_row params_rows[];
extern const size_t params_row_count;

/* The member of @params that @row is about. */
static inline void *params_member(const struct run_params *params,
				  const struct param_row *row)
{
	return (char *)params + row->offset;
}

static inline uint64_t params_number(const struct run_params *params,
				     const struct param_row *row)
{
	if (row->size == sizeof(uint64_t))
		return *(uint64_t *)params_member(params, row);
	return *(unsigned int *)params_member(params, row);
}

/* The name that a PARAM_NAME has. */
static inline const char *params_choice(const struct run_params *params,
					const struct param_row *row)
{
	return param_names[row->names].list[params_number(params, row)];
}

void params_number_set(struct run_params *params, const struct param_row *row,
		       uint64_t number);

/* Whether an option of that kind is a number, and so a record's is. */
static inline bool params_row_is_number(const struct param_row *row)
{
	return row->kind == PARAM_COUNT || row->kind == PARAM_SIZE ||
	       row->kind == PARAM_SIZE_MB || row->kind == PARAM_TIME;
}

/*
 * Whether @row need not be said: it is what @defaults, those of FORM_READ,
 * have, or follows from the others.
 */
bool params_row_is_usual(const struct run_params *params,
			 const struct run_params *defaults,
			 const struct param_row *row);

/* What @text says of @row. Returns 0, -EINVAL, -ERANGE or -ENOMEM. */
int params_row_set(struct run_params *params, const struct param_row *row,
		   const char *text, struct err *err);

#endif

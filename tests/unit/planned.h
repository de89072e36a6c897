/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans as a test wants them; planned_free() at its end frees all of them. */
#ifndef RAWREAD_TESTS_UNIT_PLANNED_H
#define RAWREAD_TESTS_UNIT_PLANNED_H

#include <stdbool.h>

#include "lib/record/params.h"
#include "rawread/plan.h"

/* Parameters as they are after params_finish(), in blocks of 64 KiB. */
struct run_params planned_params(enum params_form form, unsigned int targets,
				 unsigned int threads);

/* It has to succeed. */
struct plan planned_make(const struct run_params *params,
			 const struct plan_file *files);

/* It fails with @code and a sentence that has @wanted in it. */
void planned_refused(const struct run_params *params,
		     const struct plan_file *files, int code,
		     const char *wanted);

bool planned_has_note(const struct plan *plan, const char *wanted);

/* Those so far; for the .fini of a suite, or between two of many. */
void planned_free(void);

#endif

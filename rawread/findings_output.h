/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a run beyond the classic output: was it cold, what did it
 * cost, what moved. Only prints; main thread.
 */
#ifndef RAWREAD_FINDINGS_OUTPUT_H
#define RAWREAD_FINDINGS_OUTPUT_H

#include <stdio.h>

struct plan;
struct run_record;

void findings_print(FILE *out, const struct plan *plan,
		    const struct run_record *run);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classic tool's output, byte for byte in layout, from a run record. Only
 * prints; main thread.
 */
#ifndef RAWREAD_CLASSIC_OUTPUT_H
#define RAWREAD_CLASSIC_OUTPUT_H

#include <stdio.h>

struct plan;
struct run_params;
struct run_record;

/*
 * The header with the options, and the results; with -q the results in short;
 * with -e a line more.
 */
void classic_print(FILE *out, const struct run_params *params,
		   const struct plan *plan, const struct run_record *run);

#endif

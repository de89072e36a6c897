/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of what is told of a run: private to rawread/findings_*.c. */
#ifndef RAWREAD_FINDINGS_PARTS_H
#define RAWREAD_FINDINGS_PARTS_H

#include <stdint.h>
#include <stdio.h>

struct run_params;
struct run_record;

/* "1.234567 s" */
void findings_seconds(FILE *out, uint64_t ns);

/* How it read: engine, order, hints, and when it ended. */
void findings_way(FILE *out, const struct run_params *params);

/* Whether O_DIRECT did what it says; nothing without it. */
void findings_direct(FILE *out, const struct run_record *run);

/* What it took: CPU time, switches and faults, our own loop, each read. */
void findings_cost(FILE *out, const struct run_record *run);

#endif

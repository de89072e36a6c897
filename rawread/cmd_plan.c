// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/tests.h"
#include "rawread/destroy.h"
#include "rawread/engine.h"
#include "rawread/setup.h"
#include "rawread/verify.h"

struct column {
	const char *name;
	int flags;
};

enum {
	TARGET_PATH,
	TARGET_SIZE,
	TARGET_OFFSET,
	TARGET_RANGE,
	TARGET_BLOCKS,
	TARGET_THREADS
};

static const struct column target_columns[] = {
	[TARGET_PATH] = { "TARGET", 0 },
	[TARGET_SIZE] = { "SIZE", SCOLS_FL_RIGHT },
	[TARGET_OFFSET] = { "OFFSET", SCOLS_FL_RIGHT },
	[TARGET_RANGE] = { "RANGE", SCOLS_FL_RIGHT },
	[TARGET_BLOCKS] = { "BLOCKS", SCOLS_FL_RIGHT },
	[TARGET_THREADS] = { "THREADS", SCOLS_FL_RIGHT },
};

/* From the CPU to the kind: where the thread is. */
enum {
	THREAD_NUMBER,
	THREAD_TARGET,
	THREAD_CPU,
	THREAD_NODE,
	THREAD_PACKAGE,
	THREAD_CORE,
	THREAD_SMT,
	THREAD_KIND,
	THREAD_BLOCKS,
	THREAD_BYTES
};

static const struct column thread_columns[] = {
	[THREAD_NUMBER] = { "THREAD", SCOLS_FL_RIGHT },
	[THREAD_TARGET] = { "TARGET", 0 },
	[THREAD_CPU] = { "CPU", SCOLS_FL_RIGHT },
	[THREAD_NODE] = { "NODE", SCOLS_FL_RIGHT },
	[THREAD_PACKAGE] = { "PACKAGE", SCOLS_FL_RIGHT },
	[THREAD_CORE] = { "CORE", SCOLS_FL_RIGHT },
	[THREAD_SMT] = { "SMT", SCOLS_FL_RIGHT },
	[THREAD_KIND] = { "KIND", SCOLS_FL_RIGHT },
	[THREAD_BLOCKS] = { "BLOCKS", SCOLS_FL_RIGHT },
	[THREAD_BYTES] = { "BYTES", SCOLS_FL_RIGHT },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct libscols_table *table_new(const struct column *columns,
					size_t count)
{
	struct libscols_table *table = scols_new_table();
	size_t i;

	for (i = 0; table && i < count; i++)
		if (!scols_table_new_column(table, columns[i].name, 0,
					    columns[i].flags)) {
			scols_unref_table(table);
			return NULL;
		}
	return table;
}

/* Takes @text over; NULL, without memory, fails. */
static int cell_set(struct libscols_line *line, size_t column, char *text)
{
	int rc = text ? scols_line_refer_data(line, column, text) : -ENOMEM;

	if (rc < 0)
		free(text);
	return rc;
}

static int cell_number(struct libscols_line *line, size_t column,
		       uint64_t number)
{
	return cell_set(line, column, text_format("%" PRIu64, number));
}

static int target_line(struct libscols_table *table,
		       const struct plan_target *target)
{
	const uint64_t numbers[] = {
		[TARGET_SIZE] = target->size_bytes,
		[TARGET_OFFSET] = target->offset_bytes,
		[TARGET_RANGE] = target->range_bytes,
		[TARGET_BLOCKS] = target->blocks,
		[TARGET_THREADS] = target->threads,
	};
	struct libscols_line *line = scols_table_new_line(table, NULL);
	size_t i;
	int rc;

	if (!line)
		return -ENOMEM;
	rc = cell_set(line, TARGET_PATH, text_format("%s", target->path));
	for (i = TARGET_SIZE; !rc && i < COUNT(numbers); i++)
		rc = cell_number(line, i, numbers[i]);
	return rc;
}

static int place_cells(struct libscols_line *line,
		       const struct placement *placement, unsigned int thread)
{
	const struct topology_pu *pu;
	size_t i;
	int rc = 0;

	if (!placement->pus) {
		for (i = THREAD_CPU; !rc && i <= THREAD_KIND; i++)
			rc = cell_set(line, i, text_format("-"));
		return rc;
	}
	pu = &placement->pus[thread];
	rc = cell_number(line, THREAD_CPU, pu->os_index);
	if (!rc)
		rc = pu->node == NODE_NONE
			     ? cell_set(line, THREAD_NODE, text_format("-"))
			     : cell_number(line, THREAD_NODE, pu->node);
	if (!rc)
		rc = cell_number(line, THREAD_PACKAGE, pu->package);
	if (!rc)
		rc = cell_number(line, THREAD_CORE, pu->core);
	if (!rc)
		rc = cell_number(line, THREAD_SMT, pu->smt);
	if (!rc)
		rc = cell_number(line, THREAD_KIND, pu->slowness);
	return rc;
}

/* The blocks of a lane, first to last. */
static char *blocks_text(const struct plan_lane *lane)
{
	const struct sequence_part *part = &lane->part;
	uint64_t count = part->count < part->limit ? part->count : part->limit;
	uint64_t last = part->base + (count - 1) * part->step;

	if (!count)
		return text_format("none");
	if (part->order == SEQUENCE_DRAWN)
		return text_format("drawn");
	if (part->order == SEQUENCE_PERMUTED)
		return text_format("random");
	if (count == 1)
		return text_format("%" PRIu64, part->base);
	if (count == 2)
		return text_format("%" PRIu64 ",%" PRIu64, part->base, last);
	if (part->step == 1)
		return text_format("%" PRIu64 "-%" PRIu64, part->base, last);
	return text_format("%" PRIu64 ",%" PRIu64 "..%" PRIu64, part->base,
			   part->base + part->step, last);
}

static int work_cells(struct libscols_line *line, const struct plan *plan,
		      const struct plan_lane *lane)
{
	int rc;

	rc = cell_set(line, THREAD_BLOCKS, blocks_text(lane));
	if (rc < 0)
		return rc;
	if (plan->time_ns)
		return cell_set(line, THREAD_BYTES, text_format("-"));
	if (plan->layout == LAYOUT_SHARED && !plan->least_reads)
		return cell_set(line, THREAD_BYTES, text_format("shared"));
	return cell_number(line, THREAD_BYTES, lane->bytes);
}

static int lane_line(struct libscols_table *table, const struct setup *setup,
		     unsigned int index)
{
	const struct plan *plan = &setup->plan;
	const struct plan_lane *lane = &plan->lanes[index];
	unsigned int thread = index / plan->threads[0].lane_count;
	struct libscols_line *line = scols_table_new_line(table, NULL);
	int rc;

	if (!line)
		return -ENOMEM;
	rc = cell_number(line, THREAD_NUMBER, thread);
	if (!rc)
		rc = cell_set(
			line, THREAD_TARGET,
			text_format("%s", plan->targets[lane->target].path));
	if (!rc)
		rc = place_cells(line, &setup->placement, thread);
	if (!rc)
		rc = work_cells(line, plan, lane);
	return rc;
}

static int print_tables(const struct setup *setup)
{
	struct libscols_table *targets, *threads;
	unsigned int i;
	int rc = -ENOMEM;

	targets = table_new(target_columns, COUNT(target_columns));
	threads = table_new(thread_columns, COUNT(thread_columns));
	if (!targets || !threads)
		goto out;
	rc = 0;
	for (i = 0; !rc && i < setup->plan.target_count; i++)
		rc = target_line(targets, &setup->plan.targets[i]);
	for (i = 0; !rc && i < setup->plan.lane_count; i++)
		rc = lane_line(threads, setup, i);
	if (!rc)
		rc = scols_print_table(targets);
	putchar('\n');
	fflush(stdout);
	if (!rc)
		rc = scols_print_table(threads);
out:
	scols_unref_table(targets);
	scols_unref_table(threads);
	return rc;
}

/* When the run ends. */
static void print_end(const struct plan *plan)
{
	char time[32], ramp[32];

	if (plan->time_ns) {
		duration_format(plan->time_ns, time);
		duration_format(plan->ramp_ns, ramp);
		printf("\nfor %s", time);
		if (plan->ramp_ns)
			printf(", after a ramp of %s", ramp);
		printf("; they stop together\n");
	} else if (plan->least_reads) {
		printf("\nat least %" PRIu64 " reads a thread, %" PRIu64
		       " bytes in all; they stop together\n",
		       plan->least_reads, plan->bytes);
	} else {
		printf("\n%" PRIu64
		       " bytes in all; each thread ends at its own end\n",
		       plan->bytes);
	}
}

static void print_summary(const struct setup *setup)
{
	const struct run_params *params = &setup->params;
	const struct plan *plan = &setup->plan;
	unsigned int i;

	printf("\ntest %u, %s, by engine %s; a read is %" PRIu64 " bytes\n",
	       params->test->id, params->test->title, setup->ops->name,
	       plan->read_bytes);
	printf("pin %s, layout %s, pattern %s", params->pin,
	       layout_name(params->layout),
	       pattern_name(params_pattern(params)));
	if (params_is_random(params))
		printf(", seed %" PRIu64, params->seed);
	print_end(plan);
	for (i = 0; i < plan->note_count; i++)
		printf("note: %s\n", plan->notes[i]);
}

/* What a run would ask for before it begins. */
static int check_targets(const struct setup *setup, struct err *err)
{
	const struct run_params *params = &setup->params;
	uint64_t *seeds = NULL;
	int rc = 0;

	if (params_writes(params))
		rc = destroy_check(params, &setup->targets, err);
	if (!rc && params->verify)
		rc = verify_seeds(&setup->targets, &seeds, err);
	free(seeds);
	return rc;
}

static int run_plan(int argc, char **argv)
{
	struct setup setup;
	struct err err;
	int rc;

	rc = setup_parse(&command_plan, FORM_READ, argc, argv, &setup, &err);
	if (!rc)
		rc = setup_make(&setup, &err);
	if (!rc)
		rc = check_targets(&setup, &err);
	if (!rc) {
		rc = print_tables(&setup);
		if (rc < 0)
			err_set(&err, rc, "print the plan");
		else
			print_summary(&setup);
	}
	if (rc >= 0)
		rc = command_close_stdout(&err);
	setup_free(&setup);
	if (!rc)
		return EXIT_GOOD;
	err_print(&err);
	return EXIT_TROUBLE;
}

const struct command command_plan = {
	.name = "plan",
	.summary = "Show what a run would do, without reading anything",
	.args_doc = "[FILE|DEVICE|DIR...]",
	.options = params_plan_options,
	.run = run_plan,
};

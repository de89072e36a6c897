// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/runs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/tests.h"
#include "reports/series.h"

static uint64_t or_usual(uint64_t number, uint64_t usual)
{
	return number ? number : usual;
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static void add_targets(struct run_record *run, const struct run_spec *spec)
{
	unsigned int i;

	run->target_count = 2;
	run->targets = calloc(2, sizeof(*run->targets));
	for (i = 0; i < 2; i++) {
		run->targets[i].path =
			copy(i ? "/mnt/mnt2/foo" : "/mnt/mnt1/foo");
		run->targets[i].size_bytes = or_usual(spec->range_bytes, MIB);
		run->targets[i].range_bytes = or_usual(spec->range_bytes, MIB);
		run->targets[i].read_ahead_kib =
			spec->read_ahead_kib ? spec->read_ahead_kib : 128;
	}
}

static void add_threads(struct run_record *run, const struct run_spec *spec)
{
	run->cpus = copy(spec->cpus);
	if (!spec->smt && !spec->kind)
		return;
	run->thread_count = 2;
	run->threads = calloc(2, sizeof(*run->threads));
	run->threads[1].smt = spec->smt;
	run->threads[1].kind = spec->kind;
}

static void add_result(struct run_record *run, const struct run_spec *spec)
{
	uint64_t busy = or_usual(spec->busy_ticks, 50);

	run->span_ns = NS_PER_S;
	run->bytes = or_usual(spec->kib_per_s, 100000) * KIB;
	run->cpu.ticks_per_s = 100;
	run->cpu.steal = spec->steal_ticks;
	run->cpu.system = busy - spec->steal_ticks;
	run->cpu.idle = or_usual(spec->idle_ticks, 150) / 2;
	run->cpu.iowait = or_usual(spec->idle_ticks, 150) - run->cpu.idle;
	add_threads(run, spec);
	run->shape.count = 1;
	run->shape.list = calloc(1, sizeof(*run->shape.list));
	run->shape.list[0].name = copy("loop0");
	run->shape.list[0].requests = run->bytes / (128 * KIB);
	run->shape.list[0].read_bytes = run->shape.list[0].requests * 128 * KIB;
	run->cold.verdict = spec->verdict;
	run->cold.device_bytes = spec->verdict == COLD_PROVED
					 ? (int64_t)run->bytes
					 : (int64_t)spec->device_bytes;
	if (spec->cause)
		cr_assert_eq(run_cold_add_cause(&run->cold, "%s", spec->cause),
			     0);
}

void run_of(const struct run_spec *spec, struct run_record *run)
{
	struct err err;

	*run = (struct run_record){ .rep = 1, .order = 1 };
	cr_assert_eq(params_init(&run->params, FORM_READ, &err), 0);
	run->params.test = test_by_name(spec->test ? spec->test : "seqread");
	run->params.block_bytes = or_usual(spec->block_bytes, 4096);
	run->params.threads = spec->threads ? spec->threads : 2;
	run->params.fadvise = spec->fadvise;
	run->params.engine = copy(spec->engine);
	run->params.direct = spec->direct;
	run->params.reads = spec->reads;
	run->params.stop_bytes = spec->stop_bytes;
	run->params.time_ns = spec->time_ns;
	run->params.ramp_ns = spec->ramp_ns;
	run->params.pattern = spec->pattern;
	run->params.stride_bytes = spec->stride_bytes;
	run->params.rwf = spec->rwf;
	run->params.madvise = spec->madvise;
	run->params.readahead = spec->readahead;
	run->params.noatime = spec->noatime;
	run->params.latency = spec->latency;
	run->params.verify = spec->verify;
	run->params.warm = spec->warm;
	run->error = copy(spec->error);
	run->not_available = spec->not_available;
	run->flush.fallback = copy(spec->flush_fallback);
	run->flush.cause = copy(spec->flush_cause);
	run->imported_metric = copy(spec->imported_metric);
	run->imported_text = copy(spec->imported_text);
	if (!spec->blind && !spec->imported_metric)
		add_targets(run, spec);
	if (!spec->error && !spec->not_available && !spec->imported_metric)
		add_result(run, spec);
}

void series_take(struct series *series, const struct run_spec *spec)
{
	struct run_record run;
	struct err err = { "" };

	run_of(spec, &run);
	cr_assert_eq(series_add_run(series, SERIES_NO_CAMPAIGN, &run, &err), 0,
		     "%s", err.text);
	run_record_free(&run);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/record_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/record.h"
#include "lib/record/tests.h"
#include "rawread/cold.h"
#include "rawread/direct.h"
#include "rawread/observe.h"
#include "rawread/plan.h"
#include "rawread/record_threads.h"

/* Copies what a record holds of the parameters: what their JSON form does. */
static int copy_params(const struct run_params *params, struct run_params *copy,
		       struct err *err)
{
	json_t *json = params_to_json(params);
	int rc;

	if (!json)
		return err_set(err, -ENOMEM, "record of the run");
	rc = params_from_json(json, copy, err);
	json_decref(json);
	return rc;
}

/* Or as it is: it may have gone meanwhile. NULL without memory. */
static char *absolute_path(const char *path)
{
	char *absolute = realpath(path, NULL);

	return absolute ? absolute : strdup(path);
}

/* Paths of the targets that hold in every directory. */
static int make_absolute(const struct run_params *params, char ***paths,
			 struct err *err)
{
	unsigned int i;

	*paths = calloc(params->target_count + 1, sizeof(**paths));
	if (!*paths)
		return err_set(err, -ENOMEM, "record of the run");
	for (i = 0; i < params->target_count; i++) {
		(*paths)[i] = absolute_path(params->targets[i]);
		if (!(*paths)[i]) {
			argv_free(*paths);
			return err_set(err, -ENOMEM, "record of the run");
		}
	}
	return 0;
}

static int make_command(const struct run_params *params, char **command,
			struct err *err)
{
	const char *consent = params->destroy_data;
	struct run_params absolute = *params;
	char **argv = NULL;
	int rc;

	rc = make_absolute(params, &absolute.targets, err);
	if (rc < 0)
		return rc;
	if (consent && *consent) {
		absolute.destroy_data = absolute_path(consent);
		if (!absolute.destroy_data)
			rc = err_set(err, -ENOMEM, "record of the run");
	}
	if (!rc)
		rc = params_argv(&absolute, &argv, err);
	if (absolute.destroy_data != consent)
		free(absolute.destroy_data);
	argv_free(absolute.targets);
	if (rc < 0)
		return rc;
	*command = argv_quote(argv);
	argv_free(argv);
	return *command ? 0 : err_set(err, -ENOMEM, "record of the run");
}

static int make_targets(const struct record_sources *from,
			struct run_record *run, struct err *err)
{
	const struct plan *plan = from->plan;
	unsigned int i;

	run->targets = calloc(plan->target_count, sizeof(*run->targets));
	if (!run->targets)
		return err_set(err, -ENOMEM, "record of the run");
	run->target_count = plan->target_count;
	for (i = 0; i < plan->target_count; i++) {
		const struct plan_target *planned = &plan->targets[i];
		struct run_target *target = &run->targets[i];

		*target = (struct run_target){
			.path = strdup(planned->path),
			.size_bytes = planned->size_bytes,
			.offset_bytes = planned->offset_bytes,
			.range_bytes = planned->range_bytes,
			.threads = planned->threads,
			.read_ahead_kib = from->read_ahead_kib
						  ? from->read_ahead_kib[i]
						  : -1,
		};
		if (!target->path)
			return err_set(err, -ENOMEM, "record of the run");
	}
	return 0;
}

void record_run_cpu(const struct cputime *before, const struct cputime *after,
		    struct run_cpu *cpu)
{
	struct cputime_delta delta;

	cputime_subtract(before, after, &delta);
	*cpu = (struct run_cpu){
		.user = delta.user,
		.system = delta.system,
		.idle = delta.idle,
		.iowait = delta.iowait,
		.irq = delta.irq,
		.softirq = delta.softirq,
		.steal = delta.steal,
		.ticks_per_s = cputime_ticks_per_s(),
		.cpus = delta.cpus,
		.cpus_changed = delta.cpus_changed,
	};
}

static int add_devices(const struct storage_device *devices, size_t count,
		       const struct device_observation *observed,
		       struct run_devices *to, struct err *err)
{
	size_t i;

	to->list = calloc(count + 1, sizeof(*to->list));
	if (!to->list)
		return err_set(err, -ENOMEM, "record of the run");
	for (i = 0; i < count; i++) {
		const struct storage_counters *before = &observed[i].before;
		const struct storage_counters *after = &observed[i].after;
		struct run_device *device = &to->list[to->count];

		if (!observed[i].known)
			continue;
		*device = (struct run_device){
			.name = strdup(devices[i].name),
			.requests = after->reads - before->reads,
			.read_bytes = after->read_bytes - before->read_bytes,
			.queue_ms = after->read_ms - before->read_ms,
			.busy_ms = after->busy_ms - before->busy_ms,
			.write_requests = after->writes - before->writes,
			.write_bytes = after->write_bytes - before->write_bytes,
		};
		to->count++;
		if (!device->name)
			return err_set(err, -ENOMEM, "record of the run");
	}
	return 0;
}

static int add_verdict(const struct record_sources *from,
		       struct run_record *run, struct err *err)
{
	const struct observation *observation = from->observation;
	struct cold_evidence evidence = {
		.before = &observation->before,
		.after = &observation->after,
		.extents = &observation->extents,
		.extents_reason = observation->extents_reason,
		.layer = observation->storage.layer,
		.hidden = observation->storage.hidden,
		.has_devices = observation->storage.lowest_count > 0,
		.reads_nothing = from->reads_nothing,
		.writes = run->params.test->is_write,
		.warm = run->params.warm,
		.lowest_bytes = observe_lowest_bytes(
			observation, run->params.test->is_write),
		.mount_bytes = observe_mount_bytes(observation,
						   run->params.test->is_write),
		.fetched_bytes = observation->task_known
					 ? (int64_t)run->task_read_bytes
					 : -1,
		.bytes = run->bytes,
		.unique_bytes = run->unique_bytes,
	};
	unsigned int i;

	for (i = 0; i < run->target_count; i++)
		evidence.range_bytes += run->targets[i].range_bytes;
	return cold_judge(&evidence, &run->cold, err);
}

/* Of each target by its own pages, and by the bytes of all. */
static int add_direct(const struct record_sources *from, struct run_record *run,
		      struct err *err)
{
	const struct observation *observation = from->observation;
	unsigned int with_devices = 0, i;
	uint64_t bytes = 0;
	int rc = 0;

	for (i = 0; i < run->target_count; i++) {
		if (!observation->targets[i].has_devices)
			continue;
		with_devices++;
		bytes += run->targets[i].bytes;
	}
	for (i = 0; !rc && run->params.direct && i < run->target_count; i++) {
		const struct target_observation *observed =
			&observation->targets[i];
		const struct direct_evidence evidence = {
			.before = &observed->before,
			.after = &observed->after,
			.layer = observed->layer,
			.has_devices = observed->has_devices,
			.hidden = observed->hidden,
			.is_alone = with_devices == 1,
			.reads_nothing = from->reads_nothing,
			.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
			.device_bytes = run->cold.device_bytes,
			.bytes = bytes,
		};
		const char *verdict;

		rc = direct_judge(&evidence, &verdict,
				  &run->targets[i].direct_io_reason, err);
		if (!rc)
			rc = text_set(&run->targets[i].direct_io, verdict, err);
	}
	return rc;
}

static int add_observation(const struct record_sources *from,
			   struct run_record *run, struct err *err)
{
	const struct observation *observation = from->observation;
	const struct storage *storage = &observation->storage;
	int rc;

	record_run_cpu(&observation->cpu_before, &observation->cpu_after,
		       &run->cpu);
	if (observation->task_known)
		run->task_read_bytes = observation->task_after_bytes -
				       observation->task_before_bytes;
	rc = add_devices(storage->lowest, storage->lowest_count,
			 observation->lowest, &run->lowest, err);
	if (!rc)
		rc = add_devices(storage->mount, storage->mount_count,
				 observation->shape, &run->shape, err);
	if (!rc)
		rc = add_verdict(from, run, err);
	if (!rc)
		rc = add_direct(from, run, err);
	return rc;
}

int record_run_make(const struct record_sources *from, struct run_record *run,
		    struct err *err)
{
	int rc;

	*run = (struct run_record){
		.loop_ns_per_1000_reads = from->cost.loop_ns,
		.latency_ns_per_1000_reads = from->cost.latency_ns,
		.not_available = from->not_available,
	};
	rc = copy_params(from->params, &run->params, err);
	if (!rc)
		rc = make_command(from->params, &run->command, err);
	if (rc < 0)
		return rc;
	run->begun = from->begun ? strdup(from->begun) : NULL;
	run->error = from->error ? strdup(from->error) : NULL;
	if ((from->begun && !run->begun) || (from->error && !run->error))
		return err_set(err, -ENOMEM, "record of the run");
	if (from->plan)
		rc = make_targets(from, run, err);
	if (rc < 0 || from->error)
		return rc;
	rc = record_add_threads(from, run, err);
	return rc < 0 ? rc : add_observation(from, run, err);
}

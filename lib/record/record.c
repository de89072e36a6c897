// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/record.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/histogram.h"
#include "lib/record/fields.h"
#include "lib/record/record_parts.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define RUN(kind, member) FIELD(kind, struct run_record, member)
static const struct field run_fields[] = {
	RUN(TEXT, campaign_id),
	RUN(U64, rep),
	RUN(U64, order),
	RUN(TEXT, begun),
	RUN(TEXT, command),
	RUN(U64, span_ns),
	RUN(U64, bytes),
	RUN(U64, reads),
	RUN(U64, short_reads),
	RUN(U64, unique_bytes),
	RUN(U64, first_done_ns),
	RUN(U64, own_cpu_ns),
	RUN(U64, task_read_bytes),
	RUN(U64, loop_ns_per_1000_reads),
	RUN(U64, latency_ns_per_1000_reads),
	RUN(U64, nowait_retries),
	RUN(U64, voluntary_switches),
	RUN(U64, involuntary_switches),
	RUN(U64, minor_faults),
	RUN(U64, major_faults),
	RUN(TEXT, cpus),
	RUN(UINT, moved_threads),
	RUN(UINT, moved_buffers),
	RUN(TEXT, error),
	RUN(BOOL, not_available),
	RUN(TEXT, imported_metric),
	RUN(TEXT, imported_text),
};

#define TARGET(kind, member) FIELD(kind, struct run_target, member)
static const struct field target_fields[] = {
	TARGET(TEXT, path),
	TARGET(U64, size_bytes),
	TARGET(U64, offset_bytes),
	TARGET(U64, range_bytes),
	TARGET(UINT, threads),
	TARGET(U64, bytes),
	TARGET(U64, reads),
	TARGET(U64, thread_ns),
	TARGET(U64, first_done_ns),
	TARGET(U64, last_done_ns),
	TARGET(OPTIONAL, read_ahead_kib),
	TARGET(TEXT, direct_io),
	TARGET(TEXT, direct_io_reason),
};

#define DEVICE(kind, member) FIELD(kind, struct run_device, member)
static const struct field device_fields[] = {
	DEVICE(TEXT, name),	  DEVICE(U64, requests),
	DEVICE(U64, read_bytes),  DEVICE(U64, queue_ms),
	DEVICE(U64, busy_ms),	  DEVICE(U64, write_requests),
	DEVICE(U64, write_bytes),
};

#define CPU(kind, member) FIELD(kind, struct run_cpu, member)
static const struct field cpu_fields[] = {
	CPU(U64, user),		 CPU(U64, system),	 CPU(U64, idle),
	CPU(U64, iowait),	 CPU(U64, irq),		 CPU(U64, softirq),
	CPU(U64, steal),	 CPU(UINT, ticks_per_s), CPU(UINT, cpus),
	CPU(BOOL, cpus_changed),
};

#define FLUSH(kind, member) FIELD(kind, struct run_flush, member)
static const struct field flush_fields[] = {
	FLUSH(TEXT, method),
	FLUSH(TEXT, fallback),
	FLUSH(TEXT, cause),
	FLUSH(U64, took_ns),
};

static void devices_free(struct run_devices *devices)
{
	size_t i;

	for (i = 0; i < devices->count; i++)
		fields_free(device_fields, COUNT(device_fields),
			    &devices->list[i]);
	free(devices->list);
	*devices = (struct run_devices){ 0 };
}

void run_record_free(struct run_record *run)
{
	size_t i;

	for (i = 0; i < run->target_count; i++)
		fields_free(target_fields, COUNT(target_fields),
			    &run->targets[i]);
	free(run->targets);
	devices_free(&run->lowest);
	devices_free(&run->shape);
	run_cold_free(&run->cold);
	free(run->threads);
	free(run->latency);
	fields_free(flush_fields, COUNT(flush_fields), &run->flush);
	fields_free(run_fields, COUNT(run_fields), run);
	params_free(&run->params);
	*run = (struct run_record){ 0 };
}

/* An array of structs as an array of objects. */
static json_t *list_encode(const struct field *fields, size_t field_count,
			   const void *list, size_t size, size_t count)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < count; i++) {
		json_t *item = json_object();

		if (!item || fields_encode(item, fields, field_count,
					   (const char *)list + i * size)) {
			json_decref(item);
			json_decref(array);
			return NULL;
		}
		if (json_array_append_new(array, item)) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static int encode_parts(json_t *json, const struct run_record *run)
{
	bool measured = !run->imported_metric && !run->error;

	if (json_object_set_new(json, "params", params_to_json(&run->params)))
		return -ENOMEM;
	if (run->flush.method &&
	    json_object_set_new(json, "flush",
				fields_object(flush_fields, COUNT(flush_fields),
					      &run->flush)))
		return -ENOMEM;
	if (run->target_count &&
	    json_object_set_new(json, "targets",
				list_encode(target_fields, COUNT(target_fields),
					    run->targets, sizeof(*run->targets),
					    run->target_count)))
		return -ENOMEM;
	if (!measured)
		return 0;
	if (run->thread_count &&
	    json_object_set_new(json, "threads", run_threads_encode(run)))
		return -ENOMEM;
	if (run->latency && run->latency->count &&
	    json_object_set_new(json, "latency",
				run_latency_encode(run->latency)))
		return -ENOMEM;
	if (json_object_set_new(
		    json, "cpu",
		    fields_object(cpu_fields, COUNT(cpu_fields), &run->cpu)) ||
	    json_object_set_new(json, "lowest_devices",
				list_encode(device_fields, COUNT(device_fields),
					    run->lowest.list,
					    sizeof(*run->lowest.list),
					    run->lowest.count)) ||
	    json_object_set_new(json, "devices",
				list_encode(device_fields, COUNT(device_fields),
					    run->shape.list,
					    sizeof(*run->shape.list),
					    run->shape.count)) ||
	    json_object_set_new(json, "cold", run_cold_encode(&run->cold)))
		return -ENOMEM;
	return 0;
}

json_t *run_record_encode(const struct run_record *run)
{
	json_t *json =
		json_pack("{s:s, s:i}", "type", "run", "schema", RECORD_SCHEMA);

	if (json && (fields_encode(json, run_fields, COUNT(run_fields), run) ||
		     encode_parts(json, run))) {
		json_decref(json);
		return NULL;
	}
	return json;
}

/* @list and @count are of the struct that @fields describe. */
static int list_decode(const json_t *array, const struct field *fields,
		       size_t field_count, size_t size, void **list,
		       size_t *count, const char *what, struct err *err)
{
	size_t i, total = json_array_size(array);
	int rc;

	*count = 0;
	if (!array)
		return 0;
	if (!json_is_array(array))
		return err_say(err, -EINVAL, "%s is not an array", what);
	*list = calloc(total ? total : 1, size);
	if (!*list)
		return err_set(err, -ENOMEM, "%s", what);
	for (i = 0; i < total; i++) {
		char *item = (char *)*list + i * size;

		++*count;
		fields_init(fields, field_count, item);
		rc = fields_decode(json_array_get(array, i), fields,
				   field_count, item, what, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int devices_decode(const json_t *json, const char *key,
			  struct run_devices *devices, struct err *err)
{
	void *list = NULL;
	int rc = list_decode(json_object_get(json, key), device_fields,
			     COUNT(device_fields), sizeof(*devices->list),
			     &list, &devices->count, key, err);

	devices->list = list;
	return rc;
}

int run_record_decode(const json_t *json, struct run_record *run,
		      struct err *err)
{
	const json_t *part;
	void *targets = NULL;
	size_t count = 0;
	int rc;

	*run = (struct run_record){ 0 };
	rc = fields_decode(json, run_fields, COUNT(run_fields), run, "run",
			   err);
	if (!rc)
		rc = params_from_json(json_object_get(json, "params"),
				      &run->params, err);
	if (!rc)
		rc = list_decode(json_object_get(json, "targets"),
				 target_fields, COUNT(target_fields),
				 sizeof(*run->targets), &targets, &count,
				 "targets", err);
	run->targets = targets;
	run->target_count = (unsigned int)count;
	if (!rc)
		rc = devices_decode(json, "lowest_devices", &run->lowest, err);
	if (!rc)
		rc = devices_decode(json, "devices", &run->shape, err);
	/* Of published figures it is not known, and was 0 in early lines. */
	part = json_object_get(json_object_get(json, "params"), "threads");
	if (!rc && part && !run->params.threads && !run->imported_metric)
		rc = err_say(err, -EINVAL, "params.threads is 0");
	part = json_object_get(json, "cpu");
	if (!rc && part)
		rc = fields_decode(part, cpu_fields, COUNT(cpu_fields),
				   &run->cpu, "cpu", err);
	part = json_object_get(json, "flush");
	if (!rc && part)
		rc = fields_decode(part, flush_fields, COUNT(flush_fields),
				   &run->flush, "flush", err);
	if (!rc)
		rc = run_cold_decode(json_object_get(json, "cold"), &run->cold,
				     err);
	if (!rc)
		rc = run_threads_decode(json_object_get(json, "threads"), run,
					err);
	if (!rc)
		rc = run_latency_decode(json_object_get(json, "latency"),
					&run->latency, err);
	if (rc < 0)
		run_record_free(run);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads as columns: of many, objects would repeat each key for each. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/base/units.h"
#include "lib/record/fields.h"
#include "lib/record/record.h"
#include "lib/record/record_parts.h"

/* When a column is there. */
enum column_rule {
	COLUMN_PINNED,	    /* threads are pinned */
	COLUMN_NOT_ALL_0,   /* a number is not 0 */
	COLUMN_NOT_IN_TURN, /* it is not thread i's i modulo targets */
};

struct column {
	struct field field;
	enum column_rule rule;
};

#define COLUMN(kind, member, rule)                                           \
	{                                                                    \
		FIELD(kind, struct run_thread_record, member), COLUMN_##rule \
	}
static const struct column columns[] = {
	COLUMN(UINT, cpu, PINNED),	 COLUMN(OPTIONAL, node, NOT_ALL_0),
	COLUMN(UINT, core, PINNED),	 COLUMN(UINT, smt, NOT_ALL_0),
	COLUMN(UINT, kind, NOT_ALL_0),	 COLUMN(UINT, target, NOT_IN_TURN),
	COLUMN(U64, bytes, NOT_ALL_0),	 COLUMN(U64, reads, NOT_ALL_0),
	COLUMN(U64, done_ns, NOT_ALL_0), COLUMN(U64, cpu_ns, NOT_ALL_0),
};
#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static const void *member_of(const struct run_thread_record *thread,
			     const struct field *field)
{
	return (const char *)thread + field->offset;
}

/* As a signed number, in which -1 is that of an optional one. */
static int64_t number_of(const struct run_thread_record *thread,
			 const struct field *field)
{
	const void *member = member_of(thread, field);

	if (field->kind == FIELD_UINT)
		return *(const unsigned int *)member;
	if (field->kind == FIELD_OPTIONAL)
		return *(const int64_t *)member;
	return *(const uint64_t *)member > INT64_MAX
		       ? INT64_MAX
		       : (int64_t) * (const uint64_t *)member;
}

static unsigned int target_in_turn(const struct run_record *run,
				   unsigned int thread)
{
	return run->target_count ? thread % run->target_count : 0;
}

static bool is_needed(const struct column *column, const struct run_record *run)
{
	unsigned int i;

	if (column->rule == COLUMN_PINNED)
		return run->cpus != NULL;
	for (i = 0; i < run->thread_count; i++) {
		int64_t usual = column->rule == COLUMN_NOT_IN_TURN
					? target_in_turn(run, i)
					: 0;

		if (number_of(&run->threads[i], &column->field) != usual)
			return true;
	}
	return false;
}

static json_t *column_encode(const struct field *field,
			     const struct run_record *run)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; array && i < run->thread_count; i++) {
		int64_t number = number_of(&run->threads[i], field);

		if (json_array_append_new(array,
					  number < 0 ? json_null()
						     : json_integer(number))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* Numbers of the threads that moved, which are few. */
static json_t *moved_encode(const struct run_record *run)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; array && i < run->thread_count; i++)
		if (run->threads[i].is_moved &&
		    json_array_append_new(array, json_integer(i))) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static bool any_moved(const struct run_record *run)
{
	unsigned int i;

	for (i = 0; i < run->thread_count; i++)
		if (run->threads[i].is_moved)
			return true;
	return false;
}

json_t *run_threads_encode(const struct run_record *run)
{
	json_t *json = json_object();
	size_t i;

	if (!json)
		return NULL;
	for (i = 0; i < COLUMN_COUNT; i++)
		if (is_needed(&columns[i], run) &&
		    json_object_set_new(json, columns[i].field.key,
					column_encode(&columns[i].field, run)))
			goto failed;
	if (!any_moved(run) ||
	    !json_object_set_new(json, "moved", moved_encode(run)))
		return json;
failed:
	json_decref(json);
	return NULL;
}

/* All columns are equally long. */
static int threads_count(const json_t *json, unsigned int *count,
			 struct err *err)
{
	const char *first = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < COLUMN_COUNT; i++) {
		const char *key = columns[i].field.key;
		const json_t *column = json_object_get(json, key);
		size_t length = json_array_size(column);

		if (!column)
			continue;
		if (!json_is_array(column) || length > UINT_MAX)
			return err_say(err, -EINVAL,
				       "threads.%s is not an array", key);
		if (first && length != *count)
			return err_say(err, -EINVAL,
				       "threads.%s has %zu number%s, and "
				       "threads.%s has %u",
				       key, length, plural(length), first,
				       *count);
		first = key;
		*count = (unsigned int)length;
	}
	return 0;
}

static int column_decode(const json_t *column, const struct field *field,
			 struct run_record *run, struct err *err)
{
	unsigned int i;

	for (i = 0; column && i < run->thread_count; i++) {
		int rc = field_set(json_array_get(column, i), field,
				   &run->threads[i]);

		if (rc < 0)
			return err_say(err, rc,
				       "threads.%s[%u] has a value of the "
				       "wrong kind",
				       field->key, i);
	}
	return 0;
}

static int check_targets(const struct run_record *run, struct err *err)
{
	unsigned int i;

	for (i = 0; i < run->thread_count; i++)
		if (run->target_count &&
		    run->threads[i].target >= run->target_count)
			return err_say(err, -EINVAL,
				       "threads.target[%u] is %u, beyond the "
				       "line's %u target%s",
				       i, run->threads[i].target,
				       run->target_count,
				       plural(run->target_count));
	return 0;
}

static int moved_decode(const json_t *moved, struct run_record *run,
			struct err *err)
{
	size_t i, count = json_array_size(moved);

	if (moved && !json_is_array(moved))
		return err_say(err, -EINVAL, "threads.moved is not an array");
	for (i = 0; i < count; i++) {
		const json_t *number = json_array_get(moved, i);
		json_int_t thread = json_integer_value(number);

		if (!json_is_integer(number) || thread < 0 ||
		    thread >= run->thread_count)
			return err_say(err, -EINVAL,
				       "threads.moved[%zu] is no thread's "
				       "number",
				       i);
		run->threads[thread].is_moved = true;
	}
	return 0;
}

int run_threads_decode(const json_t *json, struct run_record *run,
		       struct err *err)
{
	size_t i;
	int rc;

	if (!json)
		return 0;
	if (!json_is_object(json))
		return err_say(err, -EINVAL, "threads is not an object");
	rc = threads_count(json, &run->thread_count, err);
	if (rc < 0)
		return rc;
	run->threads = calloc(run->thread_count + 1, sizeof(*run->threads));
	if (!run->threads)
		return err_set(err, -ENOMEM, "threads");
	for (i = 0; i < run->thread_count; i++)
		run->threads[i].target = target_in_turn(run, (unsigned int)i);
	for (i = 0; !rc && i < COLUMN_COUNT; i++)
		rc = column_decode(json_object_get(json, columns[i].field.key),
				   &columns[i].field, run, err);
	if (!rc)
		rc = check_targets(run, err);
	if (!rc)
		rc = moved_decode(json_object_get(json, "moved"), run, err);
	return rc;
}

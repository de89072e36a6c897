/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Race tests are plain programs, since Criterion does not start under
 * ThreadSanitizer: each makes runs over and over and checks what came out.
 */
#ifndef RAWREAD_TESTS_RACE_H
#define RAWREAD_TESTS_RACE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/record/tests.h"
#include "rawread/buffers.h"
#include "rawread/engine.h"
#include "rawread/run.h"
#include "rawread/setup.h"

#define FILE_BYTES 1000001

#define CHECK(condition, ...)                                          \
	do {                                                           \
		if (condition)                                         \
			break;                                         \
		fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, \
			#condition);                                   \
		fprintf(stderr, __VA_ARGS__);                          \
		fprintf(stderr, "\n");                                 \
		exit(1);                                               \
	} while (0)

/* A file of FILE_BYTES, for the caller to unlink; one at a time. */
static inline const char *race_file(void)
{
	static char path[32];
	int fd;

	snprintf(path, sizeof(path), "/tmp/rawread-race.%d", getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(fd >= 0, "%s", path);
	CHECK(!ftruncate(fd, FILE_BYTES), "%s", path);
	close(fd);
	return path;
}

/*
 * Runs "read @words FILE", the words split at blanks, with @ops in place of
 * the engine unless it is NULL. Returns what run_execute() does. The setup
 * and the samples are the caller's to free.
 */
static inline int race_run(const char *words, const char *path,
			   const struct engine_ops *ops, struct setup *setup,
			   struct run_samples *samples, struct err *err)
{
	char *copy = strdup(words), *rest = NULL, *word;
	char *argv[32] = { (char *)"read" };
	struct buffers buffers;
	struct run_setup run;
	int argc = 1, rc;

	for (word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc++] = (char *)path;
	rc = setup_parse(&command_read, FORM_READ, argc, argv, setup, err);
	CHECK(!rc, "%s", err->text);
	rc = setup_make(setup, err);
	CHECK(!rc, "%s", err->text);
	rc = buffers_make(&setup->placement,
			  &(struct buffer_shape){
				  .iovec_bytes = setup->params.block_bytes,
				  .iovecs = setup->params.iovecs,
				  .slots = setup->plan.threads[0].lane_count,
			  },
			  &buffers, err);
	CHECK(!rc, "%s", err->text);
	run = (struct run_setup){
		.plan = &setup->plan,
		.ops = ops ? ops : setup->ops,
		.placement = &setup->placement,
		.topology = setup->topology,
		.buffers = &buffers,
		.iovecs = setup->params.iovecs,
		.iovec_bytes = setup->params.block_bytes,
		.advice = -1,
		.memory_advice = -1,
		.waits_for_all = setup->params.test->batch == BATCH_WHOLE,
		.latency = setup->params.latency,
	};
	rc = run_execute(&run, NULL, samples, err);
	buffers_free(&buffers);
	free(copy);
	return rc;
}

/* Sums over all threads. */
static inline void race_sum(const struct run_samples *samples, uint64_t *bytes,
			    uint64_t *reads)
{
	unsigned int i;

	*bytes = *reads = 0;
	for (i = 0; i < samples->lane_count; i++) {
		*bytes += samples->lanes[i].bytes;
		*reads += samples->lanes[i].reads;
	}
}

#endif

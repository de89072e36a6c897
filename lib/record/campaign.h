/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A campaign: the runs of one sweep under one label, and the machine they ran
 * on. The first line that a sweep writes, and the last ("end").
 *
 * A struct campaign owns its strings; those that could not be found out are
 * NULL. Main thread.
 */
#ifndef RAWREAD_RECORD_CAMPAIGN_H
#define RAWREAD_RECORD_CAMPAIGN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct campaign_target {
	char *path;
	char *mount_point;
	char *source; /* of the mount */
	char *fs_type;
	char *options;
	char *uuid;
	uint64_t size_bytes;
	char *device; /* of the mount, "loop0" */
	/* Queue of that device, and the file system's own read-ahead;
	 * -1: the kernel does not tell.
	 */
	int64_t read_ahead_kib;
	int64_t fs_read_ahead_kib;
	int64_t max_sectors_kib;
	int64_t nr_requests;
	int64_t rotational;
	int64_t loop_direct; /* direct I/O of a loop device */
	char *scheduler;
	char *lowest; /* devices that hold the bytes, "vda" */
};

struct campaign {
	char *id;
	char *label;
	char *begun; /* wall clock, UTC */
	char *tool_version;
	char *command; /* that started the sweep */
	char *host;
	char *kernel_release;
	char *kernel_version;
	char *config_hash;
	char *boot_id;
	char *cpu_model;
	char *topology; /* hwloc's, in one line: "1 node, 2 cores, 2 PUs" */
	uint64_t memory_bytes;
	uint64_t seed; /* of the order of rows */
	uint64_t reps; /* planned */
	uint64_t runs; /* planned */
	char *flush_method;
	char *imported_from; /* a file of published figures */
	struct campaign_target *targets;
	size_t target_count;
};

/* How a campaign ended. */
struct campaign_end {
	char *campaign_id;
	uint64_t runs; /* written */
	bool complete;
	char *cause; /* why not, "SIGINT" */
};

/*
 * What each begins with: an id unlike any other's, the moment, and the version
 * of this program; @label and the line @command, which asked for it, are
 * copied. Returns 0 or -errno; end with campaign_free() in any case.
 */
int campaign_begin(const char *label, const char *command,
		   struct campaign *campaign, struct err *err);

void campaign_free(struct campaign *campaign);
void campaign_end_free(struct campaign_end *end);

json_t *campaign_encode(const struct campaign *campaign);
json_t *campaign_end_encode(const struct campaign_end *end);
int campaign_decode(const json_t *json, struct campaign *campaign,
		    struct err *err);
int campaign_end_decode(const json_t *json, struct campaign_end *end,
			struct err *err);

#endif

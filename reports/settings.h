/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conditions of a run: what tells rows of one test apart, and what else
 * may explain why two labels differ. One table; each setting is a text, or is
 * not known (imported figures, old records). Any thread.
 */
#ifndef RAWREAD_REPORTS_SETTINGS_H
#define RAWREAD_REPORTS_SETTINGS_H

#include <stddef.h>

struct campaign;
struct err;
struct run_record;

enum setting_kind {
	SETTING_WORKLOAD, /* of a row; what differs in it is not comparable */
	SETTING_ROW,	  /* of a row; may be what is compared */
	SETTING_CONTEXT,  /* of a label: listed where it differs */
};

enum setting_id {
	SETTING_THREADS,
	SETTING_TARGET_COUNT,
	SETTING_RANGE,
	SETTING_FILE_SIZE,
	SETTING_FS_TYPE,
	SETTING_PATTERN,
	SETTING_WARM,

	SETTING_ENGINE,
	SETTING_RWF,
	SETTING_IOVECS,
	SETTING_LAYOUT,
	SETTING_PIN,
	SETTING_COUNT_BYTES,
	SETTING_DIRECT,
	SETTING_SYNC,
	SETTING_NOATIME,
	SETTING_FADVISE,
	SETTING_MADVISE,
	SETTING_READAHEAD,
	SETTING_LATENCY,
	SETTING_VERIFY,
	SETTING_READ_AHEAD,
	SETTING_SCHEDULER,
	SETTING_NR_REQUESTS,
	SETTING_MAX_SECTORS,
	SETTING_PATHS,

	SETTING_KERNEL,
	SETTING_KERNEL_VERSION,
	SETTING_CONFIG,
	SETTING_BOOT,
	SETTING_HOST,
	SETTING_CPU_MODEL,
	SETTING_TOPOLOGY,
	SETTING_MEMORY,
	SETTING_TOOL,
	SETTING_FLUSH,
	SETTING_CPUS,
	SETTING_SIBLINGS,
	SETTING_CORE_KINDS,
	SETTING_SEED,
	SETTING_READ_AHEAD_ASKED,
	SETTING_QUEUE_READ_AHEAD,
	SETTING_FS_READ_AHEAD,
	SETTING_ROTATIONAL,
	SETTING_LOOP_DIRECT,
	SETTING_DEVICE,
	SETTING_LOWEST,
	SETTING_MOUNT_OPTIONS,
	SETTING_UUID,

	SETTING_COUNT
};

enum setting_source {
	SETTING_OF_RUN,
	SETTING_OF_RUN_FLAG,	  /* at the offset */
	SETTING_OF_CAMPAIGN,	  /* a text at the offset */
	SETTING_OF_MEMORY,	  /* of the campaign */
	SETTING_OF_TARGET,	  /* texts of the campaign's targets */
	SETTING_OF_TARGET_NUMBER, /* -1: not known */
};

struct setting {
	const char *name;
	enum setting_kind kind;
	enum setting_source source;
	/* What goes without saying where all rows have it, or NULL. */
	const char *usual;
	size_t offset;	/* of a member, where there is no of_run */
	size_t letters; /* of a text, at most */
	int (*of_run)(const struct run_record *run,
		      const struct campaign *campaign, char **text);
};

extern const struct setting settings[SETTING_COUNT];

/*
 * The setting of a run, whose @campaign is NULL when no sweep took it in. The
 * caller frees @text; it is NULL when the setting is not known. 0 or -ENOMEM.
 */
int setting_text(enum setting_id id, const struct run_record *run,
		 const struct campaign *campaign, char **text);

#endif

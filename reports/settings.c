// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/settings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/campaign.h"
#include "lib/record/record.h"
#include "reports/settings_run.h"
#include "reports/settings_value.h"
#include "reports/texts.h"

/* Letters that tell one boot or file system from the other; or all of them. */
#define ID_SHOWN 8
#define WHOLE	 PTRDIFF_MAX

#define OF_RUN(function) SETTING_OF_RUN, .of_run = function
#define OF_RUN_USUALLY(function, text) \
	SETTING_OF_RUN, .of_run = function, .usual = text
#define RUN_FLAG(member)     \
	SETTING_OF_RUN_FLAG, \
		.offset = offsetof(struct run_record, params.member)
#define RUN_FLAG_USUALLY(member, text) RUN_FLAG(member), .usual = text
#define OF_MEMORY		       SETTING_OF_MEMORY, .offset = 0
#define CAMPAIGN(member, most)                                            \
	SETTING_OF_CAMPAIGN, .offset = offsetof(struct campaign, member), \
			     .letters = most
#define TARGET(member, most)                                                   \
	SETTING_OF_TARGET, .offset = offsetof(struct campaign_target, member), \
			   .letters = most
#define TARGET_NUMBER(member)     \
	SETTING_OF_TARGET_NUMBER, \
		.offset = offsetof(struct campaign_target, member)

/* clang-format off */
const struct setting settings[SETTING_COUNT] = {
	[SETTING_THREADS] =	     { "threads", SETTING_WORKLOAD, OF_RUN(run_threads_text) },
	[SETTING_TARGET_COUNT] =     { "targets", SETTING_WORKLOAD, OF_RUN(run_target_count_text) },
	[SETTING_RANGE] =	     { "range", SETTING_WORKLOAD, OF_RUN(run_range_text) },
	[SETTING_FILE_SIZE] =	     { "file size", SETTING_WORKLOAD, OF_RUN(run_file_size_text) },
	[SETTING_FS_TYPE] =	     { "file system", SETTING_WORKLOAD, TARGET(fs_type, WHOLE) },
	[SETTING_PATTERN] =	     { "pattern", SETTING_WORKLOAD, OF_RUN_USUALLY(run_pattern_text, "sequential") },
	[SETTING_WARM] =	     { "warm", SETTING_WORKLOAD, OF_RUN_USUALLY(run_warm_text, "none") },

	[SETTING_ENGINE] =	     { "engine", SETTING_ROW, OF_RUN(run_engine_text) },
	[SETTING_RWF] =		     { "rwf", SETTING_ROW, OF_RUN_USUALLY(run_rwf_text, "none") },
	[SETTING_IOVECS] =	     { "iovecs", SETTING_ROW, OF_RUN(run_iovecs_text) },
	[SETTING_LAYOUT] =	     { "layout", SETTING_ROW, OF_RUN(run_layout_text) },
	[SETTING_PIN] =		     { "pin", SETTING_ROW, OF_RUN(run_pin_text) },
	[SETTING_COUNT_BYTES] =	     { "reads", SETTING_ROW, OF_RUN(run_count_bytes_text) },
	[SETTING_DIRECT] =	     { "direct", SETTING_ROW, RUN_FLAG(direct) },
	[SETTING_SYNC] =	     { "sync", SETTING_ROW, RUN_FLAG(sync) },
	[SETTING_NOATIME] =	     { "noatime", SETTING_ROW, RUN_FLAG_USUALLY(noatime, "no") },
	[SETTING_FADVISE] =	     { "fadvise", SETTING_ROW, OF_RUN(run_fadvise_text) },
	[SETTING_MADVISE] =	     { "madvise", SETTING_ROW, OF_RUN_USUALLY(run_madvise_text, "none") },
	[SETTING_READAHEAD] =	     { "readahead", SETTING_ROW, RUN_FLAG_USUALLY(readahead, "no") },
	[SETTING_LATENCY] =	     { "latency", SETTING_ROW, RUN_FLAG_USUALLY(latency, "no") },
	[SETTING_VERIFY] =	     { "verify", SETTING_ROW, RUN_FLAG_USUALLY(verify, "no") },
	[SETTING_READ_AHEAD] =	     { "read-ahead in force (KB)", SETTING_ROW, OF_RUN(run_read_ahead_text) },
	[SETTING_SCHEDULER] =	     { "scheduler", SETTING_ROW, TARGET(scheduler, WHOLE) },
	[SETTING_NR_REQUESTS] =	     { "nr_requests", SETTING_ROW, TARGET_NUMBER(nr_requests) },
	[SETTING_MAX_SECTORS] =	     { "max_sectors_kb", SETTING_ROW, TARGET_NUMBER(max_sectors_kib) },
	[SETTING_PATHS] =	     { "files", SETTING_ROW, OF_RUN(run_paths_text) },

	[SETTING_KERNEL] =	     { "kernel", SETTING_CONTEXT, CAMPAIGN(kernel_release, WHOLE) },
	[SETTING_KERNEL_VERSION] =   { "kernel version", SETTING_CONTEXT, CAMPAIGN(kernel_version, WHOLE) },
	[SETTING_CONFIG] =	     { "kernel config", SETTING_CONTEXT, CAMPAIGN(config_hash, WHOLE) },
	[SETTING_BOOT] =	     { "boot", SETTING_CONTEXT, CAMPAIGN(boot_id, ID_SHOWN) },
	[SETTING_HOST] =	     { "host", SETTING_CONTEXT, CAMPAIGN(host, WHOLE) },
	[SETTING_CPU_MODEL] =	     { "CPU model", SETTING_CONTEXT, CAMPAIGN(cpu_model, WHOLE) },
	[SETTING_TOPOLOGY] =	     { "topology", SETTING_CONTEXT, CAMPAIGN(topology, WHOLE) },
	[SETTING_MEMORY] =	     { "memory", SETTING_CONTEXT, OF_MEMORY },
	[SETTING_TOOL] =	     { "rawread", SETTING_CONTEXT, CAMPAIGN(tool_version, WHOLE) },
	[SETTING_FLUSH] =	     { "flush", SETTING_CONTEXT, OF_RUN(run_flush_text) },
	[SETTING_CPUS] =	     { "CPUs of threads", SETTING_CONTEXT, OF_RUN(run_cpus_text) },
	[SETTING_SIBLINGS] =	     { "siblings of threads", SETTING_CONTEXT, OF_RUN(run_siblings_text) },
	[SETTING_CORE_KINDS] =	     { "core kinds of threads", SETTING_CONTEXT, OF_RUN(run_core_kinds_text) },
	[SETTING_SEED] =	     { "seed", SETTING_CONTEXT, OF_RUN(run_seed_text) },
	[SETTING_READ_AHEAD_ASKED] = { "--read-ahead-kb", SETTING_CONTEXT, OF_RUN(run_read_ahead_asked_text) },
	[SETTING_QUEUE_READ_AHEAD] = { "read_ahead_kb of queue", SETTING_CONTEXT, TARGET_NUMBER(read_ahead_kib) },
	[SETTING_FS_READ_AHEAD] =    { "read_ahead_kb of fs", SETTING_CONTEXT, TARGET_NUMBER(fs_read_ahead_kib) },
	[SETTING_ROTATIONAL] =	     { "rotational", SETTING_CONTEXT, TARGET_NUMBER(rotational) },
	[SETTING_LOOP_DIRECT] =	     { "loop direct I/O", SETTING_CONTEXT, TARGET_NUMBER(loop_direct) },
	[SETTING_DEVICE] =	     { "device", SETTING_CONTEXT, TARGET(device, WHOLE) },
	[SETTING_LOWEST] =	     { "lowest device", SETTING_CONTEXT, TARGET(lowest, WHOLE) },
	[SETTING_MOUNT_OPTIONS] =    { "mount options", SETTING_CONTEXT, TARGET(options, WHOLE) },
	[SETTING_UUID] =	     { "file system UUID", SETTING_CONTEXT, TARGET(uuid, ID_SHOWN) },
};
/* clang-format on */

static const char *text_at(const void *object, size_t offset)
{
	return *(char *const *)(const void *)((const char *)object + offset);
}

static int64_t number_at(const void *object, size_t offset)
{
	return *(const int64_t *)(const void *)((const char *)object + offset);
}

/* Whether an option was given. */
static int flag_text(const struct setting *setting,
		     const struct run_record *run, char **text)
{
	const char *flag = (const char *)run + setting->offset;

	return setting_is_known(run)
		       ? setting_yes_or_no(*(const bool *)flag, text)
		       : 0;
}

/* A member of all the campaign's targets, each value once. */
static int targets_text(const struct setting *setting,
			const struct campaign *campaign, char **text)
{
	struct texts parts = { 0 };
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < campaign->target_count; i++) {
		const struct campaign_target *target = &campaign->targets[i];
		const char *value;

		if (setting->source == SETTING_OF_TARGET_NUMBER) {
			rc = setting_add_number(
				&parts, number_at(target, setting->offset));
			continue;
		}
		value = text_at(target, setting->offset);
		if (value)
			rc = setting_add(&parts,
					 strndup(value, setting->letters));
	}
	return setting_join(&parts, rc, text);
}

static int campaign_text(const struct setting *setting,
			 const struct campaign *campaign, char **text)
{
	const char *value = text_at(campaign, setting->offset);

	if (!value)
		return 0;
	*text = strndup(value, setting->letters);
	return setting_done(text);
}

/* Rounded: the kernel's own image takes some, and kernels differ in that. */
static int memory_text(const struct campaign *campaign, char **text)
{
	if (!campaign->memory_bytes)
		return 0;
	*text = text_format("%.1f GB", (double)campaign->memory_bytes /
					       (double)(KIB * MIB));
	return setting_done(text);
}

int setting_text(enum setting_id id, const struct run_record *run,
		 const struct campaign *campaign, char **text)
{
	const struct setting *setting = &settings[id];

	*text = NULL;
	if (setting->source == SETTING_OF_RUN)
		return setting->of_run(run, campaign, text);
	if (setting->source == SETTING_OF_RUN_FLAG)
		return flag_text(setting, run, text);
	if (!campaign)
		return 0;
	switch (setting->source) {
	case SETTING_OF_CAMPAIGN:
		return campaign_text(setting, campaign, text);
	case SETTING_OF_MEMORY:
		return memory_text(campaign, text);
	default:
		return targets_text(setting, campaign, text);
	}
}

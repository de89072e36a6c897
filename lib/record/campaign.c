// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "lib/base/clock.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/version.h"
#include "lib/record/fields.h"
#include "lib/record/record.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define CAMPAIGN(kind, member) FIELD(kind, struct campaign, member)
static const struct field campaign_fields[] = {
	{ "campaign_id", FIELD_TEXT, offsetof(struct campaign, id) },
	CAMPAIGN(TEXT, label),
	CAMPAIGN(TEXT, begun),
	CAMPAIGN(TEXT, tool_version),
	CAMPAIGN(TEXT, command),
	CAMPAIGN(TEXT, host),
	CAMPAIGN(TEXT, kernel_release),
	CAMPAIGN(TEXT, kernel_version),
	CAMPAIGN(TEXT, config_hash),
	CAMPAIGN(TEXT, boot_id),
	CAMPAIGN(TEXT, cpu_model),
	CAMPAIGN(TEXT, topology),
	CAMPAIGN(U64, memory_bytes),
	CAMPAIGN(U64, seed),
	CAMPAIGN(U64, reps),
	CAMPAIGN(U64, runs),
	CAMPAIGN(TEXT, flush_method),
	CAMPAIGN(TEXT, imported_from),
};

#define TARGET(kind, member) FIELD(kind, struct campaign_target, member)
static const struct field target_fields[] = {
	TARGET(TEXT, path),
	TARGET(TEXT, mount_point),
	TARGET(TEXT, source),
	TARGET(TEXT, fs_type),
	TARGET(TEXT, options),
	TARGET(TEXT, uuid),
	TARGET(U64, size_bytes),
	TARGET(TEXT, device),
	TARGET(OPTIONAL, read_ahead_kib),
	TARGET(OPTIONAL, fs_read_ahead_kib),
	TARGET(OPTIONAL, max_sectors_kib),
	TARGET(OPTIONAL, nr_requests),
	TARGET(OPTIONAL, rotational),
	TARGET(OPTIONAL, loop_direct),
	TARGET(TEXT, scheduler),
	TARGET(TEXT, lowest),
};

#define END(kind, member) FIELD(kind, struct campaign_end, member)
static const struct field end_fields[] = {
	END(TEXT, campaign_id),
	END(U64, runs),
	END(BOOL, complete),
	END(TEXT, cause),
};

/* Unlike any other, on whatever machine: files may be joined. */
static int id_make(char **id, struct err *err)
{
	uint64_t number[2];

	if (getrandom(number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return err_set(err, -errno, "make a campaign's id");
	*id = text_format("%016" PRIx64 "%016" PRIx64, number[0], number[1]);
	return *id ? 0 : err_set(err, -ENOMEM, "make a campaign's id");
}

int campaign_begin(const char *label, const char *command,
		   struct campaign *campaign, struct err *err)
{
	int rc;

	*campaign =
		(struct campaign){ .label = strdup(label),
				   .command = strdup(command),
				   .begun = clock_wall_text(),
				   .tool_version = strdup(RAWREAD_VERSION) };
	rc = id_make(&campaign->id, err);
	if (!rc && (!campaign->label || !campaign->command ||
		    !campaign->begun || !campaign->tool_version))
		rc = err_set(err, -ENOMEM, "begin a campaign");
	return rc;
}

void campaign_free(struct campaign *campaign)
{
	size_t i;

	for (i = 0; i < campaign->target_count; i++)
		fields_free(target_fields, COUNT(target_fields),
			    &campaign->targets[i]);
	free(campaign->targets);
	fields_free(campaign_fields, COUNT(campaign_fields), campaign);
	*campaign = (struct campaign){ 0 };
}

void campaign_end_free(struct campaign_end *end)
{
	fields_free(end_fields, COUNT(end_fields), end);
	*end = (struct campaign_end){ 0 };
}

static json_t *line_new(const char *type)
{
	return json_pack("{s:s, s:i}", "type", type, "schema", RECORD_SCHEMA);
}

json_t *campaign_encode(const struct campaign *campaign)
{
	json_t *json = line_new("campaign"), *targets = json_array();
	size_t i;

	if (!json || fields_encode(json, campaign_fields,
				   COUNT(campaign_fields), campaign))
		goto failed;
	for (i = 0; i < campaign->target_count; i++) {
		json_t *target = json_object();

		if (!target ||
		    fields_encode(target, target_fields, COUNT(target_fields),
				  &campaign->targets[i])) {
			json_decref(target);
			goto failed;
		}
		if (json_array_append_new(targets, target))
			goto failed;
	}
	if (json_object_set(json, "targets", targets))
		goto failed;
	json_decref(targets);
	return json;
failed:
	json_decref(targets);
	json_decref(json);
	return NULL;
}

json_t *campaign_end_encode(const struct campaign_end *end)
{
	json_t *json = line_new("end");

	if (json && fields_encode(json, end_fields, COUNT(end_fields), end)) {
		json_decref(json);
		json = NULL;
	}
	return json;
}

static void target_init(struct campaign_target *target)
{
	*target = (struct campaign_target){ .read_ahead_kib = -1,
					    .fs_read_ahead_kib = -1,
					    .max_sectors_kib = -1,
					    .nr_requests = -1,
					    .rotational = -1,
					    .loop_direct = -1 };
}

int campaign_decode(const json_t *json, struct campaign *campaign,
		    struct err *err)
{
	const json_t *targets = json_object_get(json, "targets");
	size_t i, count = json_array_size(targets);
	int rc;

	*campaign = (struct campaign){ 0 };
	rc = fields_decode(json, campaign_fields, COUNT(campaign_fields),
			   campaign, "campaign", err);
	if (!rc && !campaign->id)
		rc = err_say(err, -EINVAL, "campaign has no campaign_id");
	if (!rc && !campaign->label)
		rc = err_say(err, -EINVAL, "campaign has no label");
	if (!rc && targets && !json_is_array(targets))
		rc = err_say(err, -EINVAL, "campaign.targets is not an array");
	if (!rc && count) {
		campaign->targets = calloc(count, sizeof(*campaign->targets));
		if (!campaign->targets)
			rc = err_set(err, -ENOMEM, "campaign.targets");
	}
	for (i = 0; !rc && i < count; i++) {
		target_init(&campaign->targets[campaign->target_count++]);
		rc = fields_decode(json_array_get(targets, i), target_fields,
				   COUNT(target_fields), &campaign->targets[i],
				   "campaign.targets", err);
	}
	if (rc < 0)
		campaign_free(campaign);
	return rc;
}

int campaign_end_decode(const json_t *json, struct campaign_end *end,
			struct err *err)
{
	int rc;

	*end = (struct campaign_end){ 0 };
	rc = fields_decode(json, end_fields, COUNT(end_fields), end, "end",
			   err);
	if (!rc && !end->campaign_id)
		rc = err_say(err, -EINVAL, "end has no campaign_id");
	if (rc < 0)
		campaign_end_free(end);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/about.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/units.h"
#include "reports/match.h"
#include "reports/print.h"
#include "reports/row.h"
#include "reports/series.h"

/* Values of some settings behind each other; nothing where none is known. */
static int print_values(FILE *out, const char *head,
			const struct series *series, const enum setting_id *ids,
			size_t count)
{
	struct texts parts = { 0 };
	char *line = NULL;
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < count; i++) {
		const struct texts *values = &series->values[ids[i]];
		char *joined = values->count ? texts_join(values, " and ")
					     : NULL;

		if (values->count && (!joined || !texts_add(&parts, joined)))
			rc = -ENOMEM;
		free(joined);
	}
	if (!rc && parts.count) {
		line = texts_join(&parts, ", ");
		rc = line ? 0 : -ENOMEM;
	}
	if (line)
		print_wrapped(out, head, line);
	free(line);
	texts_free(&parts);
	return rc;
}

static char *read_ahead_text(int64_t kib, const char *whose)
{
	return kib < 0 ? strdup("")
		       : text_format(", read-ahead %" PRId64 " KB%s", kib,
				     whose);
}

/* "/mnt/mnt1/foo: 64m on ext4, loop0 on vda, read-ahead 2560 KB" */
static char *target_text(const struct campaign_target *target)
{
	bool own = target->fs_read_ahead_kib >= 0 &&
		   target->fs_read_ahead_kib != target->read_ahead_kib;
	char *queue = read_ahead_text(target->read_ahead_kib, "");
	char *fs = own ? read_ahead_text(target->fs_read_ahead_kib,
					 " of the file system")
		       : strdup("");
	char size[24], *text = NULL;
	bool stacked = target->lowest && target->device &&
		       strcmp(target->lowest, target->device);

	size_format(target->size_bytes, size);
	if (queue && fs)
		text = text_format(
			"%s: %s, %s on %s%s%s%s%s%s%s%s",
			target->path ? target->path : "?", size,
			target->fs_type ? target->fs_type
					: "file system not seen",
			target->device ? target->device : "no device",
			stacked ? " on " : "", stacked ? target->lowest : "",
			queue, fs, target->scheduler ? ", scheduler " : "",
			target->scheduler ? target->scheduler : "",
			target->loop_direct == 0 ? ", loop without direct I/O"
						 : "");
	free(queue);
	free(fs);
	return text;
}

static int print_targets(FILE *out, const struct series *series)
{
	struct texts lines = { 0 };
	size_t i, j;
	int rc = 0;

	for (i = 0; i < series->campaign_count; i++) {
		const struct campaign *campaign =
			&series->campaigns[i].campaign;

		for (j = 0; !rc && j < campaign->target_count; j++) {
			char *line = target_text(&campaign->targets[j]);

			if (!line || !texts_add(&lines, line))
				rc = -ENOMEM;
			free(line);
		}
	}
	for (i = 0; !rc && i < lines.count; i++)
		print_wrapped(out, i ? "           " : "files      ",
			      lines.list[i]);
	texts_free(&lines);
	return rc;
}

/* Where published figures were taken from. */
static int print_imported(FILE *out, const struct series *series)
{
	struct texts files = { 0 };
	char *line = NULL;
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < series->campaign_count; i++) {
		const char *from = series->campaigns[i].campaign.imported_from;

		if (from && !texts_add(&files, from))
			rc = -ENOMEM;
	}
	if (!rc && files.count) {
		line = texts_join(&files, ", ");
		rc = line ? 0 : -ENOMEM;
	}
	if (line)
		print_wrapped(out, "published  ", line);
	free(line);
	texts_free(&files);
	return rc;
}

int about_series(FILE *out, const struct series *series)
{
	static const enum setting_id kernel[] = { SETTING_KERNEL,
						  SETTING_KERNEL_VERSION };
	static const enum setting_id host[] = { SETTING_HOST, SETTING_CPU_MODEL,
						SETTING_TOPOLOGY,
						SETTING_MEMORY };
	static const enum setting_id flush[] = { SETTING_FLUSH };
	char *label = text_format("%s, of %s", series->shown, series->path);
	int rc = label ? 0 : -ENOMEM;

	if (!rc) {
		print_wrapped(out, "label      ", label);
		rc = print_values(out, "kernel     ", series, kernel, 2);
	}
	if (!rc)
		rc = print_values(out, "host       ", series, host, 4);
	if (!rc)
		rc = print_values(out, "flush      ", series, flush, 1);
	if (!rc)
		rc = print_imported(out, series);
	if (!rc)
		rc = print_targets(out, series);
	free(label);
	return rc;
}

/* The one value that all rows have; NULL: none is known, or there are more. */
static const char *value_of_all(const struct matches *matches, size_t setting)
{
	const char *value = NULL;
	size_t i, j, side;

	for (i = 0; i < matches->count; i++) {
		const struct match *match = &matches->list[i];

		for (j = 0; j < 2 * match->pair_count; j++) {
			const struct pair *pair = &match->pairs[j / 2];
			const struct row *row;

			side = j % 2;
			row = side ? pair->b : pair->a;
			if (!row || !row->settings[setting])
				continue;
			if (value && strcmp(value, row->settings[setting]))
				return NULL;
			value = row->settings[setting];
		}
	}
	return value;
}

int about_rows(FILE *out, const char *head, const struct matches *matches)
{
	char *text = NULL;
	size_t size, i;
	bool any = false;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return -ENOMEM;
	for (i = 0; i < SETTING_COUNT; i++) {
		const char *value = value_of_all(matches, i);

		if (!value || i == SETTING_PATHS ||
		    (settings[i].usual && !strcmp(value, settings[i].usual)))
			continue;
		fprintf(line, "%s%s %s", any ? ", " : "", settings[i].name,
			value);
		any = true;
	}
	if (fclose(line)) {
		free(text);
		return -ENOMEM;
	}
	if (any)
		print_wrapped(out, head, text);
	free(text);
	return 0;
}

/* Planned runs are not known of old records, nor of published figures. */
static char *runs_of(uint64_t runs, uint64_t planned)
{
	return planned ? text_format("%" PRIu64 " of %" PRIu64 " runs", runs,
				     planned)
		       : text_format("%" PRIu64 " runs", runs);
}

/* NULL in @text: it ended as planned. */
static int partial_text(const struct series_campaign *of, char **text)
{
	const struct campaign_end *end = &of->end;
	const char *cause = end->cause ? end->cause : "a cause not told";
	char *runs;

	*text = NULL;
	if (of->ended && end->complete && end->runs == of->runs)
		return 0;
	runs = runs_of(of->runs, of->campaign.runs);
	if (!runs)
		return -ENOMEM;
	if (!of->ended)
		*text = text_format("still running or killed, after %s", runs);
	else if (!end->complete)
		*text = text_format("interrupted by %s after %s", cause, runs);
	else
		*text = text_format("incomplete: %" PRIu64 " runs were written "
				    "and %zu are in the file",
				    end->runs, of->runs);
	free(runs);
	return *text ? 0 : -ENOMEM;
}

int about_partial(FILE *out, const char *head, const struct series *series)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < series->campaign_count; i++) {
		char *text;

		rc = partial_text(&series->campaigns[i], &text);
		if (text)
			print_wrapped(out, head, text);
		free(text);
	}
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of a target's storage, as a set. */
#include "lib/system/storage.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage_stack.h"

void storage_free(struct storage *storage)
{
	size_t i;

	for (i = 0; i < storage->mount_count; i++)
		free(storage->mount[i].name);
	for (i = 0; i < storage->lowest_count; i++)
		free(storage->lowest[i].name);
	free(storage->mount);
	free(storage->lowest);
	free(storage->layer);
	*storage = (struct storage){ 0 };
}

int storage_device_add(struct storage_device **list, size_t *count,
		       const char *name, dev_t dev, struct err *err)
{
	struct storage_device *grown;
	size_t i;

	for (i = 0; i < *count; i++)
		if ((*list)[i].dev == dev)
			return 0;
	grown = reallocarray(*list, *count + 1, sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "device %s", name);
	*list = grown;
	grown[*count].dev = dev;
	grown[*count].name = strdup(name);
	if (!grown[*count].name)
		return err_set(err, -ENOMEM, "device %s", name);
	++*count;
	return 0;
}

/* Adds one sentence, unless it has been said. */
static int sentence_add(struct storage *storage, const char *sentence)
{
	char *both;

	if (storage->layer && strstr(storage->layer, sentence))
		return 0;
	both = text_format("%s%s%s", storage->layer ? storage->layer : "",
			   storage->layer ? "; " : "", sentence);
	if (!both)
		return -ENOMEM;
	free(storage->layer);
	storage->layer = both;
	return 0;
}

int storage_layer_add(struct storage *storage, struct err *err,
		      const char *format, ...)
{
	char *sentences = NULL, *next, *end;
	va_list ap;
	int length, rc = 0;

	va_start(ap, format);
	length = vasprintf(&sentences, format, ap);
	va_end(ap);
	if (length < 0)
		return err_set(err, -ENOMEM, "layers of storage");
	for (next = sentences; !rc && next; next = end) {
		end = strstr(next, "; ");
		if (end) {
			*end = '\0';
			end += 2;
		}
		rc = sentence_add(storage, next);
	}
	free(sentences);
	return rc < 0 ? err_set(err, rc, "layers of storage") : 0;
}

int storage_merge(struct storage *to, const struct storage *from,
		  struct err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < from->mount_count; i++)
		rc = storage_device_add(&to->mount, &to->mount_count,
					from->mount[i].name, from->mount[i].dev,
					err);
	for (i = 0; !rc && i < from->lowest_count; i++)
		rc = storage_device_add(&to->lowest, &to->lowest_count,
					from->lowest[i].name,
					from->lowest[i].dev, err);
	if (!rc && from->layer)
		rc = storage_layer_add(to, err, "%s", from->layer);
	to->hidden |= from->hidden;
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The devices through which the same bytes are reached. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims.h"
#include "lib/system/claims_loop.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

/* As in lib/system/storage_stack.c. */
#define DEPTH_MAX 32

void claim_ways_free(struct claim_ways *ways)
{
	while (ways->count)
		free(ways->list[--ways->count].name);
	free(ways->list);
	*ways = (struct claim_ways){ 0 };
}

bool claim_ways_overlap(const char *root, const struct claim_ways *ways,
			dev_t dev)
{
	size_t i;

	for (i = 0; i < ways->count; i++)
		if (claim_devices_overlap(root, ways->list[i].dev, dev))
			return true;
	return false;
}

static int add_way(const char *root, dev_t dev, struct claim_ways *ways,
		   struct err *err)
{
	char *name = NULL;
	int rc = storage_name_of_dev(root, dev, &name, err);

	if (!rc)
		rc = storage_device_add(&ways->list, &ways->count, name, dev,
					err);
	free(name);
	return rc;
}

static int refuse_unknown(const struct claim_loop *loop, struct err *err)
{
	return err_say(err, -EACCES,
		       "what lies below %s cannot be told, and it may be in "
		       "use; detach it, or start where /dev/%s can be opened",
		       loop->name, loop->name);
}

/*
 * What else leads to the bytes of @loop. What lies below other loop devices
 * needs no look: it is what lies below this one, its disk, or a part of it.
 */
static int add_ways_of_loop(const char *root, const struct claim_loops *loops,
			    const struct claim_loop *loop,
			    struct claim_ways *ways, struct err *err)
{
	size_t i;
	int rc = 0;

	if (!loop->known)
		return refuse_unknown(loop, err);
	if (loop->below.is_device)
		rc = add_way(root, loop->below.dev, ways, err);
	for (i = 0; !rc && i < loops->count; i++) {
		const struct claim_loop *other = &loops->list[i];

		if (other == loop)
			continue;
		if (!other->known &&
		    !claim_lengths_meet(&loop->below, &other->below))
			continue;
		if (!other->known)
			return refuse_unknown(other, err);
		if (other->below.is_device != loop->below.is_device)
			continue;
		if (loop->below.is_device
			    ? claim_devices_overlap(root, loop->below.dev,
						    other->below.dev)
			    : claim_object_may_be(&loop->below, &other->below))
			rc = add_way(root, other->dev, ways, err);
	}
	return rc;
}

struct descent {
	const char *root;
	const struct claim_loops *loops;
	struct claim_ways *ways;
	unsigned int depth;
};

static int descend(const struct descent *from, dev_t dev, struct err *err);

static int descend_slave(const char *name, void *input, struct err *err)
{
	const struct descent *descent = input;
	dev_t dev;
	int rc = storage_dev_of_name(descent->root, name, &dev, err);

	return rc < 0 ? rc : descend(descent, dev, err);
}

/* What dm and md are made of is theirs alone, and so it is no way. */
static int descend_slaves(struct descent *descent, dev_t dev, struct err *err)
{
	char *name = NULL, *disk = NULL, *path = NULL;
	int rc;

	rc = storage_name_of_dev(descent->root, dev, &name, err);
	if (!rc)
		rc = storage_disk_of_name(descent->root, name, &disk, err);
	if (rc < 0)
		goto out;
	path = text_format("/sys/class/block/%s/slaves", disk);
	if (!path) {
		rc = err_set(err, -ENOMEM, "slaves of %s", disk);
		goto out;
	}
	rc = storage_each_link(descent->root, path, descend_slave, descent,
			       err);
	if (rc == -ENOENT || rc > 0)
		rc = 0;
out:
	free(path);
	free(disk);
	free(name);
	return rc;
}

static int descend(const struct descent *from, dev_t dev, struct err *err)
{
	const struct claim_loop *loop =
		claim_loop_of(from->root, from->loops, dev);
	struct descent below = *from;
	int rc;

	if (++below.depth > DEPTH_MAX)
		return err_say(err, -ELOOP,
			       "device %u:%u: more than %d layers below it",
			       major(dev), minor(dev), DEPTH_MAX);
	if (!loop)
		return descend_slaves(&below, dev, err);
	rc = add_ways_of_loop(from->root, from->loops, loop, from->ways, err);
	if (rc < 0 || !loop->below.is_device)
		return rc;
	return descend(&below, loop->below.dev, err);
}

int claim_ways_find(const char *root, dev_t dev, struct claim_ways *ways,
		    struct err *err)
{
	struct claim_loops loops = { 0 };
	const struct descent descent = { root, &loops, ways, 0 };
	int rc;

	*ways = (struct claim_ways){ 0 };
	rc = claim_loops_read(root, &loops, err);
	if (!rc)
		rc = add_way(root, dev, ways, err);
	if (!rc)
		rc = descend(&descent, dev, err);
	claim_loops_free(&loops);
	if (rc < 0)
		claim_ways_free(ways);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/claims_held.h"
#include "lib/system/storage.h"
#include "lib/system/storage_stack.h"

void claim_free(struct claim *claim)
{
	free(claim->holder);
	*claim = (struct claim){ 0 };
}

bool claim_is_certain(const struct claim *claim)
{
	return claim->holder && !claim->is_guess;
}

/* Takes over @found, unless it tells no more than @claim does by now. */
static void keep_surer(struct claim *claim, struct claim *found)
{
	if (claim_is_certain(found) || !claim->holder) {
		claim_free(claim);
		*claim = *found;
	} else {
		claim_free(found);
	}
}

static int claim_of_member(const struct claim_tables *tables,
			   const struct claim_ways *ways,
			   const struct storage_device *member,
			   struct claim *claim, struct err *err)
{
	const struct claim_object object =
		claim_object_of_device(tables->root, member->name, member->dev);
	int rc;

	rc = claim_by_mount(tables, &object, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_swap(tables, &object, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_holders(tables->root, member->name, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_btrfs(tables->root, member->name, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_loop(tables, &object, ways, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_any_loop(tables, &object, ways, claim, err);
	return rc;
}

struct family {
	const char *root;
	struct claim_ways members; /* itself first */
};

static int take_member(const char *name, void *input, struct err *err)
{
	struct family *family = input;
	dev_t dev;
	int rc = storage_dev_of_name(family->root, name, &dev, err);

	return rc < 0 ? rc
		      : storage_device_add(&family->members.list,
					   &family->members.count, name, dev,
					   err);
}

/* The device, and its disk, or its partitions. */
static int family_read(const char *name, const char *disk,
		       struct family *family, struct err *err)
{
	char *path;
	int rc;

	rc = take_member(name, family, err);
	if (!rc && strcmp(name, disk))
		return take_member(disk, family, err);
	path = text_format("/sys/class/block/%s", name);
	if (!path)
		rc = err_set(err, -ENOMEM, "partitions of %s", name);
	if (!rc)
		rc = storage_each_link(family->root, path, take_member, family,
				       err);
	free(path);
	return rc < 0 ? rc : 0;
}

/* Says in what relation the way is to the @member of its disk that is held. */
static int relate(const struct claim_ways *ways, size_t way, const char *disk,
		  const char *member, struct claim *claim, struct err *err)
{
	const char *name = ways->list[way].name;
	const char *relation = strcmp(name, disk) ? "a part of "
						  : "the disk of ";
	bool is_itself = !strcmp(name, member);
	char *text;

	if (!way && is_itself)
		return 0;
	text = text_format(
		"%s%s%s%s%s%swhich is %s", way ? "another way to " : "",
		way ? name : "", way ? ", " : "", is_itself ? "" : relation,
		is_itself ? "" : member, is_itself ? "" : ", ", claim->holder);
	if (!text)
		return err_set(err, -ENOMEM, "what holds %s", name);
	free(claim->holder);
	claim->holder = text;
	return 0;
}

static int claim_of_way(const struct claim_tables *tables,
			const struct claim_ways *ways, size_t way,
			struct claim *claim, struct err *err)
{
	struct family family = { .root = tables->root };
	const char *name = ways->list[way].name;
	char *disk = NULL;
	size_t i;
	int rc;

	rc = storage_disk_of_name(tables->root, name, &disk, err);
	if (!rc)
		rc = family_read(name, disk, &family, err);
	for (i = 0; !rc && !claim_is_certain(claim) && i < family.members.count;
	     i++) {
		const struct storage_device *member = &family.members.list[i];
		struct claim found = { 0 };

		rc = claim_of_member(tables, ways, member, &found, err);
		if (!rc && found.holder)
			rc = relate(ways, way, disk, member->name, &found, err);
		keep_surer(claim, &found);
	}
	claim_ways_free(&family.members);
	free(disk);
	return rc;
}

/* Of the image below a loop device: siblings are ways, so that is not all. */
static int claim_of_image(const struct claim_tables *tables,
			  const struct storage_device *way, struct claim *claim,
			  struct err *err)
{
	const struct claim_loop *loop =
		claim_loop_of(tables->root, &tables->loops, way->dev);
	struct claim found = { 0 };
	char *text;
	int rc;

	if (!loop || !loop->known || loop->below.is_device)
		return 0;
	rc = claim_by_swap(tables, &loop->below, &found, err);
	if (!rc && !claim_is_certain(&found))
		rc = claim_by_mount(tables, &loop->below, &found, err);
	if (!rc && !claim_is_certain(&found))
		rc = claim_by_image(tables, &loop->below, loop, -1, &found,
				    err);
	if (!rc && found.holder) {
		text = text_format("on a file that is %s", found.holder);
		if (!text)
			rc = err_set(err, -ENOMEM, "what holds %s", way->name);
		free(found.holder);
		found.holder = text;
	}
	keep_surer(claim, &found);
	return rc;
}

int claim_of_ways(const char *root, const struct claim_ways *ways,
		  struct claim *claim, struct err *err)
{
	struct claim_tables tables;
	size_t way;
	int rc;

	*claim = (struct claim){ 0 };
	rc = claim_tables_read(root, &tables, err);
	for (way = 0; !rc && !claim_is_certain(claim) && way < ways->count;
	     way++)
		rc = claim_of_way(&tables, ways, way, claim, err);
	for (way = 0; !rc && !claim_is_certain(claim) && way < ways->count;
	     way++)
		rc = claim_of_image(&tables, &ways->list[way], claim, err);
	claim_tables_free(&tables);
	if (rc < 0)
		claim_free(claim);
	return rc;
}

int claim_of_file(const char *root, int fd, struct claim *claim,
		  struct err *err)
{
	struct claim_object object;
	struct claim_tables tables;
	int rc;

	*claim = (struct claim){ 0 };
	rc = claim_object_of_fd(fd, &object, err);
	if (rc < 0)
		return rc;
	rc = claim_tables_read(root, &tables, err);
	if (!rc)
		rc = claim_by_swap(&tables, &object, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_loop(&tables, &object, NULL, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_mount(&tables, &object, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_image(&tables, &object, NULL, fd, claim, err);
	if (!rc && !claim_is_certain(claim))
		rc = claim_by_any_loop(&tables, &object, NULL, claim, err);
	claim_tables_free(&tables);
	if (rc < 0)
		claim_free(claim);
	return rc;
}

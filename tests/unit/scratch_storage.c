// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/scratch_storage.h"

#include <criterion/criterion.h>
#include <string.h>

#include "lib/base/err.h"
#include "tests/unit/scratch_fs.h"

struct storage scratch_storage_of(int fd)
{
	struct storage storage;
	struct err err;

	cr_assert(!storage_of_fd(fd, &storage, &err), "%s", err.text);
	return storage;
}

void scratch_expect_mount(const struct storage *storage,
			  const struct scratch_loop *loop)
{
	cr_assert_eq(storage->mount_count, 1, "%zu", storage->mount_count);
	cr_expect_str_eq(storage->mount[0].name, loop->name);
	cr_expect_eq(storage->mount[0].dev, loop->dev);
}

void scratch_expect_lowest(const struct storage *storage,
			   const struct scratch_loop *base)
{
	struct storage below = scratch_storage_of(base->fd);
	size_t i;

	cr_assert_gt(storage->lowest_count, 0);
	cr_assert_eq(storage->lowest_count, below.lowest_count);
	for (i = 0; i < below.lowest_count; i++)
		cr_expect_eq(storage->lowest[i].dev, below.lowest[i].dev,
			     "%s, not %s", storage->lowest[i].name,
			     below.lowest[i].name);
	storage_free(&below);
}

void scratch_expect_layer(const struct storage *storage, const char *part)
{
	cr_expect(storage->layer && strstr(storage->layer, part),
		  "'%s', not '%s'", storage->layer, part);
}

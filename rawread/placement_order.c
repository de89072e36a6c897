// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/placement_order.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KEYS 10

/* A PU, with what it is to be sorted by next. */
struct candidate {
	struct topology_pu pu;
	size_t index;
	uint32_t turn_in_package; /* among its like in the node and package */
	uint32_t turn_in_node;	  /* among its like in the node */
	uint32_t turn_of_node;	  /* of its node in the package */
	uint32_t node_size;	  /* PUs of its node that are in the package */
	uint32_t package_size;
	uint32_t largest_node; /* of its package */
	uint32_t key[KEYS];
};

static int compare_keys(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	size_t i;

	for (i = 0; i < KEYS; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return 0;
}

/* Whether the first @keys of both are the same: one group. */
static bool same_group(const struct candidate *a, const struct candidate *b,
		       size_t keys)
{
	return !memcmp(a->key, b->key, keys * sizeof(a->key[0]));
}

/* Turns of nodes in their package, so that packages alternate. */
static void turn_nodes(struct candidate *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){ all[i].pu.package, all[i].pu.locality,
					 all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i++) {
		all[i].turn_of_node = 0;
		if (i && same_group(&all[i - 1], &all[i], 1))
			all[i].turn_of_node =
				all[i - 1].turn_of_node +
				!same_group(&all[i - 1], &all[i], 2);
	}
}

/* Turns of cores in their package and node, then over the node's packages. */
static void turn_cores(struct candidate *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){ all[i].pu.smt, all[i].pu.slowness,
					 all[i].pu.locality, all[i].pu.package,
					 all[i].pu.core, all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i++)
		all[i].turn_in_package =
			i && same_group(&all[i - 1], &all[i], 4)
				? all[i - 1].turn_in_package + 1
				: 0;
	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){
			       all[i].pu.smt, all[i].pu.slowness,
			       all[i].pu.locality, all[i].turn_in_package,
			       all[i].pu.package, all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i++)
		all[i].turn_in_node = i && same_group(&all[i - 1], &all[i], 3)
					      ? all[i - 1].turn_in_node + 1
					      : 0;
}

/* NULL without memory. @only may be NULL: all. */
static struct candidate *candidates(const struct topology_pu *pus, size_t count,
				    const bool *only, size_t *chosen)
{
	struct candidate *all = calloc(count ? count : 1, sizeof(*all));
	size_t i;

	*chosen = 0;
	for (i = 0; all && i < count; i++)
		if (!only || only[i])
			all[(*chosen)++] =
				(struct candidate){ .pu = pus[i], .index = i };
	return all;
}

int placement_scatter(const struct topology_pu *pus, size_t count,
		      const bool *only, size_t *order, size_t *order_count)
{
	struct candidate *all = candidates(pus, count, only, order_count);
	size_t i;

	if (!all)
		return -ENOMEM;
	count = *order_count;
	turn_nodes(all, count);
	turn_cores(all, count);
	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){ all[i].pu.smt, all[i].pu.slowness,
					 all[i].turn_in_node,
					 all[i].turn_of_node, all[i].pu.package,
					 all[i].pu.locality, all[i].pu.core,
					 all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i++)
		order[i] = all[i].index;
	free(all);
	return 0;
}

/* How many from @first on are one group. */
static size_t group_size(const struct candidate *all, size_t count,
			 size_t first, size_t keys)
{
	size_t i = first;

	while (i < count && same_group(&all[first], &all[i], keys))
		i++;
	return i - first;
}

/* Of a package that is @size PUs from @all on, sorted by node. */
static void size_nodes(struct candidate *all, size_t size)
{
	uint32_t largest = 0;
	size_t i, j, node_size;

	for (i = 0; i < size; i += node_size) {
		node_size = group_size(all, size, i, 2);
		for (j = i; j < i + node_size; j++)
			all[j].node_size = (uint32_t)node_size;
		if (node_size > largest)
			largest = (uint32_t)node_size;
	}
	for (i = 0; i < size; i++) {
		all[i].package_size = (uint32_t)size;
		all[i].largest_node = largest;
	}
}

int placement_compact(const struct topology_pu *pus, size_t count,
		      size_t *order)
{
	struct candidate *all = candidates(pus, count, NULL, &count);
	size_t i, size;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){ all[i].pu.package, all[i].pu.locality,
					 all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i += size) {
		size = group_size(all, count, i, 1);
		size_nodes(&all[i], size);
	}
	/* Sizes count downwards: a cpuset may have left little of a node. */
	for (i = 0; i < count; i++)
		memcpy(all[i].key,
		       (uint32_t[KEYS]){ UINT32_MAX - all[i].largest_node,
					 UINT32_MAX - all[i].package_size,
					 all[i].pu.package,
					 UINT32_MAX - all[i].node_size,
					 all[i].pu.locality, all[i].pu.smt,
					 all[i].pu.slowness, all[i].pu.core,
					 all[i].pu.os_index },
		       sizeof(all[i].key));
	qsort(all, count, sizeof(*all), compare_keys);
	for (i = 0; i < count; i++)
		order[i] = all[i].index;
	free(all);
	return 0;
}

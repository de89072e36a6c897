// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/placement.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"

#define KEYS 8

/* A PU, with what it is to be sorted by next. */
struct candidate {
	struct topology_pu pu;
	uint32_t turn_in_package; /* among its like in the node and package */
	uint32_t turn_in_node;	  /* among its like in the node */
	uint32_t turn_of_node;	  /* of its node in the package */
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

int placement_scatter(const struct topology_pu *pus, size_t count,
		      struct topology_pu *order)
{
	struct candidate *all = calloc(count ? count : 1, sizeof(*all));
	size_t i;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		all[i].pu = pus[i];
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
		order[i] = all[i].pu;
	free(all);
	return 0;
}

/* "0-3,8" of the PUs, which are sorted. */
static char *list_allowed(const struct topology_pu *pus, size_t count)
{
	char *text = NULL;
	size_t size, i, run;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < count; i += run) {
		uint32_t first = pus[i].os_index;

		for (run = 1; i + run < count; run++)
			if (pus[i + run].os_index != first + run)
				break;
		fprintf(out, "%s%u", i ? "," : "", first);
		if (run > 1)
			fprintf(out, "-%u", (unsigned int)(first + run - 1));
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static const struct topology_pu *find_pu(const struct topology_pu *pus,
					 size_t count, uint64_t os_index)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (pus[i].os_index == os_index)
			return &pus[i];
	return NULL;
}

static int refuse_cpu(uint64_t cpu, const struct topology_pu *pus, size_t count,
		      struct err *err)
{
	char *allowed = list_allowed(pus, count);

	err_say(err, -EINVAL,
		"--pin: CPU %llu may not be used; CPUs %s may (cpuset and "
		"affinity)",
		(unsigned long long)cpu, allowed ? allowed : "?");
	free(allowed);
	return -EINVAL;
}

static int refuse_list(const char *how, struct err *err)
{
	return err_say(err, -EINVAL,
		       "--pin: '%s' is neither scatter, none nor a list of "
		       "CPUs as 0,2-5",
		       how);
}

/* "7" or "7-9" at *@at, which moves behind it. */
static int parse_run(const char **at, uint64_t *first, uint64_t *last)
{
	char *end;

	if (**at < '0' || **at > '9')
		return -EINVAL;
	*first = *last = strtoull(*at, &end, 10);
	if (*end == '-') {
		*at = end + 1;
		if (**at < '0' || **at > '9')
			return -EINVAL;
		*last = strtoull(*at, &end, 10);
	}
	*at = end;
	return *last < *first || *last > UINT32_MAX ? -EINVAL : 0;
}

/* The PUs of the list in its order, each once; @chosen has room for all. */
static int parse_list(const char *how, const struct topology_pu *pus,
		      size_t count, struct topology_pu *chosen,
		      size_t *chosen_count, struct err *err)
{
	const char *at = how;

	*chosen_count = 0;
	for (;;) {
		uint64_t cpu, last;

		if (parse_run(&at, &cpu, &last) < 0)
			return refuse_list(how, err);
		for (; cpu <= last; cpu++) {
			const struct topology_pu *pu = find_pu(pus, count, cpu);

			if (!pu)
				return refuse_cpu(cpu, pus, count, err);
			if (!find_pu(chosen, *chosen_count, cpu))
				chosen[(*chosen_count)++] = *pu;
		}
		if (!*at)
			return 0;
		if (*at++ != ',')
			return refuse_list(how, err);
	}
}

static int choose(const char *how, const struct topology_pu *pus, size_t count,
		  struct topology_pu *chosen, size_t *chosen_count,
		  struct err *err)
{
	if (!strcmp(how, "compact") || !strcmp(how, "near"))
		return err_say(err, -EINVAL,
			       "--pin: '%s' is not in this version, which has "
			       "scatter, none and a list of CPUs as 0,2-5",
			       how);
	if (strcmp(how, "scatter"))
		return parse_list(how, pus, count, chosen, chosen_count, err);
	*chosen_count = count;
	if (placement_scatter(pus, count, chosen) < 0)
		return err_set(err, -ENOMEM, "placement");
	return 0;
}

int placement_make(const char *how, const struct topology_pu *pus, size_t count,
		   unsigned int thread_count, struct placement *placement,
		   struct err *err)
{
	struct topology_pu *chosen;
	size_t chosen_count = 0;
	unsigned int i;
	int rc;

	*placement = (struct placement){ .thread_count = thread_count };
	if (!strcmp(how, "none"))
		return 0;
	chosen = calloc(count ? count : 1, sizeof(*chosen));
	if (!chosen)
		return err_set(err, -ENOMEM, "placement");
	rc = choose(how, pus, count, chosen, &chosen_count, err);
	if (!rc && !chosen_count)
		rc = err_say(err, -EINVAL,
			     "--pin: no CPU may be used; give --pin none");
	if (rc < 0)
		goto out;
	placement->pus = calloc(thread_count, sizeof(*placement->pus));
	if (!placement->pus) {
		rc = err_set(err, -ENOMEM, "placement of %u threads",
			     thread_count);
		goto out;
	}
	for (i = 0; i < thread_count; i++)
		placement->pus[i] = chosen[i % chosen_count];
	placement->distinct = thread_count < chosen_count
				      ? thread_count
				      : (unsigned int)chosen_count;
out:
	free(chosen);
	return rc;
}

void placement_free(struct placement *placement)
{
	free(placement->pus);
	*placement = (struct placement){ 0 };
}

char *placement_cpus(const struct placement *placement)
{
	char *text = NULL;
	unsigned int i;
	size_t size;
	FILE *out;

	if (!placement->pus)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	/* The first round has each of them once. */
	for (i = 0; i < placement->distinct; i++)
		fprintf(out, "%s%u", i ? "," : "", placement->pus[i].os_index);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

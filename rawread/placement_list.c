// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "rawread/placement_order.h"

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

/* Index of a PU; @count when there is none such. */
static size_t find_pu(const struct topology_pu *pus, size_t count,
		      uint64_t os_index)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (pus[i].os_index == os_index)
			break;
	return i;
}

static bool is_taken(const size_t *order, size_t count, size_t index)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (order[i] == index)
			return true;
	return false;
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
		       "--pin: '%s' is neither none, compact, scatter, near "
		       "nor a list of CPUs as 0,2-5",
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

int placement_list(const char *how, const struct topology_pu *pus, size_t count,
		   size_t *order, size_t *order_count, struct err *err)
{
	const char *at = how;

	*order_count = 0;
	for (;;) {
		uint64_t cpu, last;

		if (parse_run(&at, &cpu, &last) < 0)
			return refuse_list(how, err);
		for (; cpu <= last; cpu++) {
			size_t index = find_pu(pus, count, cpu);

			if (index == count)
				return refuse_cpu(cpu, pus, count, err);
			if (!is_taken(order, *order_count, index))
				order[(*order_count)++] = index;
		}
		if (!*at)
			return 0;
		if (*at++ != ',')
			return refuse_list(how, err);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/placement.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "rawread/placement_order.h"
#include "rawread/plan.h"

/* PUs that a thread may get, as indexes in the order to take them. */
struct choice {
	size_t *order;
	size_t count;
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "placement");
}

static int choice_alloc(const struct placement_request *request,
			struct choice *choice, struct err *err)
{
	choice->order = calloc(request->pu_count, sizeof(*choice->order));
	return choice->order ? 0 : no_memory(err);
}

/* The threads take the PUs of one order in turn. */
static int place_in_order(const struct placement_request *request,
			  struct placement *placement, struct err *err)
{
	struct choice choice = { .count = request->pu_count };
	unsigned int i;
	int rc;

	rc = choice_alloc(request, &choice, err);
	if (rc < 0)
		return rc;
	if (!strcmp(request->how, "scatter"))
		rc = placement_scatter(request->pus, request->pu_count, NULL,
				       choice.order, &choice.count);
	else if (!strcmp(request->how, "compact"))
		rc = placement_compact(request->pus, request->pu_count,
				       choice.order);
	else
		rc = placement_list(request->how, request->pus,
				    request->pu_count, choice.order,
				    &choice.count, err);
	if (rc == -ENOMEM)
		rc = no_memory(err);
	for (i = 0; !rc && i < request->thread_count; i++)
		placement->pus[i] =
			request->pus[choice.order[i % choice.count]];
	free(choice.order);
	return rc;
}

static bool is_any(const bool *row, size_t count)
{
	return row && memchr(row, true, count);
}

/* NULL: every PU is as near to the target as any other. */
static const bool *near_row(const struct placement_request *request,
			    unsigned int target)
{
	const bool *row = request->near
				  ? &request->near[target * request->pu_count]
				  : NULL;

	return is_any(row, request->pu_count) ? row : NULL;
}

static bool same_row(const bool *a, const bool *b, size_t count)
{
	return a == b || (a && b && !memcmp(a, b, count * sizeof(*a)));
}

/* The choice of a target is that of an earlier one with the same PUs. */
static int choose_near(const struct placement_request *request,
		       struct choice *choices, unsigned int target,
		       struct choice **choice, struct err *err)
{
	const bool *row = near_row(request, target);
	unsigned int i = 0;

	while (!same_row(near_row(request, i), row, request->pu_count))
		i++;
	*choice = &choices[i];
	if ((*choice)->order)
		return 0;
	if (choice_alloc(request, *choice, err) < 0)
		return -ENOMEM;
	if (placement_scatter(request->pus, request->pu_count, row,
			      (*choice)->order, &(*choice)->count) < 0)
		return no_memory(err);
	return 0;
}

/* The first of those that were used least. */
static size_t least_used(const struct choice *choice, const unsigned int *uses)
{
	size_t best = choice->order[0], i;

	for (i = 1; i < choice->count; i++)
		if (uses[choice->order[i]] < uses[best])
			best = choice->order[i];
	return best;
}

static int place_near(const struct placement_request *request,
		      struct placement *placement, struct err *err)
{
	unsigned int *uses = calloc(request->pu_count, sizeof(*uses));
	struct choice *choices =
		calloc(request->target_count, sizeof(*choices));
	struct choice *choice;
	unsigned int i;
	int rc = 0;

	if (!uses || !choices)
		rc = no_memory(err);
	for (i = 0; !rc && i < request->thread_count; i++) {
		rc = choose_near(request, choices, request->threads[i].target,
				 &choice, err);
		if (!rc) {
			size_t best = least_used(choice, uses);

			uses[best]++;
			placement->pus[i] = request->pus[best];
		}
	}
	for (i = 0; choices && i < request->target_count; i++)
		free(choices[i].order);
	free(choices);
	free(uses);
	return rc;
}

/* Whether no thread before @thread has its PU. */
static bool is_first_on_pu(const struct placement *placement,
			   unsigned int thread)
{
	unsigned int i;

	for (i = 0; i < thread; i++)
		if (placement->pus[i].os_index ==
		    placement->pus[thread].os_index)
			return false;
	return true;
}

int placement_make(const struct placement_request *request,
		   struct placement *placement, struct err *err)
{
	unsigned int i;
	int rc;

	*placement =
		(struct placement){ .thread_count = request->thread_count };
	if (!strcmp(request->how, "none"))
		return 0;
	if (!request->pu_count)
		return err_say(err, -EINVAL,
			       "--pin: no CPU may be used; give --pin none");
	placement->pus = calloc(request->thread_count, sizeof(*placement->pus));
	if (!placement->pus)
		return err_set(err, -ENOMEM, "placement of %u threads",
			       request->thread_count);
	if (!strcmp(request->how, "near"))
		rc = place_near(request, placement, err);
	else
		rc = place_in_order(request, placement, err);
	for (i = 0; !rc && i < request->thread_count; i++)
		placement->distinct += is_first_on_pu(placement, i);
	if (rc < 0)
		placement_free(placement);
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
	for (i = 0; i < placement->thread_count; i++)
		if (is_first_on_pu(placement, i))
			fprintf(out, "%s%u", i ? "," : "",
				placement->pus[i].os_index);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

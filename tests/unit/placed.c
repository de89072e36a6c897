// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/placed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"

static struct topology *opened;

void placed_close(void)
{
	topology_close(opened);
	opened = NULL;
}

struct topology *placed_on(const char *description)
{
	struct err err;

	placed_close();
	cr_assert(!topology_open_synthetic(description, &opened, &err), "%s",
		  err.text);
	return opened;
}

struct topology *placed_on_fixture(const char *name)
{
	const char *tests = getenv("TESTS");
	char path[4096];
	struct err err;

	placed_close();
	snprintf(path, sizeof(path), "%s/fixtures/topology/%s",
		 tests ? tests : "tests", name);
	cr_assert(!topology_open_xml(path, &opened, &err), "%s", err.text);
	return opened;
}

struct placement_request placed_request(unsigned int threads)
{
	struct placement_request request = { .thread_count = threads };

	request.pus = topology_pus(opened, &request.pu_count);
	return request;
}

void placed_expect(const struct placement_request *request, const char *wanted)
{
	struct placement placement;
	char text[256] = "";
	unsigned int i;
	struct err err;

	cr_assert(!placement_make(request, &placement, &err), "%s", err.text);
	for (i = 0; i < placement.thread_count; i++)
		sprintf(text + strlen(text), "%s%u", i ? "," : "",
			placement.pus[i].os_index);
	cr_expect_str_eq(text, wanted, "%s: %s", request->how, text);
	placement_free(&placement);
}

void placed_expect_how(const char *how, unsigned int threads,
		       const char *wanted)
{
	struct placement_request request = placed_request(threads);

	request.how = how;
	placed_expect(&request, wanted);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/command.h"
#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/base/units.h"
#include "lib/record/tests.h"
#include "rawread/destroy.h"
#include "rawread/engine.h"
#include "rawread/near.h"
#include "rawread/topology.h"

/* In the order of the blocks alone: a sweep has a use of its own for it. */
static int check_seed(const struct run_params *params, struct err *err)
{
	if (!params->seed_given || params_is_random(params))
		return 0;
	return err_say(err, -EINVAL,
		       "--seed is for the order of random blocks, and test %u, "
		       "%s, has none; leave it out",
		       params->test->id, params->test->title);
}

int setup_parse(const struct command *command, enum params_form form, int argc,
		char **argv, struct setup *setup, struct err *err)
{
	int rc;

	*setup = (struct setup){ 0 };
	rc = params_init(&setup->params, form, err);
	if (!rc)
		rc = command_parse(command, argc, argv, params_take,
				   &setup->params, err);
	if (!rc)
		rc = params_finish(&setup->params, err);
	if (!rc)
		rc = check_seed(&setup->params, err);
	/* What the environment consents to is said in the repeated command. */
	if (!rc && params_writes(&setup->params) &&
	    destroy_consent(&setup->params))
		rc = text_set(&setup->params.destroy_data,
			      destroy_consent(&setup->params), err);
	return rc;
}

/* Whether the engine can do what the test and the options want of it. */
static int check_engine(const struct run_params *params,
			const struct engine_ops *ops, struct err *err)
{
	const struct test *test = params->test;
	bool in_flight = ops->reap || ops->reads_nothing;

	if (test->is_write ? !ops->writes : !ops->reads)
		return err_say(err, -EINVAL,
			       "engine %s does not %s, and test %u, %s, does; "
			       "leave --engine out or change -t",
			       ops->name, test->is_write ? "write" : "read",
			       test->id, test->title);
	if (params->iovecs > 1 && !ops->is_vectored)
		return err_say(err, -EINVAL,
			       "engine %s takes no iovecs, and test %u, %s, "
			       "has %u; give --engine %s or another -t",
			       ops->name, test->id, test->title, params->iovecs,
			       test->engine);
	if (test->batch != BATCH_NONE && !in_flight)
		return err_say(err, -EINVAL,
			       "engine %s keeps nothing in flight, and test "
			       "%u, %s, is about that; leave --engine out",
			       ops->name, test->id, test->title);
	if (params->verify && !ops->fills_buffer)
		return err_say(err, -EINVAL,
			       "engine %s leaves nothing in the buffer that "
			       "--verify could compare; leave one out",
			       ops->name);
	return 0;
}

static int find_engine(struct setup *setup, struct err *err)
{
	const struct run_params *params = &setup->params;
	int rc = engine_find(params_engine(params), &setup->ops, err);

	if (rc < 0)
		return rc;
	return check_engine(params, setup->ops, err);
}

static int place_threads(struct setup *setup, struct err *err)
{
	const char *how = setup->params.pin;
	bool is_near = !strcmp(how, "near");
	struct placement_request request = {
		.how = how,
		.thread_count = setup->plan.thread_count,
		.threads = setup->plan.threads,
		.target_count = setup->plan.target_count,
	};
	struct placement *placement = &setup->placement;
	bool *near = NULL;
	int rc = 0;

	/* Loading a large machine's topology takes time, and devices more. */
	if (is_near)
		rc = topology_open_with_devices(&setup->topology, err);
	else if (strcmp(how, "none"))
		rc = topology_open(&setup->topology, err);
	if (rc < 0)
		return rc;
	if (setup->topology)
		request.pus = topology_pus(setup->topology, &request.pu_count);
	if (is_near)
		rc = near_find(setup->topology, &setup->targets, &near,
			       &setup->plan, err);
	request.near = near;
	if (!rc)
		rc = placement_make(&request, placement, err);
	free(near);
	if (rc < 0 || !placement->pus ||
	    placement->distinct == placement->thread_count)
		return rc;
	if (plan_add_note(&setup->plan, "%u threads share %u CPU%s",
			  placement->thread_count, placement->distinct,
			  plural(placement->distinct)) < 0)
		return err_set(err, -ENOMEM, "plan");
	return 0;
}

/* What is asked for, and can have no effect here. */
static int note_idle_options(struct setup *setup, struct err *err)
{
	const struct run_params *params = &setup->params;
	int rc = 0;

	if (setup->ops->reads_nothing)
		rc = plan_add_note(&setup->plan,
				   "engine %s reads nothing, so hints, flags "
				   "and the page cache have no part in it",
				   setup->ops->name);
	else if (params->direct && params->read_ahead_given)
		rc = plan_add_note(&setup->plan,
				   "direct I/O goes past the read-ahead that "
				   "--read-ahead-kb sets");
	return rc < 0 ? err_set(err, rc, "plan") : 0;
}

int setup_make(struct setup *setup, struct err *err)
{
	int rc;

	rc = find_engine(setup, err);
	if (rc < 0)
		return rc;
	rc = targets_open(&setup->params, &setup->targets, err);
	if (!rc)
		rc = plan_make(&setup->params, setup->targets.files,
			       &setup->plan, err);
	setup->not_available = rc == -EOPNOTSUPP;
	if (rc < 0)
		return rc;
	/* What the classic form decided is said in the repeated command. */
	if (setup->plan.common_range_bytes)
		setup->params.range_bytes = setup->plan.common_range_bytes;
	rc = note_idle_options(setup, err);
	return rc < 0 ? rc : place_threads(setup, err);
}

void setup_free(struct setup *setup)
{
	placement_free(&setup->placement);
	topology_close(setup->topology);
	plan_free(&setup->plan);
	targets_close(&setup->targets);
	params_free(&setup->params);
	*setup = (struct setup){ 0 };
}

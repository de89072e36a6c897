// SPDX-License-Identifier: GPL-2.0-or-later
#include "sweep/campaign_fill.h"

#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/record/campaign.h"
#include "lib/system/machine.h"
#include "lib/system/storage.h"
#include "sweep/flush.h"
#include "sweep/sweep.h"
#include "sweep/sweep_targets.h"

static char *count_text(hwloc_topology_t topology, hwloc_obj_type_t type,
			const char *name)
{
	int count = hwloc_get_nbobjs_by_type(topology, type);

	return text_format("%d %s%s", count, name, count == 1 ? "" : "s");
}

static char *describe(hwloc_topology_t topology)
{
	char *packages = count_text(topology, HWLOC_OBJ_PACKAGE, "package");
	char *nodes = count_text(topology, HWLOC_OBJ_NUMANODE, "node");
	char *cores = count_text(topology, HWLOC_OBJ_CORE, "core");
	char *pus = count_text(topology, HWLOC_OBJ_PU, "PU");
	char *text = NULL;

	if (packages && nodes && cores && pus)
		text = text_format("%s, %s, %s, %s", packages, nodes, cores,
				   pus);
	free(packages);
	free(nodes);
	free(cores);
	free(pus);
	return text;
}

char *campaign_topology(void)
{
	hwloc_topology_t topology;
	char *text = NULL;

	if (hwloc_topology_init(&topology) < 0)
		return NULL;
	if (!hwloc_topology_load(topology))
		text = describe(topology);
	hwloc_topology_destroy(topology);
	return text;
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -ENOMEM : 0;
}

static char *join_names(const struct storage_device *devices, size_t count)
{
	char *names = strdup("");
	size_t i;

	for (i = 0; names && i < count; i++) {
		char *more = text_format("%s%s%s", names, i ? "," : "",
					 devices[i].name);

		free(names);
		names = more;
	}
	return names;
}

static int fill_device(const struct sweep_target *target,
		       struct campaign_target *out, struct err *err)
{
	struct storage_queue queue = { 0 };
	struct storage storage = { 0 };
	int fd, rc;

	fd = open(target->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "open %s", target->path);
	rc = storage_of_fd(fd, &storage, err);
	close(fd);
	if (rc < 0)
		return rc;
	if (storage.mount_count)
		rc = storage_read_queue("", storage.mount[0].name, &queue, err);
	if (rc < 0)
		goto out;
	if (storage.mount_count) {
		out->device = join_names(storage.mount, storage.mount_count);
		out->read_ahead_kib = queue.read_ahead_kib;
		out->max_sectors_kib = queue.max_sectors_kib;
		out->nr_requests = queue.nr_requests;
		out->rotational = queue.rotational;
		out->loop_direct = queue.loop_direct;
		out->scheduler = queue.scheduler;
		queue.scheduler = NULL;
	}
	if (storage.lowest_count)
		out->lowest = join_names(storage.lowest, storage.lowest_count);
	if ((storage.mount_count && !out->device) ||
	    (storage.lowest_count && !out->lowest))
		rc = err_set(err, -ENOMEM, "devices of %s", target->path);
out:
	storage_queue_free(&queue);
	storage_free(&storage);
	return rc;
}

static int fill_target(const struct sweep_target *target,
		       struct campaign_target *out, struct err *err)
{
	const struct mount_entry *mount = &target->mount;
	int rc;

	*out = (struct campaign_target){ .size_bytes = target->size_bytes,
					 .read_ahead_kib = -1,
					 .fs_read_ahead_kib = -1,
					 .max_sectors_kib = -1,
					 .nr_requests = -1,
					 .rotational = -1,
					 .loop_direct = -1 };
	if (target->read_ahead_path)
		out->fs_read_ahead_kib = (int64_t)target->read_ahead_kib;
	if (copy_text(&out->path, target->path) ||
	    copy_text(&out->mount_point, mount->target) ||
	    copy_text(&out->source, mount->source) ||
	    copy_text(&out->fs_type, mount->fs_type) ||
	    copy_text(&out->options, mount->options))
		return err_set(err, -ENOMEM, "describe %s", target->path);
	rc = mount->source ? mount_uuid(mount->source, &out->uuid, err) : 0;
	if (rc < 0 && rc != -ENOENT)
		return rc;
	return fill_device(target, out, err);
}

static int fill_machine(struct campaign *campaign, struct err *err)
{
	struct machine machine;
	int rc;

	rc = machine_read("", &machine, err);
	if (rc < 0)
		return rc;
	if (copy_text(&campaign->host, machine.host) ||
	    copy_text(&campaign->kernel_release, machine.kernel_release) ||
	    copy_text(&campaign->kernel_version, machine.kernel_version) ||
	    copy_text(&campaign->config_hash, machine.config_hash) ||
	    copy_text(&campaign->boot_id, machine.boot_id) ||
	    copy_text(&campaign->cpu_model, machine.cpu_model))
		rc = err_set(err, -ENOMEM, "describe the machine");
	campaign->memory_bytes = machine.memory_bytes;
	campaign->topology = campaign_topology();
	machine_free(&machine);
	return rc;
}

static int fill_plan(const struct sweep_plan *plan, struct campaign *campaign,
		     struct err *err)
{
	int rc = campaign_begin(plan->label, plan->command, campaign, err);

	if (rc < 0)
		return rc;
	campaign->seed = plan->params.seed;
	campaign->reps = plan->reps;
	campaign->runs = plan->reps * plan->size_count;
	if (copy_text(&campaign->flush_method, plan->method->name))
		return err_set(err, -ENOMEM, "describe the sweep");
	return 0;
}

int campaign_fill(const struct sweep_plan *plan,
		  const struct sweep_targets *targets,
		  struct campaign *campaign, struct err *err)
{
	size_t i;
	int rc;

	rc = fill_plan(plan, campaign, err);
	if (!rc)
		rc = fill_machine(campaign, err);
	if (rc < 0)
		goto out;
	campaign->targets = calloc(targets->count, sizeof(*campaign->targets));
	if (!campaign->targets)
		rc = err_set(err, -ENOMEM, "describe the targets");
	for (i = 0; !rc && i < targets->count; i++) {
		campaign->target_count++;
		rc = fill_target(&targets->list[i], &campaign->targets[i], err);
	}
out:
	if (rc < 0)
		campaign_free(campaign);
	return rc;
}

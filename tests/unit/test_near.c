// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/near.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"
#include "lib/system/storage.h"
#include "rawread/plan.h"
#include "rawread/targets.h"
#include "tests/unit/placed.h"

TestSuite(near, .fini = placed_close);

/* A directory on a disk, which the caller frees the name of. */
static int file_on_disk(char **disk)
{
	struct storage storage;
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	cr_assert_geq(fd, 0);
	*disk = NULL;
	if (!storage_of_fd(fd, &storage, NULL) && storage.lowest_count == 1)
		*disk = strdup(storage.lowest[0].name);
	storage_free(&storage);
	if (!*disk)
		cr_skip_test("the tests are on no disk, or on several");
	return fd;
}

/* The fixture, with @disk where nvme0n1 is. */
static struct topology *machine_of(const char *fixture, const char *disk)
{
	char path[32];
	const char *tests = getenv("TESTS");
	char *from = text_format("/fixtures/topology/%s", fixture);
	struct topology *topology;
	char *text, *at;
	struct err err;
	FILE *out;

	cr_assert(!file_read_text(tests ? tests : "tests", from, &text, &err),
		  "%s", err.text);
	at = strstr(text, "nvme0n1");
	cr_assert(at);
	out = fdopen(memfd_create("topology", MFD_CLOEXEC), "w");
	cr_assert(out);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(out));
	fprintf(out, "%.*s%s%s", (int)(at - text), text, disk,
		at + strlen("nvme0n1"));
	fflush(out);
	cr_assert(!topology_open_xml(path, &topology, &err), "%s", err.text);
	fclose(out);
	free(text);
	free(from);
	return topology;
}

/* @wanted has a character for each PU of each target. */
static void expect_near(const struct topology *topology,
			const struct targets *targets, const char *wanted,
			const char *note)
{
	struct plan plan = { 0 };
	char text[65] = "";
	bool *near;
	struct err err;
	size_t i;

	cr_assert(!near_find(topology, targets, &near, &plan, &err), "%s",
		  err.text);
	for (i = 0; wanted[i]; i++)
		text[i] = near[i] ? '*' : '.';
	cr_expect_str_eq(text, wanted, "%s", text);
	cr_expect_eq(plan.note_count, note ? 1 : 0);
	if (note && plan.note_count)
		cr_expect_str_eq(plan.notes[0], note, "%s", plan.notes[0]);
	free(near);
	plan_free(&plan);
}

Test(near, a_file_is_near_to_the_cpus_of_its_disk)
{
	char *disk;
	struct target list[] = { { (char[]){ "a" },
				   .fd = file_on_disk(&disk) } };
	struct topology *topology = machine_of("disk.xml", disk);

	expect_near(topology, &(struct targets){ list, .count = 1 }, "....****",
		    NULL);
	topology_close(topology);
	close(list[0].fd);
	free(disk);
}

Test(near, a_disk_without_a_place_is_told_with_its_target)
{
	struct topology *topology = placed_on("pack:2 [numa] core:1 pu:1");
	char *disk;
	struct target list[] = { { (char[]){ "a" },
				   .fd = file_on_disk(&disk) } };
	char *note = text_format("--pin near: no CPU is nearer than others to "
				 "the device of a (%s); its threads are "
				 "scattered over all CPUs",
				 disk);

	expect_near(topology, &(struct targets){ list, .count = 1 }, "..",
		    note);
	free(note);
	close(list[0].fd);
	free(disk);
}

Test(near, a_cpuset_without_the_cpus_of_the_disk_is_told)
{
	char *disk;
	struct target list[] = { { (char[]){ "a" },
				   .fd = file_on_disk(&disk) } };
	struct topology *topology = machine_of("cpuset.xml", disk);
	char *note = text_format("--pin near: cpuset and affinity leave no CPU "
				 "that is near to the device of a (%s); its "
				 "threads are scattered over all CPUs",
				 disk);

	expect_near(topology, &(struct targets){ list, .count = 1 }, "....",
		    note);
	free(note);
	topology_close(topology);
	close(list[0].fd);
	free(disk);
}

Test(near, targets_without_a_device_are_told_together)
{
	int fd = memfd_create("memory", MFD_CLOEXEC);
	static char names[6][2] = { "a", "b", "c", "d", "e", "f" };
	struct target list[6];
	struct topology *topology = placed_on_fixture("disk.xml");
	unsigned int i;

	/* The last cannot even be asked. */
	for (i = 0; i < 6; i++)
		list[i] = (struct target){ names[i], .fd = i < 5 ? fd : -1 };
	expect_near(topology, &(struct targets){ list, .count = 2 },
		    "................",
		    "--pin near: no device can be seen below a, b; their "
		    "threads are scattered over all CPUs");
	expect_near(topology, &(struct targets){ list, .count = 6 },
		    "................................................",
		    "--pin near: no device can be seen below a, b, c and 3 "
		    "more; their threads are scattered over all CPUs");
	close(fd);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/cputime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

/* 0 when @line is not about one CPU ("cpu " is the sum of all). */
static int line_parse(const char *line, struct cputime_cpu *cpu)
{
	int fields;

	*cpu = (struct cputime_cpu){ 0 };
	/* Old kernels have fewer fields; what is not told is 0. */
	fields = sscanf(line,
			"cpu%u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			&cpu->number, &cpu->user, &cpu->nice, &cpu->system,
			&cpu->idle, &cpu->iowait, &cpu->irq, &cpu->softirq,
			&cpu->steal);
	return strncmp(line, "cpu ", 4) && fields >= 5;
}

static int cpu_add(struct cputime *cputime, const struct cputime_cpu *cpu)
{
	size_t count = cputime->cpu_count;
	struct cputime_cpu *grown;

	/* Room is for a power of two: it is used up when the count is one. */
	if (!(count & (count - 1))) {
		grown = reallocarray(cputime->cpus, count ? count * 2 : 1,
				     sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		cputime->cpus = grown;
	}
	cputime->cpus[cputime->cpu_count++] = *cpu;
	return 0;
}

int cputime_parse(const char *text, struct cputime *cputime, struct err *err)
{
	struct cputime_cpu cpu;
	const char *line;

	*cputime = (struct cputime){ 0 };
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!line_parse(line, &cpu))
			continue;
		if (cpu_add(cputime, &cpu) < 0) {
			cputime_free(cputime);
			return err_set(err, -ENOMEM, "CPU times");
		}
	}
	if (!cputime->cpu_count)
		return err_say(err, -EINVAL, "/proc/stat: no line of a CPU");
	return 0;
}

int cputime_read(const char *root, struct cputime *cputime, struct err *err)
{
	char *text = NULL;
	int rc;

	*cputime = (struct cputime){ 0 };
	rc = file_read_text(root, "/proc/stat", &text, err);
	if (rc < 0)
		return rc;
	rc = cputime_parse(text, cputime, err);
	free(text);
	return rc;
}

void cputime_free(struct cputime *cputime)
{
	free(cputime->cpus);
	*cputime = (struct cputime){ 0 };
}

static uint64_t growth(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

/*
 * The CPU numbered @number. Both readings are usually in the same order, so
 * the search begins at @hint, where it would then stand.
 */
static const struct cputime_cpu *cpu_find(const struct cputime *cputime,
					  unsigned int number, size_t hint)
{
	size_t i;

	for (i = 0; i < cputime->cpu_count; i++) {
		const struct cputime_cpu *cpu =
			&cputime->cpus[(hint + i) % cputime->cpu_count];

		if (cpu->number == number)
			return cpu;
	}
	return NULL;
}

void cputime_subtract(const struct cputime *before, const struct cputime *after,
		      struct cputime_delta *delta)
{
	size_t i, hint = 0;

	*delta = (struct cputime_delta){ 0 };
	for (i = 0; i < after->cpu_count; i++) {
		const struct cputime_cpu *b = &after->cpus[i];
		const struct cputime_cpu *a = cpu_find(before, b->number, hint);

		if (!a)
			continue;
		hint = (size_t)(a - before->cpus) + 1;
		delta->user += growth(a->user, b->user);
		delta->user += growth(a->nice, b->nice);
		delta->system += growth(a->system, b->system);
		delta->idle += growth(a->idle, b->idle);
		delta->iowait += growth(a->iowait, b->iowait);
		delta->irq += growth(a->irq, b->irq);
		delta->softirq += growth(a->softirq, b->softirq);
		delta->steal += growth(a->steal, b->steal);
		delta->cpus++;
	}
	delta->cpus_changed = delta->cpus != before->cpu_count ||
			      delta->cpus != after->cpu_count;
}

unsigned int cputime_ticks_per_s(void)
{
	return (unsigned int)sysconf(_SC_CLK_TCK);
}

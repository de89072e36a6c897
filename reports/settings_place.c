// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of where the threads of a run were. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/record/record.h"
#include "reports/settings_run.h"
#include "reports/settings_value.h"

int run_cpus_text(const struct run_record *run, const struct campaign *campaign,
		  char **text)
{
	(void)campaign;
	return setting_copy(run->cpus, text);
}

static unsigned int smt_of(const struct run_thread_record *thread)
{
	return thread->smt;
}

static unsigned int kind_of(const struct run_thread_record *thread)
{
	return thread->kind;
}

/* "0 x 2, 1 x 2" in the order of the threads; NULL without memory. */
static char *
in_order(const struct run_record *run,
	 unsigned int (*number_of)(const struct run_thread_record *))
{
	unsigned int i, same = 0;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < run->thread_count; i++) {
		unsigned int number = number_of(&run->threads[i]);

		same++;
		if (i + 1 < run->thread_count &&
		    number_of(&run->threads[i + 1]) == number)
			continue;
		fprintf(out, "%s%u x %u", i + 1 == same ? "" : ", ", number,
			same);
		same = 0;
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* All 0 is what lines have that do not tell of their threads. */
static int
place_text(const struct run_record *run, const char *all_0,
	   unsigned int (*number_of)(const struct run_thread_record *),
	   char **text)
{
	unsigned int i;

	if (!setting_is_known(run) || run->error)
		return 0;
	if (!run->cpus)
		return setting_copy("not pinned", text);
	for (i = 0; i < run->thread_count; i++)
		if (number_of(&run->threads[i]))
			break;
	if (i == run->thread_count)
		return setting_copy(all_0, text);
	*text = in_order(run, number_of);
	return setting_done(text);
}

int run_siblings_text(const struct run_record *run,
		      const struct campaign *campaign, char **text)
{
	(void)campaign;
	return place_text(run, "first of each core", smt_of, text);
}

int run_core_kinds_text(const struct run_record *run,
			const struct campaign *campaign, char **text)
{
	(void)campaign;
	return place_text(run, "fastest", kind_of, text);
}

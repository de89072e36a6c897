// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/system/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/file.h"

/* FNV-1a of 64 bits: tells configs apart, and needs no library. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Missing files are no error here; only memory is. */
static int text_read(const char *root, const char *path, char **text)
{
	return file_read_text(root, path, text, NULL) == -ENOMEM ? -ENOMEM : 0;
}

/* Returns 0; -ENOENT when @root@path cannot be read to its end. */
static int file_hash(const char *root, const char *path, uint64_t *hash)
{
	char *full = text_format("%s%s", root, path);
	FILE *file;
	int c, rc = 0;

	if (!full)
		return -ENOMEM;
	file = fopen(full, "re");
	free(full);
	if (!file)
		return -ENOENT;
	*hash = FNV_BASIS;
	while ((c = getc(file)) != EOF)
		*hash = (*hash ^ (unsigned int)c) * FNV_PRIME;
	if (ferror(file))
		rc = -ENOENT;
	fclose(file);
	return rc;
}

static int config_read(const char *root, struct machine *machine)
{
	uint64_t hash;
	char *path;
	int rc;

	rc = file_hash(root, "/proc/config.gz", &hash);
	if (rc == -ENOENT && machine->kernel_release) {
		path = text_format("/boot/config-%s", machine->kernel_release);
		if (!path)
			return -ENOMEM;
		rc = file_hash(root, path, &hash);
		free(path);
	}
	if (rc == -ENOENT)
		return 0;
	if (rc < 0)
		return rc;
	machine->config_hash = text_format("%016" PRIx64, hash);
	return machine->config_hash ? 0 : -ENOMEM;
}

/*
 * What stands behind @key in the first line "key<blanks>: value" of @text.
 * Returns 1; 0 when there is no such line; -ENOMEM.
 */
static int value_find(const char *text, const char *key, char **value)
{
	size_t length = strlen(key);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		const char *next;

		line += *line == '\n';
		if (strncmp(line, key, length))
			continue;
		next = line + length;
		next += strspn(next, " \t");
		if (*next != ':')
			continue;
		next++;
		next += strspn(next, " \t");
		*value = strndup(next, strcspn(next, "\n"));
		return *value ? 1 : -ENOMEM;
	}
	return 0;
}

/* arm64 has numbers in place of a name. */
static int arm_model(const char *text, char **model)
{
	char *implementer = NULL, *part = NULL;
	int rc;

	rc = value_find(text, "CPU implementer", &implementer);
	if (rc > 0)
		rc = value_find(text, "CPU part", &part);
	if (rc > 0) {
		*model = text_format("implementer %s, part %s", implementer,
				     part);
		rc = *model ? 1 : -ENOMEM;
	}
	free(implementer);
	free(part);
	return rc;
}

static int cpu_model_read(const char *root, char **model)
{
	/* x86 and loongarch; mips; powerpc; riscv. */
	static const char *const keys[] = { "model name", "Model Name",
					    "cpu model", "cpu", "uarch" };
	char *text = NULL;
	size_t i;
	int rc;

	rc = text_read(root, "/proc/cpuinfo", &text);
	if (!text)
		return rc;
	for (i = 0; !rc && i < sizeof(keys) / sizeof(keys[0]); i++)
		rc = value_find(text, keys[i], model);
	if (!rc)
		rc = arm_model(text, model);
	free(text);
	return rc < 0 ? rc : 0;
}

static int memory_read(const char *root, uint64_t *bytes)
{
	char *text = NULL, *value = NULL;
	int rc;

	rc = text_read(root, "/proc/meminfo", &text);
	if (text)
		rc = value_find(text, "MemTotal", &value);
	if (value)
		*bytes = strtoull(value, NULL, 10) * 1024;
	free(value);
	free(text);
	return rc < 0 ? rc : 0;
}

int machine_read(const char *root, struct machine *machine, struct err *err)
{
	int rc;

	*machine = (struct machine){ 0 };
	rc = text_read(root, "/proc/sys/kernel/hostname", &machine->host);
	if (!rc)
		rc = text_read(root, "/proc/sys/kernel/osrelease",
			       &machine->kernel_release);
	if (!rc)
		rc = text_read(root, "/proc/sys/kernel/version",
			       &machine->kernel_version);
	if (!rc)
		rc = text_read(root, "/proc/sys/kernel/random/boot_id",
			       &machine->boot_id);
	if (!rc)
		rc = config_read(root, machine);
	if (!rc)
		rc = cpu_model_read(root, &machine->cpu_model);
	if (!rc)
		rc = memory_read(root, &machine->memory_bytes);
	if (rc < 0) {
		machine_free(machine);
		return err_set(err, rc, "facts of this machine");
	}
	return 0;
}

void machine_free(struct machine *machine)
{
	free(machine->host);
	free(machine->kernel_release);
	free(machine->kernel_version);
	free(machine->config_hash);
	free(machine->boot_id);
	free(machine->cpu_model);
	*machine = (struct machine){ 0 };
}

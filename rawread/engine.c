// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/engine.h"

#include <errno.h>
#include <string.h>

#include "lib/base/err.h"

const struct engine_ops *const engines[] = {
	&engine_read,	&engine_readv,	&engine_pread,	&engine_preadv2,
	&engine_mmap,	&engine_splice, &engine_libaio, &engine_write,
	&engine_writev, &engine_pwrite, &engine_null,	NULL,
};

int engine_find(const char *name, const struct engine_ops **ops,
		struct err *err)
{
	char known[256] = "";
	size_t i;

	*ops = NULL;
	for (i = 0; engines[i]; i++) {
		if (!strcmp(engines[i]->name, name)) {
			*ops = engines[i];
			return engines[i]->probe ? engines[i]->probe(err) : 0;
		}
		strncat(known, " ", sizeof(known) - strlen(known) - 1);
		strncat(known, engines[i]->name,
			sizeof(known) - strlen(known) - 1);
	}
	return err_say(err, -EINVAL,
		       "engine '%s' is not in this version, which has%s", name,
		       known);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "rawread/verify.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/err.h"
#include "lib/system/prepared.h"
#include "rawread/targets.h"

int verify_seeds(const struct targets *targets, uint64_t **seeds,
		 struct err *err)
{
	unsigned int i;
	int rc = 0;

	*seeds = calloc(targets->count, sizeof(**seeds));
	if (!*seeds)
		return err_set(err, -ENOMEM, "verify %u targets",
			       targets->count);
	for (i = 0; !rc && i < targets->count; i++) {
		struct prepared mark;
		struct err why;

		rc = prepared_read(targets->list[i].fd, &mark, &why);
		if (rc < 0)
			rc = err_say(err, rc == -ENOMEM ? rc : -EINVAL,
				     "--verify: %s: %s; it compares files that "
				     "'rawread prepare' made",
				     targets->list[i].path, why.text);
		else
			(*seeds)[i] = mark.seed;
	}
	if (rc < 0) {
		free(*seeds);
		*seeds = NULL;
	}
	return rc;
}

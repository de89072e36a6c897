// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/record/label.h"

#include <errno.h>
#include <string.h>

#include "lib/base/err.h"
#include "lib/base/utf8.h"

int label_check(const char *label, struct err *err)
{
	if (!*label)
		return err_say(err, -EINVAL,
			       "--label is empty; give it the name that the "
			       "tables are to have");
	if (!label[strspn(label, " ")])
		return err_say(err, -EINVAL,
			       "--label '%s' is blank; give it the name that "
			       "the tables are to have",
			       label);
	if (strchr(label, ':'))
		return err_say(err, -EINVAL,
			       "--label '%s': no colon may stand in it, since "
			       "reports name it as FILE:LABEL",
			       label);
	if (!utf8_is_shown(label))
		return err_say(err, -EINVAL,
			       "--label '%s': no line break or other control "
			       "character may stand in it, and it has to be "
			       "UTF-8",
			       label);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/tolerance.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lib/base/err.h"
#include "reports/number.h"

/* A difference that equals the allowance stays inside, whatever the last binary
 * digit makes of it.
 */
#define ROUNDING 1e-9

int tolerance_parse(const char *what, const char *text,
		    struct tolerance *tolerance, struct err *err)
{
	size_t length = strlen(text), plus = strcspn(text, "+");
	bool has_pct = length && text[length - 1] == '%';
	const char *pct = text;
	int rc = 0;

	*tolerance = (struct tolerance){ 0 };
	/* "1e+2" has a plus that is no joint. */
	if (plus < length && plus && strchr("eE", text[plus - 1]))
		plus += 1 + strcspn(text + plus + 1, "+");
	if (plus < length || !has_pct)
		rc = number_parse(text, plus, &tolerance->abs);
	if (plus < length)
		pct = text + plus + 1;
	if (!rc && plus < length && !has_pct)
		rc = -EINVAL;
	if (!rc && has_pct)
		rc = number_parse(pct, strlen(pct) - 1,
				  &tolerance->pct_of_base);
	if (!rc)
		return 0;
	*tolerance = (struct tolerance){ 0 };
	return err_say(err, -EINVAL,
		       "%s: '%s' is not a tolerance; write ABS+PCT%%, as in "
		       "0.5+3%%, or one of both",
		       what, text);
}

struct tolerance_result tolerance_compare(const struct tolerance *tolerance,
					  double a, double b)
{
	struct tolerance_result result = {
		.diff = b - a,
		.allowed =
			tolerance->abs + tolerance->pct_of_base / 100 * fabs(a),
		.pct_known = a != 0,
	};

	if (result.pct_known)
		result.pct_diff = 100 * result.diff / a;
	result.beyond = fabs(result.diff) > result.allowed * (1 + ROUNDING);
	return result;
}

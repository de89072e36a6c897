// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/err.h"

static const struct {
	char letter;
	unsigned int shift;
} size_suffixes[] = {
	{ 'b', 0 }, { 'k', 10 }, { 'm', 20 }, { 'g', 30 }, { 't', 40 },
};

#define SUFFIX_COUNT (sizeof(size_suffixes) / sizeof(size_suffixes[0]))

/* strtoull takes blanks and signs; a size has neither. */
static int digits_parse(const char *text, char **end, uint64_t *number)
{
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	*number = strtoull(text, end, 10);
	return errno == ERANGE ? -ERANGE : 0;
}

static int suffix_parse(const char *text, uint64_t plain_unit_bytes,
			uint64_t *unit_bytes)
{
	size_t i;

	*unit_bytes = plain_unit_bytes;
	if (!*text)
		return 0;
	for (i = 0; i < SUFFIX_COUNT; i++)
		if (tolower((unsigned char)*text) == size_suffixes[i].letter)
			break;
	if (i == SUFFIX_COUNT)
		return -EINVAL;
	*unit_bytes = UINT64_C(1) << size_suffixes[i].shift;
	text++;
	if (!*text)
		return 0;
	/* "16kb", "16kib"; but no "16bb". */
	return i && (!strcasecmp(text, "b") || !strcasecmp(text, "ib"))
		       ? 0
		       : -EINVAL;
}

int size_parse(const char *what, const char *text, uint64_t plain_unit_bytes,
	       uint64_t *bytes, struct err *err)
{
	uint64_t number = 0, unit = 1;
	char *end = NULL;
	int rc;

	*bytes = 0;
	rc = digits_parse(text, &end, &number);
	if (!rc)
		rc = suffix_parse(end, plain_unit_bytes, &unit);
	if (rc == -EINVAL)
		return err_say(err, rc,
			       "%s: '%s' is not a size; write a whole number "
			       "with k, m, g or t behind it, as in 16k",
			       what, text);
	if (rc == -ERANGE || __builtin_mul_overflow(number, unit, bytes) ||
	    *bytes > INT64_MAX) {
		*bytes = 0;
		return err_say(err, -ERANGE,
			       "%s: '%s' is beyond the largest file offset, "
			       "8388607t",
			       what, text);
	}
	return 0;
}

int count_parse(const char *what, const char *text, uint64_t lowest,
		uint64_t highest, uint64_t *count, struct err *err)
{
	char *end = NULL;
	int rc;

	rc = digits_parse(text, &end, count);
	if (rc == -EINVAL || (!rc && *end)) {
		*count = 0;
		return err_say(err, -EINVAL, "%s: '%s' is not a whole number",
			       what, text);
	}
	if (rc || *count < lowest || *count > highest) {
		*count = 0;
		return err_say(err, -ERANGE,
			       "%s: '%s' is not between %" PRIu64
			       " and %" PRIu64,
			       what, text, lowest, highest);
	}
	return 0;
}

struct size_list {
	uint64_t *sizes;
	size_t count;
};

static int size_list_add(struct size_list *list, const char *what,
			 uint64_t bytes, struct err *err)
{
	uint64_t *grown;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->sizes[i] == bytes)
			return 0;
	grown = reallocarray(list->sizes, list->count + 1, sizeof(*grown));
	if (!grown)
		return err_set(err, -ENOMEM, "%s", what);
	list->sizes = grown;
	list->sizes[list->count++] = bytes;
	return 0;
}

/* One part between commas: a size, or "FIRST..LAST" in doublings. */
static int size_part_parse(struct size_list *list, const char *what, char *part,
			   struct err *err)
{
	char *dots = strstr(part, "..");
	uint64_t first, last, bytes;
	int rc;

	if (dots)
		*dots = '\0';
	rc = size_parse(what, part, 1, &first, err);
	if (rc < 0)
		return rc;
	last = first;
	if (dots)
		rc = size_parse(what, dots + 2, 1, &last, err);
	if (rc < 0)
		return rc;
	if (!first || last < first)
		return err_say(err, -EINVAL,
			       "%s: a list of sizes counts up from 1, as in "
			       "1k..512k",
			       what);
	for (bytes = first; bytes <= last; bytes *= 2) {
		rc = size_list_add(list, what, bytes, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int size_list_parse(const char *what, const char *text, uint64_t **sizes,
		    size_t *size_count, struct err *err)
{
	struct size_list list = { 0 };
	char *copy, *rest, *part;
	int rc = 0;

	*sizes = NULL;
	*size_count = 0;
	copy = strdup(text);
	if (!copy)
		return err_set(err, -ENOMEM, "%s", what);
	rest = copy;
	while (!rc && (part = strsep(&rest, ",")))
		rc = size_part_parse(&list, what, part, err);
	free(copy);
	if (rc < 0) {
		free(list.sizes);
		return rc;
	}
	*sizes = list.sizes;
	*size_count = list.count;
	return 0;
}

void size_format(uint64_t bytes, char text[static 24])
{
	size_t i = SUFFIX_COUNT;

	while (--i > 0) { /* not for 'b' */
		unsigned int shift = size_suffixes[i].shift;

		if (bytes && !(bytes & ((UINT64_C(1) << shift) - 1))) {
			snprintf(text, 24, "%" PRIu64 "%c", bytes >> shift,
				 size_suffixes[i].letter);
			return;
		}
	}
	snprintf(text, 24, "%" PRIu64, bytes);
}

/* From the largest: the first that divides is the one to show. */
static const struct {
	const char *name;
	uint64_t ns;
} duration_units[] = {
	{ "h", UINT64_C(3600000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "s", UINT64_C(1000000000) },
	{ "ms", 1000000 },
	{ "us", 1000 },
	{ "ns", 1 },
};

#define DURATION_UNIT_COUNT (sizeof(duration_units) / sizeof(duration_units[0]))

static int duration_unit_parse(const char *text, uint64_t *unit_ns)
{
	size_t i;

	if (!*text)
		text = "s";
	for (i = 0; i < DURATION_UNIT_COUNT; i++)
		if (!strcmp(text, duration_units[i].name)) {
			*unit_ns = duration_units[i].ns;
			return 0;
		}
	return -EINVAL;
}

/*
 * @digit_count digits behind a point. From the last to the first, each step
 * adds a digit and divides by ten; a remainder anywhere would be one at the
 * end. It stays below ten units, however many digits there are.
 *
 * Returns 0, or -EDOM when it is no whole number of nanoseconds.
 */
static int fraction_parse(const char *digits, size_t digit_count,
			  uint64_t unit_ns, uint64_t *ns)
{
	*ns = 0;
	while (digit_count--) {
		*ns += (uint64_t)(digits[digit_count] - '0') * unit_ns;
		if (*ns % 10)
			return -EDOM;
		*ns /= 10;
	}
	return 0;
}

/* Returns 0, -EINVAL for what is no duration, -EDOM, -ERANGE. */
static int duration_read(const char *text, uint64_t *ns)
{
	const char *digits = NULL;
	uint64_t number = 0, unit_ns = 1, fraction_ns;
	size_t digit_count = 0;
	char *end = NULL;
	int number_rc, rc;

	number_rc = digits_parse(text, &end, &number);
	if (number_rc == -EINVAL)
		return number_rc;
	if (*end == '.') {
		digits = end + 1;
		digit_count = strspn(digits, "0123456789");
		if (!digit_count)
			return -EINVAL;
		end += 1 + digit_count;
	}
	rc = duration_unit_parse(end, &unit_ns);
	if (!rc)
		rc = fraction_parse(digits, digit_count, unit_ns, &fraction_ns);
	if (rc)
		return rc;
	if (number_rc || __builtin_mul_overflow(number, unit_ns, ns) ||
	    __builtin_add_overflow(*ns, fraction_ns, ns))
		return -ERANGE;
	return 0;
}

int duration_parse(const char *what, const char *text, uint64_t lowest_ns,
		   uint64_t highest_ns, uint64_t *ns, struct err *err)
{
	char lowest[32], highest[32];
	int rc;

	rc = duration_read(text, ns);
	if (!rc && *ns >= lowest_ns && *ns <= highest_ns)
		return 0;
	*ns = 0;
	if (rc == -EINVAL)
		return err_say(err, rc,
			       "%s: '%s' is not a duration; write seconds, or "
			       "a number with h, m, s, ms, us or ns behind it, "
			       "as in 90s or 1.5m",
			       what, text);
	if (rc == -EDOM)
		return err_say(err, -EINVAL,
			       "%s: '%s' is not a whole number of nanoseconds",
			       what, text);
	duration_format(lowest_ns, lowest);
	duration_format(highest_ns, highest);
	return err_say(err, -ERANGE, "%s: '%s' is not between %s and %s", what,
		       text, lowest, highest);
}

void duration_format(uint64_t ns, char text[static 32])
{
	size_t i = 0;

	if (!ns) {
		snprintf(text, 32, "0s");
		return;
	}
	while (ns % duration_units[i].ns) /* none is left by the last, 1 */
		i++;
	snprintf(text, 32, "%" PRIu64 "%s", ns / duration_units[i].ns,
		 duration_units[i].name);
}

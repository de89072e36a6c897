// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/err.h"
#include "reports/import_csv.h"
#include "reports/metric.h"
#include "tests/unit/memory_file.h"

static int read_csv(const char *text, struct import_table *table,
		    struct err *err)
{
	struct memory_file file = memory_file(text);
	int rc;

	err->text[0] = '\0';
	rc = import_csv_read(file.path, table, err);
	close(file.fd);
	return rc;
}

Test(import_csv, the_heading_says_which_metric_it_is)
{
	static const struct {
		const char *heading;
		enum metric_id metric;
	} cases[] = {
		{ "Blocksize,KBs/sec", METRIC_KBS },
		{ "Blocksize,KB/s", METRIC_KBS },
		{ "Blocksize,%CPU", METRIC_CPU },
		{ "block size,kb/S", METRIC_KBS },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct import_table table;
		struct err err;
		char text[64];

		snprintf(text, sizeof(text), "%s\n1024,7\n", cases[i].heading);
		cr_assert_eq(read_csv(text, &table, &err), 0, "%s", err.text);
		cr_expect_eq(table.metric, &metrics[cases[i].metric], "%s",
			     cases[i].heading);
		import_table_free(&table);
	}
}

Test(import_csv, numbers_are_kept_as_they_were_written)
{
	struct import_table table;
	struct err err;

	cr_assert_eq(read_csv("Blocksize,%CPU\n1024,27.870\n4k,9\n8192,97.6%\n",
			      &table, &err),
		     0, "%s", err.text);
	cr_assert_eq(table.count, 3);
	cr_expect_eq(table.figures[0].block_bytes, 1024);
	cr_expect_str_eq(table.figures[0].text, "27.870");
	cr_expect_eq(table.figures[1].block_bytes, 4096);
	cr_expect_str_eq(table.figures[1].text, "9");
	cr_expect_str_eq(table.figures[2].text, "97.6%");
	import_table_free(&table);
}

Test(import_csv, quotes_blanks_empty_lines_and_crlf_are_tolerated)
{
	struct import_table table;
	struct err err;

	cr_assert_eq(read_csv("\xef\xbb\xbf\r\n\"Blocksize\" , \"KB/s\"\r\n\r\n"
			      " 1024 ,\t\"44083\"\r\n\n\"2048\",5 \n  \n4096,6",
			      &table, &err),
		     0, "%s", err.text);
	cr_assert_eq(table.count, 3);
	cr_expect_str_eq(table.figures[0].text, "44083");
	cr_expect_eq(table.figures[0].line, 4);
	cr_expect_eq(table.figures[1].block_bytes, 2048);
	cr_expect_str_eq(table.figures[1].text, "5");
	cr_expect_str_eq(table.figures[2].text, "6");
	import_table_free(&table);
}

Test(import_csv, each_bad_line_is_told_with_its_number_and_word)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ "Blocksize,IOPS\n1,2\n", ":1: 'IOPS' is no column" },
		{ "Blocksize,IOPS\n1,2\n", "KBs/sec, KB/s and %CPU" },
		{ "KB/s,Blocksize\n1,2\n", ":1: 'KB/s'" },
		{ "1024,44083\n", ":1: '1024'" },
		{ "Blocksize,KB/s\n1024,nan\n", ":2: 'nan'" },
		{ "Blocksize,KB/s\n1024,inf\n", ":2: 'inf'" },
		{ "Blocksize,KB/s\n1024,-5\n", ":2: '-5'" },
		{ "Blocksize,KB/s\n1024,1e999\n", ":2: '1e999'" },
		{ "Blocksize,KB/s\n1024,1e-999\n", "too small a number" },
		{ "Blocksize,KB/s\n1024,5%\n", ":2: '5%' is in percent" },
		{ "Blocksize,%CPU\n1024,1234567890123456789012345\n",
		  ":2: '1234567890123456789012345' is longer" },
		{ "Blocksize,KB/s\n1024,1234567890123456789012345678901234567"
		  "89012345\n",
		  ":2: '1234567890123456789012345678901234567890...' is" },
		{ "Blocksize,KB/s\n1024,0x10\n", ":2: '0x10'" },
		{ "Blocksize,KB/s\n1024,\n", ":2: ''" },
		{ "Blocksize,KB/s\n1024\n", ":2: not two columns" },
		{ "Blocksize,KB/s\n1024,5,6\n", ":2: not two columns" },
		{ "Blocksize,KB/s\n1024,5,\n", ":2: not two columns" },
		{ "Blocksize,KB/s\n\n0,5\n", ":3: '0' is not a block size" },
		{ "Blocksize,KB/s\n2g,5\n", ":2: '2g' is not a block size" },
		{ "Blocksize,KB/s\nx,5\n", ":2: 'x' is not a block size" },
		{ "Blocksize,KB/s\n-1,5\n", ":2: '-1'" },
		{ "Blocksize,KB/s\n1,5\n2,5\n1,6\n",
		  ":4: block size 1 stands in line 2 already" },
		{ "Blocksize,KB/s\n1k,5\n1024,6\n", ":3: block size 1024" },
		{ "Blocksize,KB/s\n\"1024,5\n", ":2: a quote is not closed" },
		{ "Blocksize,KB/s\n\"1024\"x,5\n", ":2: a quote" },
		{ "Blocksize,KB/s\n1024,\"5\"\"6\"\n", ":2: '5\"6'" },
		{ "Blocksize,KB/s\n1024,\x1b[2J\n", ":2: '\\x1b[2J'" },
		{ "Blocksize,KB/s\n", "holds no figures" },
		{ "", "holds no figures" },
		{ "\n\n", "holds no figures" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct import_table table;
		struct err err;

		cr_expect_eq(read_csv(cases[i].text, &table, &err), -EINVAL,
			     "%s", cases[i].text);
		cr_expect(strstr(err.text, cases[i].fault), "'%s' lacks '%s'",
			  err.text, cases[i].fault);
		cr_expect_null(table.figures);
		cr_expect_eq(table.count, 0);
	}
}

Test(import_csv, a_line_with_a_zero_byte_is_no_text)
{
	static const char bytes[] = "Blocksize,KB/s\n1024,5\0006\n";
	struct memory_file file = memory_file_of(bytes, sizeof(bytes) - 1);
	struct import_table table;
	struct err err;

	cr_expect_eq(import_csv_read(file.path, &table, &err), -EINVAL);
	cr_expect(strstr(err.text, ":2: not text"), "%s", err.text);
	close(file.fd);
}

Test(import_csv, a_folder_or_nothing_is_named_with_the_reason)
{
	struct import_table table;
	struct err err;

	cr_expect_eq(import_csv_read("/nonexistent", &table, &err), -ENOENT);
	cr_expect(strstr(err.text, "open /nonexistent"), "%s", err.text);
	cr_expect_eq(import_csv_read("/proc", &table, &err), -EISDIR, "%s",
		     err.text);
	cr_expect(strstr(err.text, "read /proc"), "%s", err.text);
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All shell scripts of the tree pass shellcheck.
set -eu

find . -path ./build -prune -o -name '*.sh' -print | sort |
	xargs shellcheck -x -P tests/support .ci/run

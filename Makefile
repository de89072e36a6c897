# SPDX-License-Identifier: GPL-2.0-or-later
#
# make quickstart   install what is missing, build, compare two settings
# make check        the same installation, build, all tests, all checks
# make fresh        both of the above in a new minimal system (root only)
#
# make all          build $(O)/rawread, its manual pages and completion
# make deps         install what is missing, and nothing else
# make test         unit, command line and system tests of this build
# make race         the race tests (wants SAN=thread)
# make check-format check-layers check-headers check-shell
# make bench        what the loop costs beside a bare one, and fio
# make install      into $(DESTDIR)$(PREFIX)
# make clean
# make help         this
#
# O=build/asan SAN=address,undefined   another build beside the first
# CC=clang WERROR=1 V=1 DEPS=no        compiler, warnings are errors, commands
#                                      shown, nothing is installed

O      ?= build
PREFIX ?= /usr/local
DEPS   ?= yes
CC      = gcc
Q       = $(if $(V),,@)

# Entry targets install packages first, so nothing may be asked of pkg-config
# before: they call make again for the rest.
ENTRY := quickstart check fresh deps clean help
INNER := $(filter-out $(ENTRY),$(or $(MAKECMDGOALS),all))

.DEFAULT_GOAL := all
# Not at once what is made and what is taken away.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

.PHONY: all FORCE $(ENTRY) test unit cli system race bench install doc \
	check-format check-layers check-headers check-shell

quickstart:
	$(Q)[ "$(DEPS)" = no ] || sh doc/deps.sh build
	$(Q)$(MAKE) --no-print-directory -j "$$(nproc)" all
	$(Q)sh doc/quickstart.sh $(O)/rawread

check:
	$(Q)[ "$(DEPS)" = no ] || sh doc/deps.sh build check
	$(Q)sh tests/check.sh

fresh:
	$(Q)sh tests/fresh.sh

deps:
	$(Q)sh doc/deps.sh build check

clean:
	$(Q)rm -rf $(O)

help:
	@awk 'NR < 3 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' \
		$(firstword $(MAKEFILE_LIST))

ifneq ($(INNER),)

PACKAGES := hwloc numa mount blkid smartcols jansson
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align \
	    -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	    -Wformat=2 -Wundef
CFLAGS   ?= -O2 -g
ALL_CFLAGS = -std=gnu17 -D_GNU_SOURCE -pthread -I. -I$(O) \
	     $(WARNINGS) $(if $(WERROR),-Werror) $(CFLAGS) \
	     $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all \
	     -fno-omit-frame-pointer -O1) $(PKG_CFLAGS)
ALL_LDFLAGS = -pthread $(if $(SAN),-fsanitize=$(SAN)) $(LDFLAGS)

# What pkg-config says, asked once a build directory.
$(O)/packages.mk: Makefile
	$(Q)mkdir -p $(@D)
	$(Q)pkg-config --print-errors --exists $(PACKAGES) || \
		{ echo "make: run 'make deps' for what is missing" >&2; exit 1; }
	$(Q){ echo "PKG_CFLAGS := $$(pkg-config --cflags $(PACKAGES))"; \
	      echo "PKG_LIBS := $$(pkg-config --libs $(PACKAGES)) -laio -lm"; } >$@
include $(O)/packages.mk

# How objects are made; it changes only when that does. -Werror makes no other.
FLAGS = $(filter-out -Werror,$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS))
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
FORCE:

SOURCES := $(wildcard lib/*/*.c rawread/*.c sweep/*.c reports/*.c)
HEADERS := $(wildcard lib/*/*.h rawread/*.h sweep/*.h reports/*.h \
	   tests/*/*.h)
OBJECTS := $(SOURCES:%.c=$(O)/obj/%.o)
LIBRARY := $(O)/librawread.a
UNIT    := $(wildcard tests/unit/*.c)
RACE    := $(wildcard tests/race/*.c)
TOOLS   := $(wildcard tests/support/*.c)
FLOOR   := $(wildcard tests/bench/*.c)
PAGES   := $(wildcard doc/*.scd)
MANUAL  := $(PAGES:doc/%.scd=$(O)/man/%)

all: $(O)/rawread doc $(O)/rawread.bash

$(O)/obj/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $<")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIBRARY): $(filter-out %/main.o,$(OBJECTS))
	$(Q)rm -f $@ && ar rcs $@ $^

$(O)/rawread: $(O)/obj/rawread/main.o $(LIBRARY)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

# Unit tests: one program, a re-exec for each test.
$(O)/tests/unit: $(UNIT:%.c=$(O)/obj/%.o) $(LIBRARY)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcriterion

# Race tests and helpers of the tests: a program each.
$(O)/tests/race/%: $(O)/obj/tests/race/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)
$(O)/tests/support/%: $(O)/obj/tests/support/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

.SECONDARY:
HELPERS := $(TOOLS:tests/support/%.c=$(O)/tests/support/%)

test: unit cli system
unit: $(O)/tests/unit
	$(Q)sh tests/run.sh $(O) unit
cli: all $(HELPERS)
	$(Q)sh tests/run.sh $(O) cli
system: all $(HELPERS)
	$(Q)sh tests/run.sh $(O) system
race: $(RACE:tests/race/%.c=$(O)/tests/race/%)
	$(Q)sh tests/run.sh $(O) race

bench: all $(O)/tests/bench/floor
	$(Q)sh tests/bench.sh $(O)
$(O)/tests/bench/floor: $(FLOOR:%.c=$(O)/obj/%.o) $(LIBRARY)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

check-format:
	$(Q)sh tests/tree/format.sh $(SOURCES) $(HEADERS) $(UNIT) $(RACE) $(TOOLS) \
		$(FLOOR)
check-layers:
	$(Q)sh tests/tree/layers.sh
check-headers:
	$(Q)sh tests/tree/headers.sh "$(CC) $(ALL_CFLAGS)" $(HEADERS)
check-shell:
	$(Q)sh tests/tree/shell.sh

# Manual pages; @OPTIONS@ stands for the command's table of options.
doc: $(MANUAL)
$(O)/man/%: doc/%.scd $(O)/rawread doc/options.sh
	@mkdir -p $(@D)
	$(Q)sh doc/options.sh $(O)/rawread <$< >$@.scd
	$(Q)scdoc <$@.scd >$@.tmp && mv $@.tmp $@ && rm $@.scd

$(O)/rawread.bash: $(O)/rawread doc/completion.sh
	$(Q)sh doc/completion.sh $(O)/rawread >$@.tmp && mv $@.tmp $@

install: all
	install -D $(O)/rawread $(DESTDIR)$(PREFIX)/bin/rawread
	$(Q)for page in $(MANUAL); do \
		install -D -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; \
	done
	install -D -m 644 $(O)/rawread.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rawread

-include $(shell find $(O)/obj -name '*.d' 2>/dev/null)

endif

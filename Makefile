# The front door.  `make` leaves build/writ; every target sets up what it needs by itself (tools/setup.sh).
#
#   make            the program and the shipped skills
#   make demo       text from the sample PDF and the sample image, inside the sandbox, and the record of the calls
#   make test       every test under gcc, clang and the sanitizers; as root also as an ordinary user
#   make fuzz       the parsers under libFuzzer, FUZZ_SECONDS each (60)
#   make bench      the table of measurements
#   make install    to DESTDIR and PREFIX (/usr/local, or a folder of yours: PREFIX=$HOME/.local)
#   make uninstall  takes away what make install put there, and nothing else; needs no build
#   make deb        a Debian package in build-deb/
#   make test-deb   installs that in a clean Debian 12 and 13 (root, debootstrap, the network) and takes it away again
#   make test-arm64 builds for arm64 and runs the tests there, under qemu (ARM64_FLAGS=--all: more of them)

CC     := $(if $(filter default undefined,$(origin CC)),cc,$(CC))
PREFIX ?= /usr/local
DESTDIR ?=
BUILD  := build
FUZZ_SECONDS ?= 60
BENCH_ROUNDS ?=
ARM64_FLAGS ?=
PYTHON := python3 -B

# Skills in C ship as source; each is built where it lies, into a file that git ignores; statically where libc allows it,
# for such a program needs nothing of the machine and starts soonest.
SKILL_PROGRAMS := $(patsubst %.c,%,$(wildcard skills/*/main.c))
SKILL_CFLAGS   := -std=gnu17 -O2 -Wall -Wextra

# Recipes take these from their environment: a space or a quote in a path is then only a character.
export CC PREFIX DESTDIR

# Two set-ups at once would both want the package manager; ninja runs in parallel by itself.
.NOTPARALLEL:

all: program $(SKILL_PROGRAMS)

setup-%:
	@tools/setup.sh $*

# A compiler newer than those that the tests run under may warn of something new: no reason to have no program.
program: setup-build
	@tools/configure.sh $(BUILD) --prefix="$$PREFIX" -Dtests=disabled -Dwerror=false
	@[ ! -t 1 ] || ninja -C $(BUILD) -n | grep -q 'no work' || echo "building writ in $(BUILD), which takes a minute"
	@ninja -C $(BUILD) >$(BUILD)/build.log 2>&1 || { cat $(BUILD)/build.log; exit 1; }

$(SKILL_PROGRAMS): %: %.c | setup-build
	@$(CC) $(SKILL_CFLAGS) -static -o $@ $< 2>/dev/null || $(CC) $(SKILL_CFLAGS) -o $@ $<

demo: setup-demo all
	@tools/demo.sh

test: setup-test $(SKILL_PROGRAMS)
	@$(PYTHON) tools/test.py

fuzz: setup-fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) $(PYTHON) tools/fuzz.py

bench: setup-bench all
	@tools/bench.sh

install: program
	@$(PYTHON) tools/install.py install $(BUILD) "$$PREFIX" "$$DESTDIR"

uninstall:
	@$(PYTHON) tools/install.py uninstall "$$PREFIX" "$$DESTDIR"

deb: setup-deb
	@$(PYTHON) tools/deb.py

test-deb: setup-test-deb
	@$(PYTHON) tests/package/deb.py

test-arm64: setup-test-arm64
	@$(PYTHON) tools/arm64.py $(ARM64_FLAGS)

format-check:
	@clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h')

clean:
	@if [ -f $(BUILD)/build.ninja ]; then ninja -C $(BUILD) --quiet clean; fi
	@rm -f $(SKILL_PROGRAMS)

distclean:
	@rm -rf $(BUILD) build-test build-fuzz build-bench build-deb build-arm64 build-roots
	@rm -f $(SKILL_PROGRAMS)

.PHONY: all program demo test fuzz bench install uninstall deb test-deb test-arm64 format-check clean distclean

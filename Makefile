# What people type; meson and ninja do the work.
#
#   make                     build/lockstep
#   make demo                check the programs in examples/ and show what comes out
#   make check               structure, unit tests and a sample of the others, in under a minute
#   make test                all tests; the last line counts them
#   make SAN=address,undefined test      the same with sanitizers and internal checks, in a build directory of its own
#   make test-formats        SARIF logs and witnesses against their formats (needs the network once)
#   make test-html           the HTML report in a browser (needs the network once)
#   make install PREFIX=DIR  (DESTDIR is honoured)
#   make format              clang-format over the .c files; headers are laid out by hand, for their tables and columns
#   make fuzz lockfuzz boolfuzz budgetfuzz mutants csmith bench corpus   long comparisons; see docs/commands.md
#   make clean
#
# The first run installs missing Debian packages (tools/setup); after that nothing is asked of apt again.

SAN    =
PREFIX = /usr/local
DESTDIR =

comma := ,
ifeq ($(SAN),)
B     = build
FLAGS =
else
B     = build-san-$(subst $(comma),-,$(SAN))
FLAGS = -Db_sanitize=$(SAN) -Db_ndebug=false -Db_lundef=false
export ASAN_OPTIONS  ?= detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS ?= halt_on_error=1:print_stacktrace=1
endif
export LOCKSTEP = $(CURDIR)/$B/lockstep
export LOCKSTEP_BUILD = $(CURDIR)/$B

.PHONY: all demo check test test-formats test-html install format clean fuzz lockfuzz boolfuzz budgetfuzz mutants \
        csmith bench corpus setup-build setup-test setup-format setup-html
.NOTPARALLEL:

all: $B/build.ninja
	@ninja -C $B -n | grep -q 'no work to do' || ninja -C $B

setup-build setup-test setup-format setup-html:
	@tools/setup $(@:setup-%=%)

$B/build.ninja: | setup-build
	meson setup $(FLAGS) $B

demo: all
	@tools/demo

# For the inner loop: all of structure and unit, about one in SAMPLE of the end-to-end tests.
SAMPLE = 20
check: setup-test all
	@ninja -C $B -n unit-tests | grep -q 'no work to do' || ninja -C $B unit-tests
	@tests/run --sample $(SAMPLE)

test: setup-test all
	@ninja -C $B -n unit-tests | grep -q 'no work to do' || ninja -C $B unit-tests
	@tests/run

# The files that other tools read, against the official schemas; fetches one of them.
test-formats: setup-test all
	@tests/formats/run

# The HTML report in a browser; fetches a package that drives it.  SHOTS=DIR: saves pictures there
test-html: setup-html all
	@tests/html/run

install: all
	@meson configure $B -Dprefix=$(abspath $(PREFIX))
	@DESTDIR=$(DESTDIR) meson install -C $B

format: setup-format
	@find src tools models -name '*.c' -exec clang-format -i {} +

# Random threaded programs: search against many random runs.
# SEEDS=from-to; ARGS=--reductions=LIST: reductions against the full search
fuzz: all
	@tools/fuzz-run $(SEEDS) $(ARGS)

# Random programs of locks and threads: the lock analysis against the search.  SEEDS=from-to (1-2000)
lockfuzz: all
	@tools/lockfuzz-run $(SEEDS) $(ARGS)

# Random Boolean programs: the configurations of the engine boolean against an enumeration of their states.
# SEEDS=from-to (1-500)
empty :=
BOOLEAN_ENGINES = $(subst $(empty) $(empty),$(comma),explicit boolean/off/inputs/plain boolean/off/state/both/plain \
  boolean/clauses/inputs/both boolean/decide boolean/decide/state/depqbf)
boolfuzz: all
	@tools/boolfuzz-run $(SEEDS) --engines $(BOOLEAN_ENGINES) $(ARGS)

# What limits, signals, killed workers and full disks do to answers: programs of known answer.  SEEDS=from-to
budgetfuzz: all
	@tools/budgetfuzz-run $(SEEDS) $(ARGS)

# Damaged input files of every kind: an answer for each, no crash, no hang.
# SEEDS=from-to (1-1000) of each kind, ARGS=--kinds=LIST; best with SAN=address,undefined
mutants: all
	@ninja -C $B lockstep-server >/dev/null
	@tools/mutate-run --server $B/lockstep-server $(SEEDS) $(ARGS)

# Sequential programs, csmith's and our own: native run against `lockstep run`.  SEEDS=from-to
csmith: setup-test all
	@tools/native-run $(SEEDS)

# BENCH=explicit-vs-spin, growth, lazy-growth, ...: docs/commands.md lists them.  ARGS go to the bench.
BENCH = explicit-vs-spin
bench: setup-test all
	@bench/$(BENCH)/run $(ARGS)

# The corpus of verification tasks lies outside the repository; SCORE names its runner.
SCORE = ../shared/score
corpus: all
	@if [ -x $(SCORE) ]; then $(SCORE) --bin $(LOCKSTEP) $(ARGS); \
	 else echo "make corpus: there is no $(SCORE); name a runner with SCORE=..." >&2; exit 1; fi

clean:
	rm -rf build build-*

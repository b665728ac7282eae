"""A few seeds of each random comparison; `make csmith` and `make fuzz` run many more.

The drivers in tools/ end with `N passed, N failed, N skipped` and print `FAILED name: what`, followed by indented
lines."""
import os
import re

from . import common

NATIVE = ["--csmith", "1", "10", "--seqfuzz", "1", "60"]
FUZZ = ["1-200", "--runs", "100", "--timeout", "10"]
CIRCUIT = ["1-6", "--runs", "0", "--timeout", "4", "--engines", "circuit/stubborn,circuit/lock-patterns",
           "--properties", "assert+race", "--features", "locks"]
BOOLFUZZ = ["1-40", "--states", "1500", "--engines", "explicit,auto,boolean/off/state/both/plain,boolean/decide"]
BOOLTHREADS = ["1-25", "--shape", "threads", "--max-threads", "4", "--states", "2500",
               "--engines", "explicit,boolean/off/plain,boolean/decide"]
LOCKFUZZ = ["1-60", "--pairs", "3", "--timeout", "10"]
BUDGETFUZZ = ["1-40"]
UNINITFUZZ = ["1-30"]
MUTANTS = ["1-24"]
TIME_LIMIT = 400


def fewer(arguments, one_in):
    """The same arguments with ranges of seeds, `1-200` or `1 200`, that are this many times shorter."""
    def shorten(match):
        return "1" + match[1] + str(max(1, int(match[2]) // one_in))
    return re.sub(r"(?<![\w-])1([- ])(\d+)\b", shorten, " ".join(arguments)).split(" ")


def drive(results, tool, arguments, options, most_skipped=1 / 3):
    command = [os.path.join(common.ROOT, "tools", tool), "-q", "-j", str(options.jobs)]
    command += fewer(arguments, options.sample)
    if options.sample > 1:  # of so few seeds all may be hard
        most_skipped = 1
    outcome = common.run(command, TIME_LIMIT, env={"LOCKSTEP": common.LOCKSTEP})
    counts = re.search(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", outcome.out, re.M)
    for failure in re.findall(r"^FAILED (.*(?:\n  .*)*)", outcome.out, re.M):
        results.fail(tool, failure)
    if not counts:
        results.fail(tool, "exit %s\n%s%s" % (outcome.code, outcome.out, outcome.err), command)
        return
    results.ok(int(counts[1]))
    # If most seeds were skipped, the comparison is worth nothing.
    tried = sum(int(counts[i]) for i in (1, 2, 3))
    results.check(tool + ": skipped", "" if int(counts[3]) <= most_skipped * tried else outcome.out, command)


def run_native(results, options):
    drive(results, "native-run", NATIVE, options)
    drive(results, "uninitfuzz-run", UNINITFUZZ, options)


def run_fuzz(results, options):
    drive(results, "fuzz-run", FUZZ, options)
    # Most circuits need more time than there is here; the answers that there are must agree.
    drive(results, "fuzz-run", CIRCUIT, options, most_skipped=1)
    drive(results, "lockfuzz-run", LOCKFUZZ, options)
    drive(results, "budgetfuzz-run", BUDGETFUZZ, options)
    drive(results, "mutate-run", MUTANTS, options)
    drive(results, "boolfuzz-run", BOOLFUZZ, options)
    drive(results, "boolfuzz-run", BOOLTHREADS, options)

"""A row under other reductions: the same answer and violated goals as its search without one; under other engines: no
contradiction."""
import os
import sys

from . import common

sys.path.insert(0, os.path.join(common.ROOT, "tools"))
from fuzz.violation import describe, difference, violations

# Right movers do not preserve deadlocks (TXN section 7): of this reduction nothing is asked about them.
BLIND_TO_DEADLOCK = ("transactions",)
# These engines may answer "unknown"; any other answer must be the row's.
ENGINES = ("order",)
ENGINE_SECONDS = 1
# On Boolean programs this engine always has an answer, in each of its configurations.
BOOLEAN = [["--por=decide", "--qbf=both"], ["--por=clauses", "--qbf-form=state"],
           ["--por=off", "--qbf-form=inputs", "--parameters=plain"]]


def is_engine(reduction):
    return reduction == "boolean" or reduction in ENGINES


def searches(reduction, options):
    """What to add to a row's options.  The default order runs random executions before the search, which could
    find what the reduction misses; so the reduction is also tried with --search=bfs."""
    if reduction == "boolean":
        return [["--engine=boolean", "--exhaustive"] + way for way in BOOLEAN]
    if reduction in ENGINES:
        return [["--engine=" + reduction, "--timeout=%d" % ENGINE_SECONDS]]
    extra = ["--reduction=" + reduction]
    if any(o.startswith(("--search", "--depth", "--bitstate")) for o in options):
        return [extra]
    return [extra] * (reduction == "auto") + [extra + ["--search=bfs"]]


def without_deadlock(found):
    return {v for v in found if v.property != "deadlock"}


def contradictions(full, other):
    """The statements of another engine's report that contradict the search, one line each."""
    verdicts = {full["verdict"], other["verdict"]}
    if verdicts == {"safe", "bug"}:
        return ["says %s, the search says %s" % (other["verdict"], full["verdict"])]
    _, added = difference(violations(full), violations(other))
    is_complete = full["verdict"] in ("safe", "bug") and not full.get("reason")
    return ["finds more: " + describe(added)] * (bool(added) and is_complete)


def disagreements(reduction, full, reduced):
    """What is wrong with the report of a reduced search or of another engine, one line each."""
    if reduction == "boolean":
        differs = reduced["verdict"] != full["verdict"]
        difference_text = "says %s, the search says %s" % (reduced["verdict"], full["verdict"])
        return contradictions(full, reduced) or [difference_text] * differs
    if reduction in ENGINES:
        return contradictions(full, reduced)
    expected, found = violations(full), violations(reduced)
    allowed = {full["verdict"]}
    if reduction in BLIND_TO_DEADLOCK and any(g["property"] == "deadlock" for g in full["goals"]):
        expected, found = without_deadlock(expected), without_deadlock(found)
        if not expected:
            allowed.add("unknown")
    met_memory_error = full["verdict"] == "unknown" and "memory error" in (full.get("reason") or "")
    if met_memory_error and any("memory error" in a for a in reduced["assumptions"]):
        allowed.add("safe")  # memory errors were not asked for, and auto says that it did not look for them
    if reduced["verdict"] not in allowed:
        return ["says %s (%s), without reduction it is %s"
                % (reduced["verdict"], reduced.get("reason") or "no reason given", full["verdict"])]
    missed, added = difference(expected, found)
    return ["does not find " + describe(missed)] * bool(missed) + ["finds more: " + describe(added)] * bool(added)

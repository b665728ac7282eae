"""A row under other reductions: the same answer, and the same violated goals, as its search without one; and under other engines: no contradiction."""
import os
import sys

from . import common

sys.path.insert(0, os.path.join(common.ROOT, "tools"))
from fuzz.violation import describe, difference, violations

# Right movers do not preserve deadlocks (TXN section 7): of this reduction nothing is asked about them.
BLIND_TO_DEADLOCK = ("transactions",)
# They may not know the answer, but if they do it is the same.
ENGINES = ("order",)
ENGINE_SECONDS = 1
# Of Boolean programs this engine knows everything, whichever way it works.
BOOLEAN = [["--por=decide", "--qbf=both"], ["--por=clauses", "--qbf-form=state"], ["--por=off", "--qbf-form=inputs", "--parameters=plain"]]


def is_engine(reduction):
    return reduction == "boolean" or reduction in ENGINES


def searches(reduction, options):
    """What to add to a row's options.  Random runs before the search, which only the default order has, could find what the reduction misses."""
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
    """What the report of another engine says that the search denies, one line each."""
    verdicts = {full["verdict"], other["verdict"]}
    if verdicts == {"safe", "bug"}:
        return ["says %s, the search says %s" % (other["verdict"], full["verdict"])]
    _, added = difference(violations(full), violations(other))
    return ["finds more: " + describe(added)] * (bool(added) and full["verdict"] in ("safe", "bug") and not full.get("reason"))


def disagreements(reduction, full, reduced):
    """What is wrong with the report of a reduced search or of another engine, one line each."""
    if reduction == "boolean":
        differs = reduced["verdict"] != full["verdict"]
        return contradictions(full, reduced) or ["says %s, the search says %s" % (reduced["verdict"], full["verdict"])] * differs
    if reduction in ENGINES:
        return contradictions(full, reduced)
    expected, found = violations(full), violations(reduced)
    allowed = {full["verdict"]}
    if reduction in BLIND_TO_DEADLOCK and any(g["property"] == "deadlock" for g in full["goals"]):
        expected, found = without_deadlock(expected), without_deadlock(found)
        if not expected:
            allowed.add("unknown")
    if full["verdict"] == "unknown" and "memory error" in (full.get("reason") or "") and any("memory error" in a for a in reduced["assumptions"]):
        allowed.add("safe")  # nobody asked for memory errors, and auto says that it did not look for them
    if reduced["verdict"] not in allowed:
        return ["says %s (%s), without reduction it is %s"
                % (reduced["verdict"], reduced.get("reason") or "no reason given", full["verdict"])]
    missed, added = difference(expected, found)
    return ["does not find " + describe(missed)] * bool(missed) + ["finds more: " + describe(added)] * bool(added)

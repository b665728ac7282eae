"""What a report says was violated, in a form that two reports can be compared by."""
from collections import Counter, namedtuple


class Violation(namedtuple("Violation", "property lines others")):
    """A property, the lines where the threads stand, and the lines of the locations that only explain (where an
    object was freed)."""

    @staticmethod
    def of(goal):
        lines = [place["line"] for place in goal["locations"]]
        threads = {"race": 2, "deadlock": len(lines)}.get(goal["property"], 1)
        return Violation(goal["property"], tuple(sorted(lines[:threads])), tuple(sorted(lines[threads:])))

    def same_place(self, other):
        """A report tells each place of failure once, and two frees of one object once, whichever comes second."""
        return self.property == other.property and (
            self.lines == other.lines or sorted(self.lines + self.others) == sorted(other.lines + other.others))

    def found_as(self, other):
        """Does the search's violation `other` account for this one of a run?

        The search looks where all threads stand before visible steps, a run at every step: there, a thread on its
        way to where it will be stuck too is not yet part of the deadlock.  So a deadlock counts as found with more
        threads in it."""
        if self.property == other.property == "deadlock":
            return not Counter(self.lines) - Counter(other.lines)
        return self.same_place(other)


def violations(report):
    return {Violation.of(goal) for goal in report["goals"] if goal["status"] == "violated"}


def difference(reference, reduced):
    """What one of two complete searches found and the other did not, as (missed, added) by the second.

    A reduced search sees fewer states, but must find the same failures.  Only of deadlocks it may tell others: it
    need not stop by the state where the first threads are stuck, only by one where they still are, with more of
    them.  So for deadlocks only whether there is one counts; that each one told is true, the interpreter has
    confirmed."""
    def only_in(some, others):
        return {v for v in some if not any(
            w.property == "deadlock" if v.property == "deadlock" else v.same_place(w) for w in others)}

    return only_in(reference, reduced), only_in(reduced, reference)


def describe(some):
    return "; ".join(f"{v.property} at {', '.join(f'line {n}' for n in v.lines)}" for v in sorted(some))

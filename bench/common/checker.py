"""One `lockstep check`, measured: what the benches share."""
import json
import time
from collections import namedtuple

from fuzz.driver import execute

REDUCTIONS = ["none", "left-movers", "transactions", "stubborn", "lock-patterns", "auto"]
VERDICT_OF_CODE = {0: "safe", 10: "bug", 11: "bounded", 5: "unknown"}
GRACE = 20  # seconds a run may take longer than its time limit before it is ended from outside


class Unavailable(Exception):
    """This program does not know the reduction (or not for such a task)."""


class Judged:
    """What verdict and reason of a run say.  The verdict `error`: there is no report."""

    @property
    def answered(self):
        return self.verdict in ("safe", "bug", "bounded")

    @property
    def complete(self):
        """Everything there is was searched: the bugs found are all there are."""
        return self.verdict in ("safe", "bug") and not self.reason

    @property
    def finished(self):
        """The search came to its end, perhaps within bounds: its states can be counted."""
        return self.complete or self.verdict == "bounded"

    @property
    def failed(self):
        """lockstep itself went wrong."""
        return self.verdict == "error" or (self.reason or "").startswith("internal error")


class Answer(Judged, namedtuple("Answer", "verdict reason states transitions seconds whole report")):
    """seconds: of the explicit search; whole: of the process, with clang and translation."""


def ask(lockstep, seconds, options, source):
    """One check with these options."""
    command = [lockstep, "check", "--stats", "--json=-", f"--timeout={seconds}", *options, source]
    start = time.monotonic()
    done = execute(command, seconds + GRACE)
    whole = time.monotonic() - start
    error = done.err.decode(errors="replace").strip()
    if done.code == 1 and "reduction" in error:
        raise Unavailable(error.splitlines()[-1])
    try:
        report = json.loads(done.out)
    except ValueError:
        report = None
    if report is None or VERDICT_OF_CODE.get(done.code) != report["verdict"]:
        words = error.splitlines()[-1:] or ["nothing on standard error"]
        return Answer("error",
                      "took longer than its --timeout"
                      if done.code is None else f"exit code {done.code}: {words[0][:160]}",
                      None, None, None, whole, None)
    stats = report["stats"]
    return Answer(report["verdict"], report["reason"], int(stats.get("states", 0)), int(stats.get("transitions", 0)),
                  stats.get("search_ms", 0) / 1000, whole, report)


def check(lockstep, reduction, seconds, options, source):
    return ask(lockstep, seconds, ["--engine=explicit", f"--reduction={reduction}", "--exhaustive", *options], source)

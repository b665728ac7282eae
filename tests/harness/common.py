"""What all parts of the test runner share: where things are, running a command, sampling, counting results."""
import hashlib
import os
import shlex
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LOCKSTEP_BUILD", os.path.join(ROOT, "build"))
LOCKSTEP = os.environ.get("LOCKSTEP", os.path.join(BUILD, "lockstep"))


def relative(path):
    """The path as a user in the root of the repository writes it."""
    return os.path.relpath(path, ROOT)


def show(command):
    """A command to paste into a shell whose directory is the root of the repository."""
    words = [relative(w) if w.startswith(ROOT + os.sep) else w for w in command]
    return " ".join(shlex.quote(w) for w in words)


def sample(items, one_in, name, group):
    """About one in `one_in` of the items, in their order, and at least one of each group; all of them if `one_in` is 1.

    name (item) and group (item) are strings.  In each group the items whose names have the smallest hashes are
    taken, so the choice is the same in every run, and adding or removing an item changes little of it."""
    if one_in <= 1:
        return items
    groups = {}
    for item in items:
        groups.setdefault(group(item), []).append(item)
    chosen = set()
    for members in groups.values():
        ranked = sorted(members, key=lambda item: hashlib.sha256(name(item).encode()).hexdigest())
        chosen.update(name(item) for item in ranked[:-(-len(members) // one_in)])
    return [item for item in items if name(item) in chosen]


class Outcome:
    """How a command ended.  `code` is None when it was killed after its time."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


def run(command, timeout, env=None):
    """Runs the command in the root of the repository, in its own session, so that a timeout ends its children too."""
    start = time.monotonic()
    environment = dict(os.environ, **(env or {}))
    try:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        return Outcome(127, "", "cannot be started: %s" % error, 0)
    try:
        out, err = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    return Outcome(code, out.decode("utf8", "replace"), err.decode("utf8", "replace"), time.monotonic() - start)


class Results:
    """Counts of one part of the tests; a failure is printed at once, with the command that repeats it."""

    def __init__(self, part):
        self.part, self.passed, self.failed, self.known, self.skipped = part, 0, 0, 0, 0
        self.start = time.monotonic()

    def ok(self, count=1):
        self.passed += count

    def skip(self, count):
        """Counts tests that need a program which this machine lacks (tools/setup installs what Debian has)."""
        self.skipped += count

    def fail(self, name, detail="", command=None):
        self.failed += 1
        print("FAIL %s: %s" % (self.part, name))
        for line in detail.rstrip().splitlines()[-30:]:
            print("     " + line)
        if command:
            print("     again: " + show(command))
        sys.stdout.flush()

    def check(self, name, problem, command=None):
        """`problem` is an empty string if the test passed."""
        if problem:
            self.fail(name, problem, command)
        else:
            self.ok()

    def summary(self):
        known = ", %d known bugs" % self.known if self.known else ""
        skipped = ", %d skipped" % self.skipped if self.skipped else ""
        print("%-10s %5d passed, %d failed%s%s (%.1f s)"
              % (self.part, self.passed, self.failed, skipped, known, time.monotonic() - self.start))
        sys.stdout.flush()

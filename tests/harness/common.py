"""What all parts of the test runner share: where things are, running a command, counting results."""
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
    """The path as somebody standing in the repository would write it."""
    return os.path.relpath(path, ROOT)


def show(command):
    """A command to paste into a shell that stands in the repository."""
    words = [relative(w) if w.startswith(ROOT + os.sep) else w for w in command]
    return " ".join(shlex.quote(w) for w in words)


class Outcome:
    """How a command ended.  `code` is None when it was killed after its time."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


def run(command, timeout, env=None):
    """Runs in the repository, in a session of its own, so that a timeout ends all children too."""
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
    """Counts of one part of the tests; a failure is printed at once, with what to type to see it again."""

    def __init__(self, part):
        self.part, self.passed, self.failed, self.known, self.skipped = part, 0, 0, 0, 0
        self.start = time.monotonic()

    def ok(self, count=1):
        self.passed += count

    def skip(self, count):
        """They need what is not on this machine (tools/setup installs what Debian has)."""
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
        """`problem` is an empty string if all is well."""
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

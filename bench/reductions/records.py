"""The file of results: one line per task, property and reduction, appended as runs end, read again by the next run."""
import json
from collections import namedtuple

from common.checker import Judged
from fuzz.violation import Violation, violations

COLUMNS = "task property reduction verdict reason states transitions seconds whole_seconds violations"


class Record(Judged, namedtuple("Record", COLUMNS)):
    """One run.  The verdict `unavailable`: there is no such reduction, or not for this task."""

    @staticmethod
    def of(task, property, reduction, answer):
        return Record(task, property, reduction, answer.verdict, answer.reason or "", answer.states, answer.transitions,
                      answer.seconds,
                      round(answer.whole, 3), frozenset(violations(answer.report)) if answer.report else frozenset())

    @staticmethod
    def unavailable(task, property, reduction, why):
        return Record(task, property, reduction, "unavailable", why, None, None, None, 0.0, frozenset())

    @staticmethod
    def parse(line):
        """The record of a line, or None if it was cut off."""
        words = line.rstrip("\n").split("\t")
        if not line.endswith("\n") or len(words) != len(Record._fields):
            return None
        states, transitions, seconds, whole, found = (json.loads(word) for word in words[5:])
        return Record(*words[:5], states, transitions, seconds, whole,
                      frozenset(Violation(p, tuple(a), tuple(b)) for p, a, b in found))

    def line(self):
        words = [str(word).replace("\t", " ").replace("\n", " ") for word in self[:5]]
        return "\t".join(words + [json.dumps(word) for word in (*self[5:9], sorted(self.violations))]) + "\n"


class Records:
    def __init__(self, path):
        self.path, self.all = path, {}

    def __enter__(self):
        whole_lines = self.read()
        self.file = open(self.path, "a" if whole_lines else "w")
        if not whole_lines:
            self.file.write("\t".join(Record._fields) + "\n")
        return self

    def __exit__(self, *_):
        self.file.close()

    def read(self):
        """False if there is nothing to append to.  A line cut off at the end is cleared away."""
        if not self.path.exists():
            return False
        text = self.path.read_text()
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            self.path.write_text("".join(lines[:-1]))
        for line in lines[1:]:
            record = Record.parse(line)
            if record:
                self.remember(record)
        return bool(lines)

    def remember(self, record):
        self.all[record.task, record.property, record.reduction] = record

    def add(self, record):
        self.remember(record)
        self.file.write(record.line())
        self.file.flush()

    def find(self, task, reduction):
        return self.all.get((task.id, task.property, reduction))

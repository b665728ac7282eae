"""What the results say: agreement with the search without reduction, and how many times fewer states and seconds."""
import math
import statistics
from collections import Counter

from common import svg
from fuzz.violation import describe, difference

SHORTEST = 0.01   # seconds: below, times of `none` are noise
BAR = 50          # characters of the longest bar


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


class Comparison:
    """One reduction beside `none` on all tasks that both were asked about."""

    def __init__(self, reduction, pairs):
        self.reduction = reduction
        self.pairs = pairs                   # [(task, record of none, record of the reduction)]
        self.wrong, self.warnings = [], []   # lines to print
        self.agree = self.lost = self.gained = 0
        for task, full, reduced in pairs:
            self.compare(f"{task.id} {task.property}", full, reduced)
        self.ratios = [full.states / max(reduced.states, 1) for _, full,
                       reduced in pairs if full.finished and reduced.finished and full.states]
        self.time_ratios = [full.seconds / max(reduced.seconds, 0.001) for _, full, reduced in pairs
                            if full.finished and reduced.finished and full.seconds >= SHORTEST]

    def compare(self, name, full, reduced):
        if reduced.failed:
            self.wrong.append(f"{name}: {self.reduction}: {reduced.reason}")
        elif reduced.answered and not full.answered:
            self.gained += 1
        elif full.answered and not reduced.answered:
            self.lost += 1
            if not reduced.reason.startswith(("time limit", "memory limit", "out of memory")):
                self.warnings.append(f"{name}: none says {full.verdict}, {self.reduction} {reduced.verdict} "
                                     f"({reduced.reason})")
        elif full.answered and full.verdict != reduced.verdict:
            self.wrong.append(f"{name}: none says {full.verdict}, {self.reduction} {reduced.verdict}")
        elif full.answered:
            self.agree += 1
            self.compare_bugs(name, full, reduced)

    def compare_bugs(self, name, full, reduced):
        if not full.complete or not reduced.complete:
            return
        missed, added = difference(full.violations, reduced.violations)
        if missed:
            self.warnings.append(f"{name}: {self.reduction} does not report {describe(missed)}")
        if added:
            self.warnings.append(f"{name}: only {self.reduction} reports {describe(added)}")

    def histogram(self):
        """[(k, how many ratios lie in 2^k .. 2^(k+1))] without gaps."""
        counts = Counter(math.floor(math.log2(ratio)) for ratio in self.ratios)
        return [(k, counts[k]) for k in range(min(counts), max(counts) + 1)] if counts else []

    def row(self):
        cells = [len(self.pairs), self.agree, len(self.wrong), self.lost, self.gained, len(self.ratios)]
        text = f"{self.reduction:16}" + "".join(f"{cell:>9}" for cell in cells)
        if len(self.ratios) >= 2:
            low, middle, high = statistics.quantiles(self.ratios, n=4, method="inclusive")
            values = [geometric_mean(self.ratios), min(self.ratios), low, middle, high, max(self.ratios)]
            text += "".join(f"{value:>9.2f}" for value in values)
            text += f"{geometric_mean(self.time_ratios):>9.2f} ({len(self.time_ratios)})" if self.time_ratios else ""
        return text


def print_tasks(tasks, reductions, records):
    print(f"{'states of none, and how many times fewer under':64}{'none':>10}"
          + "".join(f"{name:>14}" for name in reductions[1:]))
    for task in tasks:
        found = [records.find(task, reduction) for reduction in reductions]
        full = found[0]
        if not full or not full.finished:
            continue
        cells = [f"{full.states / max(one.states, 1):.2f}" if one and one.finished else "-" for one in found[1:]]
        print(f"{task.id + ' ' + task.property:64}{full.states:>10}" + "".join(f"{cell:>14}" for cell in cells))
    print()


def print_histogram(comparison):
    bars = comparison.histogram()
    if not bars:
        return
    print(f"{comparison.reduction}: tasks by states(none) / states({comparison.reduction})")
    highest = max(count for _, count in bars)
    for k, count in bars:
        print(f"  2^{k:<3} {count:>6} {'#' * math.ceil(count / highest * BAR)}")
    print()


def report(tasks, reductions, records, picture):
    """Prints everything; false if a verdict differs or lockstep failed."""
    print_tasks(tasks, reductions, records)
    full = [records.find(task, "none") for task in tasks]
    known = [record for record in full if record]
    broken = [f"{record.task} {record.property}: none: {record.reason}" for record in known if record.failed]
    print(f"{len(tasks)} tasks; without reduction {sum(record.answered for record in known)} of {len(known)} are "
          f"answered, "
          f"{sum(record.finished for record in known)} searched to the end")
    comparisons = [Comparison(reduction, [(task, one, other) for task, one in zip(tasks, full) if one and not one.failed
                                          for other in [records.find(task, reduction)] if other
                                          and other.verdict != "unavailable"])
                   for reduction in reductions[1:]]
    if comparisons:
        print("lost: only none answers; gained: only the reduction does; time: ratio of the searches, where none takes "
              "at least "
              f"{SHORTEST} s (how many)\n")
        print(f"{'':16}{'':45}{'':9}{'states(none) / states':^54}")
        heads = ["tasks", "agree", "WRONG", "lost", "gained", "compared", "geomean", "least", "quart 1", "median",
                 "quart 3", "most", "time"]
        print(f"{'':16}" + "".join(f"{head:>9}" for head in heads))
    for comparison in comparisons:
        print(comparison.row())
    print()
    for comparison in comparisons:
        print_histogram(comparison)
    svg.write(picture,
              [svg.bar_panel(f"{one.reduction}: {len(one.ratios)} tasks", "states(none) / states, from 2^k to 2^(k+1)",
                                      [(f"2^{k}" if k else "1", count) for k, count in one.histogram()], "#0050b0")
                                      for one in comparisons], 2)
    wrong = broken + [line for one in comparisons for line in one.wrong]
    for line in [line for one in comparisons for line in one.warnings]:
        print(f"warning: {line}")
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(wrong)} wrong, {sum(len(one.warnings) for one in comparisons)} warnings")
    return not wrong

"""What the answers say: how many each tool gives, how many are wrong, and how long it takes where all of them are
right."""
import math

SHORTEST = 0.01   # seconds: what is shorter counts as this


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def count(rows, outcome, truth=None):
    return sum(row.outcome == outcome and truth in (None, row.truth) for row in rows)


class Table:
    """One property: all tools that were asked about it."""

    def __init__(self, title, tasks, rows):
        self.title, self.tasks = title, {(task.id, task.property) for task in tasks}
        self.tools = {}
        for row in rows:
            if (row.task, row.property) in self.tasks:
                self.tools.setdefault(row.tool, {})[row.task, row.property] = row

    def solved_by_all(self, tools):
        return [key for key in self.tasks
                if all(key in self.tools[tool] and self.tools[tool][key].outcome == "correct" for tool in tools)]

    def mean(self, tool, keys):
        return geometric_mean([max(self.tools[tool][key].seconds, SHORTEST) for key in keys]) if keys else math.nan

    def print(self):
        common = self.solved_by_all(self.tools)
        print(f"{self.title}: {len(self.tasks)} tasks, {len(common)} solved by all")
        heads = ["asked", "solved", "safe", "bug", "WRONG", "failed", "mean (s)"]
        print(f"{'':20}" + "".join(f"{head:>10}" for head in heads)
              + "  mean of the tasks both solve: its, and of each lockstep")
        for tool, answers in self.tools.items():
            rows = list(answers.values())
            cells = [len(rows), count(rows, "correct"), count(rows, "correct", "safe"), count(rows, "correct", "bug"),
                     count(rows, "WRONG"), count(rows, "error")]
            print(f"{tool:20}" + "".join(f"{cell:>10}" for cell in cells) + f"{self.mean(tool, common):>10.2f}"
                  + self.pairs(tool))
        print()

    def pairs(self, tool):
        """This tool beside each lockstep."""
        if tool.startswith("lockstep"):
            return ""
        texts = []
        for ours in [name for name in self.tools if name.startswith("lockstep")]:
            both = self.solved_by_all([tool, ours])
            texts.append(f"  {ours.split()[1]}: {self.mean(tool, both):.2f} and {self.mean(ours, both):.2f} "
                         f"({len(both)})")
        return "".join(texts)


def report(tasks, anchors, ours):
    """Prints everything; false if lockstep is wrong or failed."""
    chosen = {(task.id, task.property) for task in tasks}
    ours = [row for row in ours if (row.task, row.property) in chosen]
    for name in dict.fromkeys(task.property for task in tasks):
        Table(name, [task for task in tasks if task.property == name], anchors + ours).print()
    bad = [row for row in ours if row.outcome in ("WRONG", "error")]
    for row in bad:
        print(f"{row.outcome}: {row.tool}: {row.task} {row.property}: {row.answer}, in truth {row.truth}")
    return not bad

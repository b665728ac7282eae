"""The rows of tests/tasks.txt: parsing, running, comparing, rewriting the counts."""
import concurrent.futures
import json
import os
import re
import shlex
import tempfile

from . import agreement, common

TABLE = os.path.join(common.ROOT, "tests", "tasks.txt")
EXIT_CODES = {"safe": 0, "bug": 10, "bounded": 11, "unknown": 5}
LAST_LINE = {"safe": "VERDICT: SAFE", "bug": "VERDICT: BUG", "bounded": "VERDICT: NO BUG WITHIN BOUNDS",
             "unknown": "VERDICT: UNKNOWN"}
CHECKS = ("states", "transitions", "goals", "says", "at", "known-bug", "seconds", "also")
TIME_LIMIT = 60


class Row:
    def __init__(self, line_number, text, shorthands):
        self.line_number, self.text = line_number, text
        words = shlex.split(text)
        if len(words) < 3:
            raise ValueError("a row has a program, a property and an answer")
        self.programs, self.property, self.expected = words[0].split(","), words[1], words[2]
        if self.expected not in EXIT_CODES:
            raise ValueError("the answer is one of %s, not %r" % (", ".join(EXIT_CODES), self.expected))
        self.options, self.checks = [], {}
        self.take(words[3:], shorthands)
        for program in self.programs:
            if not os.path.exists(os.path.join(common.ROOT, program)):
                raise ValueError("there is no " + program)

    def take(self, words, shorthands):
        for word in words:
            key = word.split("=", 1)[0]
            if word.startswith("@"):
                if word[1:] not in shorthands:
                    raise ValueError("no shorthand %s is defined above" % word)
                self.take(shorthands[word[1:]], {})
            elif key in CHECKS and "=" in word:
                self.checks[key] = word.split("=", 1)[1]
            elif word.startswith("-"):
                self.options.append(word)
            else:
                raise ValueError("%r is neither an option nor one of %s" % (word, " ".join(c + "=" for c in CHECKS)))

    def also(self):
        """The reductions under which the answer must be the same."""
        return [r for r in self.checks.get("also", "").split(",") if r]

    def engine(self):
        """The engine that the row names, or the formula that chooses one."""
        named = [o.split("=", 1)[0 if o.startswith("--ltl") else 1] for o in self.options
                 if o.startswith(("--engine=", "--ltl="))]
        return " ".join(sorted(named)) or "auto"

    def name(self):
        return "%s %s (tasks.txt:%d)" % (",".join(self.programs), self.property, self.line_number)

    def command(self, report, extra=()):
        flags = self.options[self.options.index("--"):] if "--" in self.options else []
        options = self.options[:len(self.options) - len(flags)]
        if any(e.startswith("--engine=") for e in extra):  # another engine than the row's refuses these
            options = [o for o in options if not o.startswith(("--reduction", "--search", "--exhaustive", "-j"))]
        if not self.programs[0].endswith(".bp"):  # on C programs the engine boolean is exhaustive anyway
            extra = [e for e in extra if e != "--exhaustive" or "--engine=boolean" not in extra]
        asked = any(o.startswith(("--ltl=", "--reach-pair=")) for o in options)  # asked instead of a property
        return ([common.LOCKSTEP, "check", "--json=" + report, "--timeout=%d" % TIME_LIMIT]
                + ([] if asked else ["--property=" + self.property]) + options + list(extra) + self.programs + flags)


def parse(problems):
    """All rows; what is wrong with the table goes into `problems`."""
    rows, shorthands, seen = [], {}, {}
    with open(TABLE) as table:
        for number, line in enumerate(table, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                if text.startswith("define "):
                    words = shlex.split(text)
                    shorthands[words[1]] = words[2:]
                    continue
                row = Row(number, text, shorthands)
                key = (tuple(row.programs), row.property, tuple(row.options))
                if key in seen:
                    raise ValueError("the same case as line %d" % seen[key])
                seen[key] = number
                rows.append(row)
            except ValueError as error:
                problems.append("tests/tasks.txt:%d: %s" % (number, error))
    return rows


def violated_goals(report):
    return [g for g in report["goals"] if g["status"] == "violated"]


def conditions_of(report):
    conditional = [g for g in report["goals"] if g["status"] == "conditional"]
    return ["only if " + " and ".join(c["text"] for c in g["conditions"]) for g in conditional]


def compare(row, outcome, report):
    """What differs from the row, one line each."""
    problems = []
    verdict = report["verdict"]
    if verdict != row.expected:
        problems.append("expected %s, got %s (%s)" % (row.expected, verdict, report.get("reason") or "no reason given"))
    if outcome.code != EXIT_CODES.get(verdict):
        problems.append("verdict %s with exit code %s" % (verdict, outcome.code))
    last = outcome.out.rstrip("\n").rsplit("\n", 1)[-1]
    if not last.startswith(LAST_LINE[verdict]):
        problems.append("verdict %s, but the last line is %r" % (verdict, last))
    goals = violated_goals(report)
    if (verdict == "bug") != bool(goals):
        problems.append("verdict %s with %d violated goals" % (verdict, len(goals)))
    for goal in goals:
        if not goal.get("trace"):
            problems.append("%s has no trace" % goal["id"])
    checks = row.checks
    if "goals" in checks and len(goals) != int(checks["goals"]):
        problems.append("expected %s violated goals, got %d: %s"
                        % (checks["goals"], len(goals), "; ".join(g["message"] for g in goals)))
    texts = [g["message"] for g in goals] + conditions_of(report)
    texts += [report.get("reason") or ""] + report.get("assumptions", []) + report.get("notes", [])
    if "says" in checks and not any(re.search(checks["says"], t) for t in texts):
        problems.append("nothing says %r: %s" % (checks["says"], "; ".join(texts)))
    if "at" in checks:
        lines = {l["line"] for g in goals for l in g["locations"]}
        for wanted in checks["at"].split(","):
            if int(wanted) not in lines:
                problems.append("no violated goal at line %s, only at %s" % (wanted, sorted(lines)))
    for count in ("states", "transitions"):
        if count in checks and checks[count] != str(report["stats"].get(count)):
            problems.append("expected %s=%s, got %s" % (count, checks[count], report["stats"].get(count)))
    if "seconds" in checks and outcome.seconds > float(checks["seconds"]):
        problems.append("took %.1f s" % outcome.seconds)
    return problems


def other_orders(row):
    """The number of states of an exhausted search does not depend on the order of the search."""
    other_searches = ("--search", "--stop-at-first", "--depth", "--ltl", "--engine=boolean")
    is_exhausted = "states" in row.checks and not any(o.startswith(other_searches) for o in row.options)
    return [["--search=dfs"]] if is_exhausted else []


def check_once(row, folder, extra, differences, replays=True):
    """Runs the row with additional options; differences (outcome, report) lists what is wrong.
    Returns (problems, report, command)."""
    path = os.path.join(folder, "row-%d%s.json" % (row.line_number, "".join(extra)))
    command = row.command(path, extra)
    outcome = common.run(command, TIME_LIMIT * 2)
    shown = row.command("report.json", extra)
    try:
        with open(path) as f:
            report = json.load(f)
    except (OSError, ValueError) as error:
        detail = "no report (%s), exit %s\n%s" % (error, outcome.code, outcome.err or outcome.out)
        return [detail], None, shown
    problems = differences(outcome, report)
    # The verdict is a bug as soon as one claim replays: only the messages tell of another that did not.
    problems += [line for line in (outcome.err + outcome.out).splitlines() if "internal error" in line]
    if replays and violated_goals(report):
        replay = common.run([common.LOCKSTEP, "replay", path], TIME_LIMIT * 2)
        if replay.code != EXIT_CODES["bug"]:
            output = replay.err or replay.out[-500:]
            problems.append("the saved trace does not replay: exit %s\n%s" % (replay.code, output))
    return problems, report, shown


def run_row(row, folder):
    """All the searches of a row, up to the first that goes wrong.  The traces of each engine are replayed from its
    report, although `check` has replayed them already."""
    problems, full, command = check_once(row, folder, [], lambda outcome, report: compare(row, outcome, report))
    searches = [(extra, lambda outcome, report: compare(row, outcome, report), False) for extra in other_orders(row)]
    for reduction in row.also():
        for extra in agreement.searches(reduction, row.options):
            searches.append((extra, lambda _, report, name=reduction: agreement.disagreements(name, full, report),
                             agreement.is_engine(reduction)))
    for extra, differences, replays in searches:
        if not problems:
            problems, _, command = check_once(row, folder, extra, differences, replays)
    return row, problems, full, command


def update_counts(measured):
    """Rewrites states=... of the rows in `measured` (line number -> states)."""
    with open(TABLE) as table:
        lines = table.readlines()
    for number, states in measured.items():
        lines[number - 1] = re.sub(r"\bstates=\S+", "states=%d" % states, lines[number - 1])
    with open(TABLE, "w") as table:
        table.writelines(lines)


def run(results, options):
    problems = []
    rows = parse(problems)
    for problem in problems:
        results.fail("table", problem)
    if options.match:
        rows = [r for r in rows if re.search(options.match, r.text)]
    rows = common.sample(rows, options.sample, lambda row: row.text, lambda row: row.engine() + row.expected)
    measured = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, problems, report, command in pool.map(lambda r: run_row(r, folder), rows):
            if report and "states" in row.checks and "states" in report["stats"]:
                measured[row.line_number] = report["stats"]["states"]
            if "known-bug" not in row.checks:
                results.check(row.name(), "\n".join(problems), command)
            elif problems:
                results.known += 1
            else:
                mark = row.checks["known-bug"]
                results.fail(row.name(), "marked known-bug=%s, but passes: remove the mark" % mark, command)
    if options.update_states:
        update_counts(measured)
        print("tests/tasks.txt: %d counts written" % len(measured))

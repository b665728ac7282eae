"""The shape of the repository: arrows between folders, source lists, files under tests, and rules a tool can check."""
import os
import re
import subprocess

from . import common, folders, names, tasks

SRC = os.path.join(common.ROOT, "src")


def walk(top, *endings):
    for folder, subfolders, files in os.walk(os.path.join(common.ROOT, top)):
        subfolders[:] = sorted(s for s in subfolders if s != "__pycache__")
        for name in sorted(files):
            if not endings or name.endswith(endings):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding="utf8", errors="replace") as f:
        return f.read()


def allowed_arrows():
    """src/deps.txt: folder -> set of folders, header -> folders that may include it, and lines that are wrong."""
    arrows, system, problems = {}, {}, []
    for number, line in enumerate(read(os.path.join(SRC, "deps.txt")).splitlines(), 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        match = re.fullmatch(r"(<?[\w./-]+>?):\s*((?:[\w./-]+\s*)*)", text)
        if not match:
            problems.append("src/deps.txt:%d: not `folder: folder folder ...`" % number)
        elif match.group(1).startswith("<"):
            system[match.group(1).strip("<>")] = set(match.group(2).split())
        else:
            arrows[match.group(1)] = set(match.group(2).split())
    return arrows, system, problems


def folder_of(path, arrows):
    """The longest folder of deps.txt that holds the file (src/engine/explicit/x.c -> engine/explicit)."""
    folder = os.path.dirname(os.path.relpath(path, SRC))
    while folder and folder not in arrows:
        folder = os.path.dirname(folder)
    return folder


def check_dependencies(results):
    arrows, system, problems = allowed_arrows()
    for path in walk("src", ".c", ".h"):
        name, own = common.relative(path), folder_of(path, arrows)
        if not own:
            problems.append("%s: its folder has no line in src/deps.txt" % name)
            continue
        for kind, target in re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', read(path), re.M):
            if kind == '"':
                if not os.path.exists(os.path.join(SRC, target)):
                    problems.append('%s: "%s" is not a path from src' % (name, target))
                    continue
                other = folder_of(os.path.join(SRC, target), arrows)
                if other != own and other not in arrows[own]:
                    problems.append("%s includes %s: src/deps.txt has no arrow %s -> %s" % (name, target, own, other))
                elif other != own and target.endswith("_impl.h"):
                    problems.append("%s includes %s, which belongs to %s alone" % (name, target, other))
            else:
                for prefix, folders in system.items():
                    if target.startswith(prefix) and own not in folders and not path.endswith("_test.c"):
                        problems.append("%s includes <%s>: only %s may" % (name, target, ", ".join(sorted(folders))))
    problems += cycles(arrows)
    results.check("dependencies between folders", "\n".join(problems))


def cycles(arrows):
    """deps.txt itself must have no cycle."""
    done, problems = set(), []

    def visit(folder, path):
        if folder in path:
            problems.append("src/deps.txt: cycle " + " -> ".join(path[path.index(folder):] + [folder]))
        elif folder not in done:
            for other in sorted(arrows.get(folder, ())):
                visit(other, path + [folder])
            done.add(folder)

    for folder in sorted(arrows):
        visit(folder, [])
    return problems


def check_source_lists(results):
    """Every .c under src is named in a meson.build of its folder or of one above it."""
    problems = []
    for path in walk("src", ".c"):
        folder, listed = os.path.dirname(path), False
        while folder.startswith(SRC) and not listed:
            build = os.path.join(folder, "meson.build")
            listed = os.path.exists(build) and "'%s'" % os.path.relpath(path, folder) in read(build)
            folder = os.path.dirname(folder)
        if not listed:
            problems.append("%s is in no meson.build" % common.relative(path))
    results.check("source lists", "\n".join(problems))


def check_test_files(results):
    """Every C, LLVM, preprocessed or Boolean program under tests and examples is a row of tasks.txt; a script or a test
    names every other file."""
    listed = {os.path.normpath(p) for row in tasks.parse([]) for p in row.programs}
    scripts = [p for p in walk("tests") if p.endswith((".sh", ".py")) or os.path.basename(p) == "run"]
    scripts += list(walk("src", "_test.c")) + list(walk("tools"))
    programs = list(walk("tests", ".c")) + list(walk("examples", ".c"))
    mentions = "\n".join(read(p) for p in scripts + programs) + read(tasks.TABLE)
    problems = []
    for path in list(walk("tests")) + list(walk("examples")):
        name = common.relative(path)
        if path in scripts or path == tasks.TABLE or os.path.normpath(name) in listed:
            continue
        if name.endswith((".c", ".i", ".ll", ".bp")) and not name.startswith("tests/cli/"):
            problems.append("%s has no row in tests/tasks.txt" % name)
        elif not re.search(r"(?<![\w-])" + re.escape(os.path.basename(name)), mentions):
            problems.append("%s: nothing mentions this file" % name)
    results.check("files under tests", "\n".join(problems))


def check_texts(results):
    """Each .c under src opens with a comment; every note of open work names its issue."""
    problems = []
    for path in walk("src", ".c"):
        if not read(path).lstrip().startswith(("//", "/*")):
            problems.append("%s does not open with a comment" % common.relative(path))
    for path in list(walk("src", ".c", ".h")) + list(walk("docs")):
        for match in re.findall(r"\b(?:FIXME|XXX|TODO)\b(?!\(#\d+\))", read(path)):
            problems.append("%s: %s without an issue" % (common.relative(path), match))
    results.check("file heads and open ends", "\n".join(problems))


# The files that may say "proved" and "safe".  Everything else has to ask engine/ending.h, which wants evidence, and
# verdict/kind.c, which computes the kind of a verdict from the answers about its properties.
MAY_PROVE = {"src/engine/ending.c", "src/verdict/kind.c", "src/verdict/verdict.h", "src/report/baseline.c",
             "src/report/report_sample.h"}


def code_lines(folders=("src",)):
    """Lines of the C files that are no tests, without their comments: (file, number, code)."""
    for folder in folders:
        for path in walk(folder, ".c", ".h"):
            name = common.relative(path)
            if name.endswith(("_test.c", "_test.h")):
                continue
            for number, line in enumerate(read(path).splitlines(), 1):
                yield name, number, line.split("//")[0]


def check_proofs(results):
    problems = []
    for name, number, code in code_lines():
        if name in MAY_PROVE:
            continue
        if re.search(r"(?:(?<![=!<>])=|[?:,({]|return)\s*(?:GOAL_PROVED|VERDICT_SAFE)\b", code):
            problems.append("%s:%d: only engine/ending.c may write this: %s" % (name, number, code.strip()))
    results.check("proofs are made from evidence", "\n".join(problems))


# The interpreter is written by hand; src/verdict/rules_test.c asks it about each operation.
OWN_LISTS = "src/verdict/"


def switch_bodies(text):
    """(line, body) of each switch, with the switches inside."""
    for found in re.finditer(r"\bswitch \(", text):
        begin = text.find("{", found.end())
        depth, at = 0, begin
        while begin >= 0:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
        yield text.count("\n", 0, found.start()) + 1, text[begin:at]


def check_operations(results):
    table = read(os.path.join(common.ROOT, "src/ir/ir.h")).split("#define IR_OPS(OP)")[1].split("typedef enum ir_op")[0]
    operations = {"IR_" + name for name in re.findall(r"\bOP \((\w+),", table)}
    problems = []
    for path in walk("src", ".c", ".h"):
        name = common.relative(path)
        if name.startswith(OWN_LISTS) or name.endswith("_test.c"):
            continue
        for number, body in switch_bodies(read(path)):
            if "default:" in body and operations & set(re.findall(r"\bcase (\w+):", body)):
                problems.append("%s:%d: `default` hides operations that are added (ranges: ir/ir.h)" % (name, number))
    results.check("no `default` in a switch over operations", "\n".join(problems))


# Folders and files whose lines are at most WIDTH characters long.  Add yours here once all its lines are.
WIDTH = 120
NARROW = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "README.md", "bench", "completions",
          "docs", "examples", "include", "models", "tests/cli", "tests/formats", "tests/harness", "tests/html",
          "tests/run", "tools", "src"]
# Texts of generated programs, which would change with their lines.
GENERATORS = {"tools/fuzz/%s.py" % name for name in
              ("lock_text", "seq_atomics", "seq_control", "seq_data", "seq_library", "seq_numbers", "thr_memory",
               "thr_signals")}
# A row of a table is one line however long it is.
TABLES = {"tests/tasks.txt", "src/deps.txt"}


def files_below(name):
    path = os.path.join(common.ROOT, name)
    return [path] if os.path.isfile(path) else list(walk(name))


def prose_lines(name, text):
    """(number, line) of the lines that a person lays out: not the tables of a page, nor output that it quotes."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if name.endswith(".md"):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced or line.startswith(("|", "    ")):
                continue
        yield number, line


def check_line_lengths(results):
    problems = []
    for path in sorted(p for name in NARROW for p in files_below(name)):
        name = common.relative(path)
        if name in TABLES | GENERATORS or "/results/" in name:  # measurements that a bench has written
            continue
        for number, line in prose_lines(name, read(path)):
            if len(line) > WIDTH:
                problems.append("%s:%d: %d characters" % (name, number, len(line)))
    results.check("lines of at most %d characters" % WIDTH, "\n".join(problems))


def check_paths_in_pages(results):
    """A path from the root of the repository that a page names in backquotes exists."""
    problems = []
    tops = "|".join(("src", "tests", "tools", "bench", "docs", "models", "examples", "include", "completions"))
    pages = [p for p in walk("docs", ".md")]
    pages += [os.path.join(common.ROOT, name) for name in sorted(os.listdir(common.ROOT)) if name.endswith(".md")]
    for path in pages:
        for number, line in enumerate(read(path).splitlines(), 1):
            for named in re.findall(r"`((?:%s)/[\w./-]*\w/?)`" % tops, line):
                if not os.path.exists(os.path.join(common.ROOT, named)):
                    problems.append("%s:%d: there is no %s" % (common.relative(path), number, named))
    results.check("paths in pages", "\n".join(problems))


def check_folder_picture(results):
    problem = ""
    if folders.section() not in read(folders.PAGE):
        problem = "ARCHITECTURE.md does not show src/deps.txt: run tools/draw-folders --update"
    results.check("picture of the folders", problem)


# What people read is not what programs decide by: reasons, faults, roles and steps have enums (ir/reason.h, ir/fault.h,
# ir/step.h, verdict/verdict.h).  The files below compare texts of other kinds.
MAY_COMPARE = {"src/verdict/trace.c",           # the name that the front end gives to an input, "argc"
               "src/engine/circuit/circuit_query.c",  # bounds are listed once each
               "src/engine/circuit/parametric.c"}  # the bound on threads, by its name
TEXT_FIELD = r"\bstr(?:n?cmp|n?casecmp|str)\s*\([^;]*(?:->|\.)(?:message|reason|what|why|note)\b"
REASON_WORDS = r"\bstr(?:n?cmp|str)\s*\([^;]*\"(?:internal error|time limit|memory limit|out of memory|interrupted)"


def check_verdicts(results):
    """The kind of a verdict is set in one place, and no text decides anything."""
    problems = []
    for name, number, code in code_lines():
        if name not in ("src/verdict/kind.c", "src/report/report_sample.h") and \
                re.search(r"(?:->|\.)kind\s*=\s*\(?(?:VERDICT_|verdict_kind)", code):
            problems.append("%s:%d: only verdict/kind.c sets the kind of a verdict: %s" % (name, number, code.strip()))
    for name, number, code in code_lines(("src/engine", "src/report", "src/main", "src/verdict")):
        if name not in MAY_COMPARE and (re.search(TEXT_FIELD, code) or re.search(REASON_WORDS, code)):
            problems.append("%s:%d: texts for people decide nothing: %s" % (name, number, code.strip()))
    results.check("verdicts are typed", "\n".join(problems))


# Words for limits.  What is not analysed beyond a number is a row of LIMITS in src/base/limits.h, and a report names
# it; a number that only tunes speed, memory or layout is called by what it is: a size, a room, a patience.
LIMIT_NAME = re.compile(r"\b((?:\w+_)?(?:MOST|MANY|MAX|DEEPEST|LONGEST|LARGEST)(?:_\w+)?)\s*=(?!=)|"
                        r"#\s*define\s+((?:\w+_)?(?:MOST|MANY|MAX|DEEPEST|LONGEST|LARGEST)(?:_\w+)?)\b(?!\()")
# What they are called for another reason: operations, kinds of threads, numbers of slots in an encoding.
NO_LIMITS = {"IR_MAX_THREADS", "IR_MOST_EFFECTS", "TERM_MAX_DEPTH", "GATES_MAX_BITS", "GLUE_MOST", "DEPTH_MOST",
             "SCORE_MOST", "LOCK_MANY", "MANY_SHARE"}


def check_limits(results):
    """No private limits; each limit is asked for; and the page is that of the table."""
    problems, used = [], set()
    for path in walk("src", ".c", ".h"):
        name, text = common.relative(path), read(path)
        if name == "src/base/limits.h" or "test" in os.path.basename(name):
            continue
        used.update(re.findall(r"(?:\b(?:at_limit|over_limit|limit_met) \(|\bLIMIT_ID_)(\w+)", text))
        for number, line in enumerate(text.splitlines(), 1):
            for match in LIMIT_NAME.finditer(line.split("//")[0]):
                word = match.group(1) or match.group(2)
                if word not in NO_LIMITS and not word.startswith("LOCKSTEP_"):
                    problems.append("%s:%d: a private limit `%s`: make it a row of LIMITS, or call it what it is"
                                    % (name, number, word))
    table = re.findall(r"^\s*X \((\w+), \d", read(os.path.join(SRC, "base/limits.h")), re.M)
    problems += ["src/base/limits.h: nothing notes that %s is met" % row for row in table if row not in used]
    run = subprocess.run([os.path.join(common.ROOT, "tools/make-limits"), "--check"], capture_output=True, text=True)
    problems += [run.stderr.strip()] if run.returncode else []
    results.check("limits are in one table", "\n".join(problems))


CHECKS = (check_dependencies, check_source_lists, check_test_files, check_texts, check_proofs, check_operations,
          check_line_lengths, check_paths_in_pages, check_folder_picture, check_verdicts, check_limits,
          names.check)


def run(results, options):
    for check in CHECKS:
        check(results)

"""Examples in documents.  A fenced block of the language `console` is a session in a shell whose directory is the root
of the repository:

    ```console
    $ build/lockstep check examples/counter.c
    ...lines of output...
    ```

Each `$` line is run, and the lines below it must be its output.  A line `...` stands for any number of lines; times,
memory sizes and counts of states per second (digits before s, ms, MB, GB, /s) may differ.  A block opened with
```console no-run is shown only (the commands that build the program itself)."""
import glob
import os
import re

from . import common

VARYING = re.compile(r"\d+(?:[.,]\d+)*\s?(?:s|ms|us|kB|MB|GB|states/s|/s)\b")


def blocks(text):
    return re.findall(r"^```console[ ]*\n(.*?)^```", text, re.M | re.S)


def sessions(block):
    """(command, expected lines) of one block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def normal(line):
    return re.sub(r"\s+", " ", VARYING.sub("#", line)).rstrip()


def matches(expected, actual):
    """Both are lists of lines; `...` in the first stands for any lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and normal(expected[0]) == normal(actual[0]) and matches(expected[1:], actual[1:])


def check(results, name, command, expected):
    binary = common.relative(common.LOCKSTEP)
    outcome = common.run(["sh", "-c", command.replace("build/lockstep", binary)], 120)
    actual = [l.replace(binary, "build/lockstep") for l in (outcome.out + outcome.err).rstrip("\n").splitlines()]
    while expected and not expected[-1].strip():
        expected = expected[:-1]
    problem = ""
    if not matches(expected, actual):
        problem = "the document shows something else than\n" + "\n".join(actual)
    results.check("%s: $ %s" % (name, command), problem)


def run(results, options):
    paths = glob.glob(os.path.join(common.ROOT, "*.md"))
    paths += glob.glob(os.path.join(common.ROOT, "docs", "**", "*.md"), recursive=True)
    for path in common.sample(sorted(paths), options.sample, common.relative, lambda p: "documents"):
        name = common.relative(path)
        if options.match and not re.search(options.match, name):
            continue
        with open(path, encoding="utf8") as f:
            text = f.read()
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not os.path.exists(os.path.join(os.path.dirname(path), target)):
                results.fail(name, "link to %s, which does not exist" % target)
        for block in blocks(text):
            for command, expected in sessions(block):
                check(results, name, command, expected)

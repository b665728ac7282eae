"""A name is defined once in src: a reader who searches for a function, a type or a file finds one thing. The rules for
names are in docs/glossary.md."""
import collections
import os
import re

from . import common

SRC = os.path.join(common.ROOT, "src")
FUNCTION = re.compile(r"^(?!typedef\b)(?:[a-z_]\w*[ *]+)+([a-z_]\w*) ?\([^;]*\{(?:.*\})?$")
TYPE = re.compile(r"^(?:typedef )?(?:struct|enum|union) ([a-z_]\w*) \{|^\} ([a-z_]\w*);")
KINDS = ("functions", "types", "files")


def sources():
    for folder, _, files in sorted(os.walk(SRC)):
        for name in sorted(files):
            if name.endswith((".c", ".h")) and not name.endswith(("_test.c", "_test.h")):
                yield os.path.join(folder, name)


def definitions():
    """kind -> name -> files that define it."""
    found = {kind: collections.defaultdict(set) for kind in KINDS}
    for path in sources():
        short = os.path.relpath(path, SRC)
        found["files"][os.path.basename(path)].add(short)
        with open(path, encoding="utf8") as text:
            for line in text:
                function, kind = FUNCTION.match(line), TYPE.match(line)
                if function:
                    found["functions"][function.group(1)].add(short)
                if kind:
                    found["types"][kind.group(1) or kind.group(2)].add(short)
    return found


def check(results):
    problems = ["%s `%s`: %s" % (kind, name, ", ".join(sorted(files)))
                for kind, names in definitions().items() for name, files in sorted(names.items()) if len(files) > 1]
    results.check("names are defined once", "\n".join(problems))

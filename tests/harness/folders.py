"""The picture of the folders of src in ARCHITECTURE.md, drawn from src/deps.txt (tools/draw-folders prints it).

A folder stands above all that it includes.  An arrow that follows from other arrows is left out: main includes ir, but
also report, which includes verdict, which includes ir."""
import os
import re

from . import common, structure

PAGE = os.path.join(common.ROOT, "ARCHITECTURE.md")
BEGIN = "<!-- drawn by tools/draw-folders --update from src/deps.txt -->\n"
MARKED = re.compile(re.escape(BEGIN) + r"```\n.*?^```\n", re.M | re.S)


def closure(arrows):
    """folder -> all folders that it includes directly or through others."""
    below = {}

    def visit(folder):
        if folder not in below:
            below[folder] = set()
            for other in arrows[folder]:
                below[folder] |= {other} | visit(other)
        return below[folder]

    for folder in sorted(arrows):
        visit(folder)
    return below


def layers(arrows):
    """Folders by their height above `base`, the highest first."""
    height = {}

    def visit(folder):
        if folder not in height:
            height[folder] = 1 + max((visit(other) for other in arrows[folder]), default=-1)
        return height[folder]

    for folder in sorted(arrows):
        visit(folder)
    height["main"] = 1 + max(height.values())  # the program: always at the top
    rows = [sorted(f for f in arrows if height[f] == h) for h in range(max(height.values()), -1, -1)]
    return [row for row in rows if row]


def owner(folder, arrows):
    """The folder with a line of its own that holds this one (solver/cdcl belongs to solver)."""
    while folder not in arrows:
        folder = os.path.dirname(folder)
    return folder


def draw():
    listed, system, problems = structure.allowed_arrows()
    if problems:
        raise SystemExit("\n".join(problems))
    arrows = {f: {owner(o, listed) for o in others} - {f} for f, others in listed.items()}
    below = closure(arrows)
    libraries = {}
    for header, folders in system.items():
        for folder in folders:
            libraries.setdefault(folder, []).append("<%s>" % header)
    width = max(len(f) for f in arrows)
    lines = []
    for layer in layers(arrows):
        lines.append("%s─%s─%s" % ("├" if lines else "┌", "─" * width, "┤" if lines else "┐"))
        for folder in layer:
            direct = sorted(o for o in arrows[folder] if not any(o in below[p] for p in arrows[folder]))
            text = "→ " + " ".join(direct) if direct else ""
            if folder in libraries:
                text += "%s··> %s" % ("  " if text else "", " ".join(sorted(libraries[folder])))
            lines.append(("│ %-*s │ %s" % (width, folder, text)).rstrip())
    lines.append("└─%s─┘" % ("─" * width))
    return "\n".join(lines) + "\n"


def section():
    return BEGIN + "```\n" + draw() + "```\n"


def update():
    """Writes the picture into ARCHITECTURE.md; true if the page was another one before."""
    with open(PAGE, encoding="utf8") as f:
        old = f.read()
    new, count = MARKED.subn(lambda _: section(), old)
    if count != 1:
        raise SystemExit("ARCHITECTURE.md has no section that begins with " + BEGIN.strip())
    if new != old:
        with open(PAGE, "w", encoding="utf8") as f:
            f.write(new)
    return new != old

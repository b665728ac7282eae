"""Small charts as self-contained SVG: lines over whole numbers with a logarithmic axis, and bars."""
import math
from collections import namedtuple
from html import escape

Series = namedtuple("Series", "points colour dashed")  # points: [(x, y)], y > 0

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 440, 280, 56, 16, 34, 40
GRID, INK = "#dddddd", "#333333"


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(str(words))}</text>'


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def frame(title, below):
    return [text(WIDTH / 2, 18, title, more='font-weight="bold"'), text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, below),
            line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, INK)]


def power_of_ten(k):
    return {0: "1", 1: "10"}.get(k, f"10^{k}")


def line_panel(title, below, series):
    """Several series over whole numbers; the vertical axis has a line per power of ten."""
    points = [point for one in series for point in one.points]
    parts = frame(title, below)
    if not points:
        return parts + [text(WIDTH / 2, HEIGHT / 2, "nothing measured")]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    low, high = math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points)))
    high = max(high, low + 1)

    def across(x):
        return LEFT + 12 + (x - first) / max(last - first, 1) * (WIDTH - LEFT - RIGHT - 24)

    def up(y):
        return HEIGHT - BOTTOM - (math.log10(y) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    for k in range(low, high + 1):
        parts += [line(LEFT, up(10**k), WIDTH - RIGHT, up(10**k), GRID),
                  text(LEFT - 6, up(10**k) + 4, power_of_ten(k), "end")]
    parts += [text(across(x), HEIGHT - BOTTOM + 16, x) for x in range(first, last + 1)]
    for one in series:
        places = [(across(x), up(y)) for x, y in one.points]
        dashes = ' stroke-dasharray="5 4"' if one.dashed else ""
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" fill="none" '
                     f'stroke="{one.colour}" stroke-width="1.8"{dashes}/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{one.colour}"/>' for x, y in places]
    return parts


def bar_panel(title, below, bars, colour):
    """bars: [(label, height)]."""
    parts = frame(title, below)
    highest = max((height for _, height in bars), default=0)
    if not highest:
        return parts + [text(WIDTH / 2, HEIGHT / 2, "nothing measured")]
    step = (WIDTH - LEFT - RIGHT) / len(bars)
    wide = min(step * 0.8, 60)
    for k, (label, height) in enumerate(bars):
        x, tall = LEFT + k * step, height / highest * (HEIGHT - TOP - BOTTOM - 16)
        y = HEIGHT - BOTTOM - tall
        parts.append(f'<rect x="{x + (step - wide) / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
                     f'fill="{colour}"/>')
        parts.append(text(x + step / 2, HEIGHT - BOTTOM + 16, label))
        if height:
            parts.append(text(x + step / 2, y - 4, height))
    return parts


def key(names, width):
    """names: {name: (colour, dashed)}, in rows above the panels.  (parts, height)"""
    parts, x, y = [], LEFT, 14
    for name, (colour, dashed) in names.items():
        wide = 48 + 7 * len(name)
        if x + wide > width:
            x, y = LEFT, y + 18
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="2.4"{dashes}/>')
        parts.append(text(x + 30, y + 4, name, "start"))
        x += wide
    return parts, y + 16 if names else 0


def write(path, panels, columns, names=None):
    """A page of panels, row by row, below the key to their colours."""
    width = columns * WIDTH
    colours, head = key(names or {}, width)
    height = head + -(-len(panels) // columns) * HEIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           f'font-family="sans-serif" font-size="11" fill="{INK}">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    out += colours
    for k, panel in enumerate(panels):
        out += [f'<g transform="translate({k % columns * WIDTH} {head + k // columns * HEIGHT})">', *panel, "</g>"]
    path.write_text("\n".join(out + ["</svg>"]) + "\n")

"""Draws a piece of a recorded terminal as an SVG: FILE, the line to begin with, and how many lines."""

import sys
from html import escape

WIDTH, LINE, LETTER = 100, 19, 8.43
MARGIN = 20


def colour(line):
    """What a person typed stands out; what the program says beside its answer steps back."""
    if line.startswith(("$ ", "> ")):
        return "#7fd1c7", "bold"
    if line.startswith(("guided mode", "· ", "  stored:")):
        return "#8b949e", "normal"
    return "#e6edf3", "normal"


def drawn(lines):
    width = round(WIDTH * LETTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    yield "<title>A chat with Tata in a terminal</title>"
    yield f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>'
    yield "<g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" xml:space=\"preserve\">"
    for at, line in enumerate(lines):
        fill, weight = colour(line)
        place = MARGIN + (at + 1) * LINE - 5
        if line:
            text = escape(line, quote=False)
            yield f'<text x="{MARGIN}" y="{place}" fill="{fill}" font-weight="{weight}">{text}</text>'
    yield "</g>"
    yield "</svg>"


def main(path, first, count):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = lines.index(first)
    print("\n".join(drawn(lines[start : start + int(count)])))


main(*sys.argv[1:])

"""Figures of documents as vector drawings: charts with axes, boxes with arrows, cycles, trees and timelines."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sandbox.canvas.documents.blocks import Figure
from sandbox.canvas.documents.charts import bars, line, scatter
from sandbox.canvas.documents.sheet import Sheet

BOX_HEIGHT = 30
GAP = 34


def drawing(figure: Figure, width: float) -> Any:
    """A ReportLab drawing of the figure, `width` points wide; raises `ValueError` for a kind it does not know."""
    if figure.kind not in KINDS:
        raise ValueError(f"unknown kind of figure: {figure.kind}")
    return KINDS[figure.kind](figure.facts, width).drawing


def flow(facts: Mapping[str, Any], width: float) -> Sheet:
    """Steps in boxes, row after row, with labelled arrows between them."""
    steps, arrows = list(facts["steps"]), list(facts.get("arrows", []))
    longest = max(len(step) for step in steps)
    across = max(2, min(len(steps), int(width // (longest * 5.2 + 2 * GAP))))
    if len(steps) <= 3 and longest * 5.2 * len(steps) + GAP * 2 * len(steps) < width * 1.15:
        across = len(steps)
    rows = math.ceil(len(steps) / across)
    sheet = Sheet(width, rows * (BOX_HEIGHT + GAP) - GAP + 14)
    cell = width / across
    centres = []
    for at in range(len(steps)):
        row, column = divmod(at, across)
        # Every other row runs back, so that each arrow leads to the neighbouring box.
        column = column if row % 2 == 0 else across - 1 - column
        centres.append(((column + 0.5) * cell, sheet.height - 7 - BOX_HEIGHT / 2 - row * (BOX_HEIGHT + GAP)))
    box = cell - GAP * 1.5 if across > 1 else cell * 0.6
    for at, (start, end) in enumerate(pairwise(centres)):
        label = arrows[at] if at < len(arrows) else ""
        if start[1] == end[1]:
            side = math.copysign(box / 2, end[0] - start[0])
            sheet.arrow((start[0] + side, start[1]), (end[0] - side, end[1]), label)
        else:
            half = BOX_HEIGHT / 2
            sheet.arrow((start[0], start[1] - half), (end[0], end[1] + half), label, is_beside=True)
    for centre, step in zip(centres, steps, strict=True):
        sheet.box(centre, step, width=box, height=BOX_HEIGHT)
    return sheet


def cycle(facts: Mapping[str, Any], width: float) -> Sheet:
    """Steps around a circle, clockwise from the top."""
    steps, arrows = list(facts["steps"]), list(facts.get("arrows", []))
    height = max(200.0, 46.0 * len(steps) * 0.75)
    sheet = Sheet(width, height)
    across, down = width * 0.33, height / 2 - BOX_HEIGHT / 2 - 6
    angles = [math.pi / 2 - 2 * math.pi * at / len(steps) for at in range(len(steps))]
    places = [(width / 2 + across * math.cos(angle), height / 2 + down * math.sin(angle)) for angle in angles]
    for at, angle in enumerate(angles):
        step = 2 * math.pi / len(steps)
        turn = [angle - step * share for share in (0.36, 0.45, 0.55, 0.64)]
        curve = [(width / 2 + across * math.cos(a), height / 2 + down * math.sin(a)) for a in turn]
        sheet.polyline(curve)
        sheet.arrow(curve[-2], curve[-1], arrows[at] if at < len(arrows) else "", is_beside=True)
    for place, step in zip(places, steps, strict=True):
        sheet.box(place, step, width=min(130.0, width / 3.2), height=BOX_HEIGHT)
    return sheet


def tree(facts: Mapping[str, Any], width: float) -> Sheet:
    """A tree downwards from the first edge's first name; "fib(2)#2" is shown as "fib(2)"."""
    children: dict[str, list[str]] = {}
    for parent, child in facts["edges"]:
        children.setdefault(parent, []).append(child)
    root = facts["edges"][0][0]
    levels = _depth(root, children)
    sheet = Sheet(width, levels * 48.0)
    cell = width / max(1, len(_leaves_of(root, children)))

    def place(name: str, left: float, level: int) -> tuple[float, float]:
        span = cell * len(_leaves_of(name, children))
        centre = (left + span / 2, sheet.height - 20 - level * 48)
        start = left
        for child in children.get(name, []):
            below = place(child, start, level + 1)
            sheet.line((centre[0], centre[1] - 9), (below[0], below[1] + 11))
            start += cell * len(_leaves_of(child, children))
        sheet.pill(centre, name.partition("#")[0], widest=cell * 1.4 if not children.get(name) else 200)
        return centre

    place(root, 0, 0)
    return sheet


def timeline(facts: Mapping[str, Any], width: float) -> Sheet:
    """Steps such as "1848 Revolutions" along a line, above and below it in turn."""
    steps = list(facts["steps"])
    sheet = Sheet(width, 150)
    middle, cell = 75.0, width / len(steps)
    sheet.line((4, middle), (width - 4, middle), thick=1.6)
    for at, step in enumerate(steps):
        year, _, words = step.partition(" ")
        x = (at + 0.5) * cell
        up = 1 if at % 2 == 0 else -1
        sheet.dot((x, middle))
        sheet.line((x, middle), (x, middle + up * 18))
        sheet.text((x, middle + (22 if up > 0 else -30)), year, is_bold=True)
        lines = sheet.wrapped(words, cell * 1.7)
        for number, part in enumerate(lines):
            y = middle + 22 + 11 * (len(lines) - number) if up > 0 else middle - 41 - 11 * number
            sheet.text((x, y), part)
    return sheet


def boxes(facts: Mapping[str, Any], width: float) -> Sheet:
    """Names in boxes side by side, without arrows."""
    names = list(facts["steps"])
    across = min(4, len(names))
    rows = math.ceil(len(names) / across)
    sheet = Sheet(width, rows * 44.0)
    cell = width / across
    for at, name in enumerate(names):
        row, column = divmod(at, across)
        sheet.box(((column + 0.5) * cell, sheet.height - 22 - row * 44), name, width=cell - 14, height=36)
    return sheet


def _depth(name: str, children: Mapping[str, Sequence[str]]) -> int:
    return 1 + max((_depth(child, children) for child in children.get(name, [])), default=0)


def _leaves_of(name: str, children: Mapping[str, Sequence[str]]) -> list[str]:
    below = children.get(name, [])
    return [leaf for child in below for leaf in _leaves_of(child, children)] if below else [name]


KINDS: dict[str, Callable[[Mapping[str, Any], float], Sheet]] = {
    "line": line,
    "scatter": scatter,
    "bars": bars,
    "flow": flow,
    "cycle": cycle,
    "tree": tree,
    "timeline": timeline,
    "boxes": boxes,
}

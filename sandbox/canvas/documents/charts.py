"""Charts with axes: lines, points and bars over round steps."""

import math
from collections.abc import Mapping
from typing import Any

from sandbox.canvas.documents.sheet import COLORS, FILL, SOFT, Sheet

LEFT, BOTTOM, TOP, RIGHT = 52.0, 40.0, 12.0, 14.0
ROUND = (1, 2, 2.5, 5, 10)


class Axes:
    """The axes of a sheet; maps values to points."""

    def __init__(self, sheet: Sheet, x: tuple[float, float], y: tuple[float, float], facts: Mapping[str, Any]) -> None:
        self.sheet, self.x, self.y = sheet, x, y
        self.right, self.top = sheet.width - RIGHT, sheet.height - TOP
        for value in ticks(*y):
            at = self.at(x[0], value)[1]
            sheet.line((LEFT, at), (self.right, at), color=FILL)
            sheet.text((LEFT - 5, at - 3), shown(value), anchor="end", size=8, color=SOFT)
        sheet.line((LEFT, BOTTOM), (self.right, BOTTOM))
        sheet.line((LEFT, BOTTOM), (LEFT, self.top))
        sheet.text(((LEFT + self.right) / 2, 8), facts.get("x", ""))
        sheet.text((13, (BOTTOM + self.top) / 2), facts.get("y", ""), is_upright=True)

    def number_x(self) -> None:
        """Write the numbers below the x axis."""
        for value in ticks(*self.x):
            at = self.at(value, self.y[0])[0]
            self.sheet.line((at, BOTTOM), (at, BOTTOM - 3))
            self.sheet.text((at, BOTTOM - 13), shown(value), size=8, color=SOFT)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The point of a pair of values."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (self.right - LEFT), BOTTOM + up * (self.top - BOTTOM)


def line(facts: Mapping[str, Any], width: float) -> Sheet:
    """Series of points joined by lines."""
    return _series(facts, width, is_joined=True)


def scatter(facts: Mapping[str, Any], width: float) -> Sheet:
    """Series of points."""
    return _series(facts, width, is_joined=False)


def bars(facts: Mapping[str, Any], width: float) -> Sheet:
    """One bar for each name."""
    values = {name: float(value) for name, value in facts["bars"].items()}
    sheet = Sheet(width, 210)
    axes = Axes(sheet, (0, len(values)), extent([0, *values.values()]), facts)
    base = axes.at(0, max(0, axes.y[0]))[1]
    cell = (axes.right - LEFT) / len(values)
    for at, (name, value) in enumerate(values.items()):
        left, top = axes.at(at + 0.2, value)
        sheet.rect(left, min(base, top), cell * 0.6, abs(top - base), color=COLORS[0])
        sheet.text((left + cell * 0.3, top + 4), shown(value), size=8)
        for number, part in enumerate(sheet.wrapped(name, cell - 2, size=8)[:2]):
            sheet.text((left + cell * 0.3, BOTTOM - 11 - 9 * number), part, size=8)
    return sheet


def _series(facts: Mapping[str, Any], width: float, *, is_joined: bool) -> Sheet:
    series = {name: [(float(x), float(y)) for x, y in points] for name, points in facts["series"].items()}
    every = [point for points in series.values() for point in points]
    sheet = Sheet(width, 230)
    xs, ys = [x for x, _ in every], [y for _, y in every]
    axes = Axes(sheet, extent(xs, is_tight=is_joined), extent(ys if min(ys) < 0 else [0, *ys]), facts)
    axes.number_x()
    for at, (name, points) in enumerate(series.items()):
        color = COLORS[at % len(COLORS)]
        places = [axes.at(x, y) for x, y in points]
        if is_joined:
            sheet.polyline(places, color=color, thick=1.5)
        for place in places:
            sheet.dot(place, color=color, radius=1.8 if is_joined else 2.4)
        if len(series) > 1:
            top = BOTTOM + 10 + 12 * (len(series) - 1 - at)
            words = sheet.measured(name, 8)
            sheet.rect(axes.right - words - 18, top, 10, 3, color=color)
            sheet.text((axes.right - words - 4, top - 2), name, anchor="start", size=8)
    return sheet


def ticks(low: float, high: float) -> list[float]:
    """Four to eight round values from `low` to `high`."""
    rough = (high - low) / 5 or 1
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in ROUND if factor * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def extent(values: list[float], *, is_tight: bool = False) -> tuple[float, float]:
    """The least and greatest value with a little room above, unless tight."""
    low, high = min(values), max(values)
    if low == high:
        return low - 1, high + 1
    room = 0 if is_tight else (high - low) * 0.08
    return (low if low == 0 else low - room), high + room


def shown(value: float) -> str:
    """A number as an axis shows it."""
    return f"{value:g}".replace("-", "−")

"""`Sheet`: a vector drawing in points with the few shapes that figures are made of."""

import math
from collections.abc import Sequence

from sandbox.canvas.documents import fonts

INK = "#1f2937"
SOFT = "#6b7280"
FILL = "#eef2f7"
COLORS = ("#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0f766e")
SIZE = 9.0
Point = tuple[float, float]


class Sheet:
    """A drawing; (0, 0) is its lower left corner."""

    def __init__(self, width: float, height: float) -> None:
        from reportlab.graphics.shapes import Drawing

        fonts.register()
        self.width, self.height = width, height
        self.drawing = Drawing(width, height)

    def line(self, start: Point, end: Point, *, color: str = INK, thick: float = 0.8) -> None:
        from reportlab.graphics.shapes import Line

        self.drawing.add(Line(*start, *end, strokeColor=_color(color), strokeWidth=thick))

    def polyline(self, points: Sequence[Point], *, color: str = INK, thick: float = 0.8) -> None:
        from reportlab.graphics.shapes import PolyLine

        flat = [number for point in points for number in point]
        self.drawing.add(PolyLine(flat, strokeColor=_color(color), strokeWidth=thick))

    def arrow(self, start: Point, end: Point, label: str = "", *, is_beside: bool = False) -> None:
        """An arrow with its label above the middle, or right of it."""
        from reportlab.graphics.shapes import Polygon

        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        tips = [(end[0] - 6 * math.cos(angle + turn), end[1] - 6 * math.sin(angle + turn)) for turn in (0.42, -0.42)]
        self.line(start, end)
        flat = [number for point in (end, *tips) for number in point]
        self.drawing.add(Polygon(flat, fillColor=_color(INK), strokeColor=None, strokeWidth=0))
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        if label and is_beside:
            self.text((middle[0] + 7, middle[1] - 3), label, anchor="start", size=7.5, color=SOFT)
        elif label:
            for at, part in enumerate(reversed(self.wrapped(label, abs(end[0] - start[0]) + 16, size=7.5))):
                self.text((middle[0], middle[1] + 4 + 8 * at), part, size=7.5, color=SOFT)

    def box(self, centre: Point, label: str, *, width: float, height: float) -> None:
        """A rounded box with its label in the middle, in one or two lines."""
        from reportlab.graphics.shapes import Rect

        left, bottom = centre[0] - width / 2, centre[1] - height / 2
        edge = _color(COLORS[0])
        shape = Rect(left, bottom, width, height, rx=4, ry=4, fillColor=_color(FILL), strokeColor=edge, strokeWidth=0.9)
        self.drawing.add(shape)
        size = SIZE
        while size > 6 and len(self.wrapped(label, width - 6, size=size)) * size * 1.15 > height:
            size -= 0.5
        lines = self.wrapped(label, width - 6, size=size)
        top = centre[1] + (len(lines) - 1) * size * 0.58 - size * 0.34
        for at, part in enumerate(lines):
            self.text((centre[0], top - at * size * 1.16), part, size=size)

    def pill(self, centre: Point, label: str, *, widest: float) -> None:
        """A box as wide as its label."""
        size = SIZE
        while size > 5 and self.measured(label, size) + 8 > widest:
            size -= 0.5
        self.box(centre, label, width=min(widest, self.measured(label, size) + 12), height=20)

    def dot(self, centre: Point, *, color: str = COLORS[0], radius: float = 3) -> None:
        from reportlab.graphics.shapes import Circle

        self.drawing.add(Circle(*centre, radius, fillColor=_color(color), strokeColor=None, strokeWidth=0))

    def rect(self, left: float, bottom: float, width: float, height: float, *, color: str) -> None:
        from reportlab.graphics.shapes import Rect

        self.drawing.add(Rect(left, bottom, width, height, fillColor=_color(color), strokeColor=None, strokeWidth=0))

    def text(
        self,
        at: Point,
        words: str,
        *,
        anchor: str = "middle",
        size: float = SIZE,
        color: str = INK,
        is_bold: bool = False,
        is_upright: bool = False,
    ) -> None:
        """Words at a point of their base line. is_upright: turned by a right angle, as beside an axis."""
        from reportlab.graphics.shapes import Group, String

        name = _font(words, is_bold=is_bold)
        string = String(0, 0, words, fontName=name, fontSize=size, textAnchor=anchor, fillColor=_color(color))
        group = Group(string)
        group.translate(*at)
        if is_upright:
            group.rotate(90)
        self.drawing.add(group)

    def measured(self, words: str, size: float = SIZE) -> float:
        """Width of the words in points."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        width: float = stringWidth(words, _font(words), size)
        return width

    def wrapped(self, words: str, width: float, *, size: float = SIZE) -> list[str]:
        """The words in lines that are no wider than `width`, unless one word is."""
        lines: list[str] = []
        for word in words.split():
            if lines and self.measured(f"{lines[-1]} {word}", size) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines or [""]


def _font(words: str, *, is_bold: bool = False) -> str:
    """The sans face where it has every letter, else the font of symbols."""
    return ("sans-bold" if is_bold else "sans") if fonts.has_all(words, "sans") else fonts.SYMBOLS


def _color(written: str) -> object:
    from reportlab.lib.colors import HexColor

    return HexColor(written)

"""PDF of slides: 16:9 leaves with a title, text that shrinks until it fits, and a foot."""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sandbox.canvas.documents import fonts
from sandbox.canvas.documents.blocks import Block, Leaf
from sandbox.canvas.documents.flowables import GREY, Typography, flowables
from sandbox.canvas.documents.source import DATA, Source

WIDTH, HEIGHT = 720.0, 405.0
SIDE, GAP = 40.0, 22.0
TOP, FOOT = 82.0, 34.0
ACCENTS = ("#1f3a5f", "#7a1f2b", "#14532d", "#4c1d95", "#7c2d12", "#0f4c5c", "#3f3f46")
LOOK = Typography(face="sans", size=19, leading=25.5, headings=(27, 22, 20), accent="#1f3a5f", gap=11, tallest=235)
SMALLEST = 0.5


def accent_of(course: str) -> str:
    """The color of a course's slides."""
    courses = sorted(path.stem for path in DATA.glob("*.toml"))
    return ACCENTS[courses.index(course) % len(ACCENTS)]


def slides_pdf(source: Source) -> bytes:
    """The source as slides; the same source gives the same bytes. A slide that no size fits raises `ValueError`."""
    from reportlab.pdfgen.canvas import Canvas

    fonts.register()
    file = io.BytesIO()
    language = source.head.get("language", "en")
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT), invariant=1, lang=language)
    canvas.setTitle(source.title)
    canvas.setAuthor(source.author)
    canvas.setSubject(source.subtitle)
    for number, leaf in enumerate(source.leaves, 1):
        _Slide(canvas, source, leaf, number).draw()
        canvas.showPage()
    canvas.save()
    return file.getvalue()


class _Slide:
    def __init__(self, canvas: Any, source: Source, leaf: Leaf, number: int) -> None:
        self._canvas, self._source, self._leaf, self._number = canvas, source, leaf, number
        self._look = replace(LOOK, accent=accent_of(source.course))

    def draw(self) -> None:
        from reportlab.lib.colors import HexColor

        canvas, leaf = self._canvas, self._leaf
        if leaf.is_title_slide:
            self._draw_title()
            return
        canvas.setFillColor(HexColor(self._look.accent))
        canvas.rect(0, HEIGHT - 8, WIDTH, 8, stroke=0, fill=1)
        blocks, top = leaf.blocks, HEIGHT - 30
        if leaf.title:
            self._put_title()
            blocks, top = blocks[1:], HEIGHT - TOP
        columns: list[Sequence[Block]] = [blocks, leaf.right] if leaf.right else [blocks]
        width = (WIDTH - 2 * SIDE - GAP * (len(columns) - 1)) / len(columns)
        for at, column in enumerate(columns):
            self._put(column, SIDE + at * (width + GAP), top, width)
        self._draw_foot()

    def _draw_title(self) -> None:
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import Frame
        from reportlab.platypus import Paragraph as Text

        canvas, look = self._canvas, self._look
        canvas.setFillColor(HexColor(look.accent))
        canvas.rect(0, 0, 14, HEIGHT, stroke=0, fill=1)
        title = self._leaf.title
        assert title is not None
        style = look.style("t", fontName="sans-bold", fontSize=32, leading=39, textColor=look.accent, spaceAfter=16)
        story = [Text(fonts.markup(title.runs, look.face), style)]
        story += flowables(self._leaf.blocks[1:], look, WIDTH - 130)
        height = self._height(story, WIDTH - 130)
        plain = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        Frame(64, 0, WIDTH - 130, HEIGHT / 2 + height / 2 + 10, **plain).addFromList(story, canvas)

    def _put_title(self) -> None:
        from reportlab.platypus import Paragraph as Text

        title = self._leaf.title
        assert title is not None
        for size in (24, 21, 18, 15):
            style = self._look.style(
                "t", fontName="sans-bold", fontSize=size, leading=size * 1.15, textColor=self._look.accent
            )
            text = Text(fonts.markup(title.runs, "sans"), style)
            _, height = text.wrap(WIDTH - 2 * SIDE, HEIGHT)
            if height <= 52:
                break
        text.drawOn(self._canvas, SIDE, HEIGHT - 46 - height / 2)

    def _put(self, blocks: Sequence[Block], left: float, top: float, width: float) -> None:
        """Lay out a column in the largest type in which it fits."""
        from reportlab.platypus import Frame

        share = 0.8 if self._leaf.is_small else 1.0
        plain = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        while share >= SMALLEST:
            story = _loosened(flowables(blocks, self._look.smaller(share), width))
            frame = Frame(left, FOOT, width, top - FOOT, **plain)
            if self._height(story, width) <= top - FOOT:
                frame.addFromList(story, self._canvas)
                if not story:
                    return
            share *= 0.94
        raise ValueError(f"{self._source.key}: slide {self._number} holds too much")

    def _height(self, story: Sequence[Any], width: float) -> float:
        heights = (flowable.wrapOn(self._canvas, width, 10_000)[1] for flowable in story)
        gaps = (max(flowable.getSpaceAfter(), 0) + max(flowable.getSpaceBefore(), 0) for flowable in story)
        return sum(heights) + sum(gaps)

    def _draw_foot(self) -> None:
        from reportlab.lib.colors import HexColor

        canvas = self._canvas
        canvas.setFont("sans", 9)
        canvas.setFillColor(HexColor(GREY))
        canvas.drawString(SIDE, 15, f"{self._source.subtitle}  ·  {self._source.author}"[:90])
        canvas.drawRightString(WIDTH - SIDE, 15, str(self._number))


def _loosened(story: Sequence[Any]) -> list[Any]:
    """The story without its groups, whose heights nobody can ask for."""
    from reportlab.platypus import KeepTogether

    return [part for group in story for part in (group._content if isinstance(group, KeepTogether) else [group])]

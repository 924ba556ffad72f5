"""Slides as PowerPoint saves them: placeholders for title and text, native tables, pictures, notes, hidden slides."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.canvas.documents.blocks import (
    Block,
    CodeBlock,
    Figure,
    Formula,
    Heading,
    Invisible,
    Leaf,
    Listing,
    Paragraph,
    Quotation,
    Run,
    Runs,
    Table,
    words,
)
from sandbox.canvas.documents.office import described, repacked
from sandbox.canvas.documents.pdf_slides import accent_of
from sandbox.canvas.documents.pictures import figure_png
from sandbox.canvas.documents.source import Source

WIDTH, HEIGHT = 960.0, 540.0
SIDE, TOP, FOOT, GAP = 54.0, 108.0, 44.0, 28.0
TITLE_LAYOUT, CONTENT_LAYOUT = 0, 1
SIZE = 22.0
CHARACTER = 0.5
Lines = list[tuple[Runs, int, str]]
"""Runs, the level of a list (from 0), and "bullet", "plain", "code", "formula", "quote" or a number with a dot."""


def slides_pptx(source: Source) -> bytes:
    """The source as a deck; the same source gives the same bytes."""
    from pptx import Presentation
    from pptx.util import Pt

    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(WIDTH), Pt(HEIGHT)
    described(deck.core_properties, source)
    for number, leaf in enumerate(source.leaves, 1):
        PptxSlide(deck, source, leaf, number).draw()
    file = io.BytesIO()
    deck.save(file)
    return repacked(file.getvalue())


class PptxSlide:
    """One slide on its way into a deck."""

    def __init__(self, deck: Any, source: Source, leaf: Leaf, number: int) -> None:
        layout = TITLE_LAYOUT if leaf.is_title_slide else CONTENT_LAYOUT
        self._slide = deck.slides.add_slide(deck.slide_layouts[layout])
        self._source, self._leaf, self._number = source, leaf, number
        self._accent = accent_of(source.course).removeprefix("#").upper()

    def draw(self) -> None:
        """Fill the slide."""
        leaf = self._leaf
        if leaf.is_hidden:
            self._slide._element.set("show", "0")
        if leaf.is_title_slide:
            self._draw_title()
        else:
            self._draw_content()
        if leaf.notes:
            self._slide.notes_slide.notes_text_frame.text = leaf.notes

    def _draw_title(self) -> None:
        title, rest = self._slide.placeholders[0], self._slide.placeholders[1]
        _place(title, 90, 150, WIDTH - 160, 110)
        _place(rest, 90, 270, WIDTH - 160, 130)
        heading = self._leaf.title
        assert heading is not None
        self._write(title.text_frame, [(heading.runs, 0, "title")], 38)
        self._write(rest.text_frame, list(_lines(self._leaf.blocks[1:])), 20)
        self._bar(0, 0, 18, HEIGHT)
        self._put_invisible(self._leaf.blocks)

    def _draw_content(self) -> None:
        leaf, slide = self._leaf, self._slide
        title = slide.placeholders[0]
        _place(title, SIDE, 26, WIDTH - 2 * SIDE, 70)
        if leaf.title:
            size = 30 if len(words(leaf.title.runs)) < 52 else 24
            self._write(title.text_frame, [(leaf.title.runs, 0, "title")], size)
        self._bar(0, 0, WIDTH, 11)
        blocks = leaf.blocks[1:] if leaf.title else leaf.blocks
        columns = [blocks, leaf.right] if leaf.right else [blocks]
        width = (WIDTH - 2 * SIDE - GAP * (len(columns) - 1)) / len(columns)
        body = slide.placeholders[1]
        for at, column in enumerate(columns):
            self._put(column, SIDE + at * (width + GAP), width, body if at == 0 else None)
        self._put_invisible([*leaf.blocks, *leaf.right])
        foot = self._box(SIDE, HEIGHT - 34, WIDTH - 2 * SIDE, 24)
        self._write(foot.text_frame, [([Run(text=f"{self._source.subtitle}    {self._number}")], 0, "plain")], 10)

    def _put(self, blocks: Sequence[Block], left: float, width: float, body: Any) -> None:
        """Stack text, tables and pictures of a column; `body` is the layout's own placeholder for the first text."""
        parts = list(_parts(blocks))
        fixed = [self._height_of(part, width) for part in parts]
        share = min(1.0, (HEIGHT - TOP - FOOT) / (sum(fixed) or 1))
        size = max(11.0, SIZE * (0.82 if self._leaf.is_small else 1) * min(1.0, share**0.6))
        top = TOP
        for part, height in zip(parts, fixed, strict=True):
            height *= share
            if isinstance(part, Table):
                self._put_table(part, left, top, width, height, size)
            elif isinstance(part, Figure):
                self._put_figure(part, left, top, width, height)
            else:
                shape, body = (body, None) if body is not None else (self._box(left, top, width, height), None)
                _place(shape, left, top, width, height)
                self._write(shape.text_frame, part, size)
            top += height
        if body is not None:
            body._element.getparent().remove(body._element)

    def _height_of(self, part: "Lines | Table | Figure", width: float) -> float:
        if isinstance(part, Table):
            return 34.0 * len(part.rows) + (30 if part.caption else 8)
        if isinstance(part, Figure):
            return 300.0
        across = width / (SIZE * CHARACTER)
        rows = sum(1 + int(len(words(runs)) / (across - 3 * level)) for runs, level, _ in part)
        return rows * SIZE * 1.28 + len(part) * 6 + 8

    def _put_table(self, table: Table, left: float, top: float, width: float, height: float, size: float) -> None:
        from pptx.util import Pt

        rows, columns = len(table.rows), max(len(row) for row in table.rows)
        own = height - (26 if table.caption else 4)
        shape = self._slide.shapes.add_table(rows, columns, Pt(left), Pt(top), Pt(width), Pt(own))
        for at, row in enumerate(table.rows):
            shape.table.rows[at].height = Pt(own / rows)
            for column, runs in enumerate(row):
                self._write(shape.table.cell(at, column).text_frame, [(runs, 0, "cell")], min(size, 18) * 0.86)
        if table.caption:
            box = self._box(left, top + own, width, 24)
            self._write(box.text_frame, [(table.caption, 0, "plain")], 12)

    def _put_figure(self, figure: Figure, left: float, top: float, width: float, height: float) -> None:
        from pptx.util import Pt

        caption = 24 if figure.caption else 0
        picture = self._slide.shapes.add_picture(io.BytesIO(figure_png(figure)), Pt(left), Pt(top))
        share = min(width / picture.width.pt, (height - caption - 6) / picture.height.pt)
        picture.width, picture.height = Pt(picture.width.pt * share), Pt(picture.height.pt * share)
        picture.left = Pt(left + (width - picture.width.pt) / 2)
        picture._element.nvPicPr.cNvPr.set("descr", figure.caption)
        if caption:
            box = self._box(left, top + height - caption - 2, width, caption)
            self._write(box.text_frame, [([Run(text=figure.caption)], 0, "plain")], 12)

    def _put_invisible(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            if isinstance(block, Invisible):
                box = self._box(4, HEIGHT - 8, WIDTH - 8, 6)
                self._write(box.text_frame, [([Run(text=block.text)], 0, "white")], 1)

    def _box(self, left: float, top: float, width: float, height: float) -> Any:
        from pptx.util import Pt

        return self._slide.shapes.add_textbox(Pt(left), Pt(top), Pt(width), Pt(height))

    def _bar(self, left: float, top: float, width: float, height: float) -> None:
        from pptx.dml.color import RGBColor
        from pptx.util import Pt

        bar = self._slide.shapes.add_shape(1, Pt(left), Pt(top), Pt(width), Pt(height))
        bar.fill.solid()
        bar.fill.fore_color.rgb = RGBColor.from_string(self._accent)
        bar.line.fill.background()

    def _write(self, frame: Any, lines: Lines, size: float) -> None:
        from sandbox.canvas.documents.pptx_text import write_lines

        write_lines(frame, lines, size, self._accent)


def _place(shape: Any, left: float, top: float, width: float, height: float) -> None:
    from pptx.util import Pt

    shape.left, shape.top, shape.width, shape.height = Pt(left), Pt(top), Pt(width), Pt(height)


def _parts(blocks: Sequence[Block]) -> Iterator["Lines | Table | Figure"]:
    """Tables and figures as they are, and the text between them as lines."""
    lines: Lines = []
    for block in blocks:
        if isinstance(block, Table | Figure):
            if lines:
                yield lines
            lines = []
            yield block
        else:
            lines += _lines([block])
    if lines:
        yield lines


def _lines(blocks: Sequence[Block], level: int = 0, mark: str = "plain") -> Iterator[tuple[Runs, int, str]]:
    for block in blocks:
        if isinstance(block, Heading):
            yield [Run(text=words(block.runs), is_bold=True)], level, "plain"
        elif isinstance(block, Paragraph):
            yield block.runs, level, mark
            mark = "plain" if level == 0 else "indented"
        elif isinstance(block, Listing):
            for at, item in enumerate(block.items):
                own = "bullet" if block.start is None else f"{block.start + at}."
                yield from _lines(item, level if mark == "plain" and level == 0 else level + 1, own)
        elif isinstance(block, CodeBlock):
            for line in block.text.split("\n"):
                yield [Run(text=line or " ", is_code=True)], level, "code"
        elif isinstance(block, Quotation):
            yield from _lines(block.blocks, level, "quote")
        elif isinstance(block, Formula):
            number = [Run(text=f"    ({block.number})")] if block.number else []
            yield [*block.runs, *number], level, "formula"

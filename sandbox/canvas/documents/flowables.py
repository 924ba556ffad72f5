"""Blocks as ReportLab's flowables, in one typographic style."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sandbox.canvas.documents import fonts
from sandbox.canvas.documents.blocks import (
    Block,
    CodeBlock,
    Figure,
    Formula,
    Heading,
    Invisible,
    Listing,
    Paragraph,
    Quotation,
    Run,
    Runs,
    Table,
    words,
)
from sandbox.canvas.documents.figures import drawing

GREY = "#5b6472"
RULE = "#c8ced8"
SHADE = "#f4f6f9"


@dataclass(frozen=True, kw_only=True)
class Typography:
    """Measures in points. face: "serif" or "sans"; accent: color of headings and rules; tallest: of figures."""

    face: str
    size: float
    leading: float
    headings: tuple[float, float, float]
    accent: str
    is_justified: bool = False
    gap: float = 6
    tallest: float = 420

    def smaller(self, share: float) -> "Typography":
        """The same at a share of its size."""
        return replace(
            self,
            size=self.size * share,
            leading=self.leading * share,
            gap=self.gap * share,
            tallest=self.tallest * share,
        )

    def style(self, name: str, **changes: Any) -> Any:
        """A paragraph style in this typography."""
        from reportlab.lib.colors import HexColor
        from reportlab.lib.styles import ParagraphStyle

        fonts.register()
        if "textColor" in changes:
            changes["textColor"] = HexColor(changes["textColor"])
        plain = {"fontName": self.face, "fontSize": self.size, "leading": self.leading, "spaceAfter": self.gap}
        return ParagraphStyle(name, **{**plain, "splitLongWords": 1, "allowWidows": 0, "allowOrphans": 0, **changes})


def flowables(blocks: Sequence[Block], look: Typography, width: float) -> list[Any]:
    """Flowables of blocks for a column of `width` points."""
    return [flowable for block in blocks for flowable in _flowables(block, look, width)]


def _flowables(block: Block, look: Typography, width: float) -> Iterator[Any]:
    if isinstance(block, Heading):
        yield heading(block, look)
    elif isinstance(block, Paragraph):
        yield _text(block.runs, look.style("body", alignment=4 if look.is_justified else 0), look)
    elif isinstance(block, Listing):
        yield _listing(block, look, width)
    elif isinstance(block, CodeBlock):
        yield _code(block, look, width)
    elif isinstance(block, Quotation):
        yield from _quotation(block, look, width)
    elif isinstance(block, Table):
        yield _table(block, look, width)
    elif isinstance(block, Formula):
        yield _formula(block, look, width)
    elif isinstance(block, Figure):
        yield _figure(block, look, width)
    elif isinstance(block, Invisible):
        style = look.style("invisible", fontSize=1, leading=1.2, textColor="#ffffff", spaceAfter=0)
        yield _text([Run(text=block.text)], style, look)


def heading(block: Heading, look: Typography) -> Any:
    """A heading that stays with what follows; `block` is kept on it for contents and running heads."""
    size = look.headings[min(block.level, 3) - 1]
    style = look.style(
        f"h{block.level}",
        fontName=f"{look.face}-bold",
        fontSize=size,
        leading=size * 1.22,
        spaceBefore=size * 0.9,
        spaceAfter=size * 0.35,
        textColor=look.accent,
        keepWithNext=1,
    )
    paragraph = _text(block.runs, style, look)
    paragraph.heading = block
    return paragraph


def _text(runs: Runs, style: Any, look: Typography) -> Any:
    from reportlab.platypus import Paragraph as Text

    return Text(fonts.markup(runs, look.face), style)


def _listing(block: Listing, look: Typography, width: float) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import ListFlowable, ListItem

    indent = look.size * (1.5 if block.start is None else 1.9)
    inner = replace(look, gap=look.gap * 0.45)
    items = [ListItem(flowables(item, inner, width - indent), spaceAfter=look.gap * 0.3) for item in block.items]
    facts = {
        "bulletFontName": look.face,
        "bulletFontSize": look.size,
        "leftIndent": indent,
        "bulletDedent": indent * 0.8,
    }
    if block.start is None:
        bullet = {"bulletType": "bullet", "start": "•", "bulletColor": HexColor(look.accent)}
        return ListFlowable(items, **facts, **bullet)
    return ListFlowable(items, **facts, bulletType="1", start=block.start, bulletFormat="%s.")


def _code(block: CodeBlock, look: Typography, width: float) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Preformatted

    longest = max((len(line) for line in block.text.split("\n")), default=1)
    size = min(look.size * 0.86, (width - 16) / max(1, longest) / 0.602)
    style = look.style("code", fontName=fonts.MONO, fontSize=size, leading=size * 1.35, leftIndent=8, rightIndent=8)
    style.backColor, style.borderPadding = HexColor(SHADE), (5, 6, 6, 6)
    style.spaceBefore = style.spaceAfter = look.gap + 5
    return Preformatted(block.text, style)


def _quotation(block: Quotation, look: Typography, width: float) -> Iterator[Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table as Grid

    inner = flowables(block.blocks, replace(look, gap=look.gap * 0.6), width - 26)
    # One row for each paragraph, so that a long quotation may go on on the next page.
    grid = Grid([["", flowable] for flowable in inner], colWidths=[14, width - 14])
    grid.setStyle([("LINEBEFORE", (1, 0), (1, -1), 2, HexColor(RULE)), *_padding(9, 1)])
    grid.spaceAfter = look.gap
    yield grid


def _table(block: Table, look: Typography, width: float) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import KeepTogether
    from reportlab.platypus import Table as Grid

    shares = (look.smaller(share) for share in (0.92, 0.82, 0.72, 0.62))
    small = next((each for each in shares if sum(_columns(block, each)[0]) <= width), look.smaller(0.62))
    cell, head = small.style("cell", spaceAfter=0), small.style("head", fontName=f"{look.face}-bold", spaceAfter=0)
    rows = [[_text(runs, cell if at else head, look) for runs in row] for at, row in enumerate(block.rows)]
    grid = Grid(rows, colWidths=_widths(block, small, width), repeatRows=1, hAlign="LEFT")
    accent, rule = HexColor(look.accent), HexColor(RULE)
    lines = [("LINEABOVE", (0, 0), (-1, 0), 1.1, accent), ("LINEBELOW", (0, 0), (-1, 0), 0.6, accent)]
    lines += [("LINEBELOW", (0, 1), (-1, -2), 0.3, rule), ("LINEBELOW", (0, -1), (-1, -1), 1.1, accent)]
    grid.setStyle([*lines, ("VALIGN", (0, 0), (-1, -1), "TOP"), *_padding(5, look.size * 0.28)])
    grid.spaceBefore, grid.spaceAfter = look.gap * 0.6, look.gap * 1.4
    parts = [_caption(block.caption, look), grid] if block.caption else [grid]
    return KeepTogether(parts) if len(block.rows) < 16 else parts[-1]


def _columns(block: Table, look: Typography) -> tuple[list[float], list[float]]:
    """Least widths of the columns, in which no word breaks, and those in which every cell is one line."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    fonts.register()

    count = max(len(row) for row in block.rows)
    wants = [30.0] * count
    least = [24.0] * count
    for row in block.rows:
        for at, runs in enumerate(row):
            text = words(runs)
            name = f"{look.face}-bold"
            wants[at] = max(wants[at], stringWidth(text, name, look.size) + 14)
            least[at] = max(
                least[at], max((stringWidth(word, name, look.size) for word in text.split()), default=0) + 12
            )
    return least, wants


def _widths(block: Table, look: Typography, width: float) -> list[float]:
    least, wants = _columns(block, look)
    if sum(wants) <= width:
        return wants
    spare = max(0.0, width - sum(least))
    over = [want - low for want, low in zip(wants, least, strict=True)]
    widths = [low + spare * part / (sum(over) or 1) for low, part in zip(least, over, strict=True)]
    return [points * min(1.0, width / sum(widths)) for points in widths]


def _formula(block: Formula, look: Typography, width: float) -> Any:
    from reportlab.platypus import Table as Grid

    style = look.style("formula", fontName=f"{look.face}-italic", fontSize=look.size * 1.06, alignment=1, spaceAfter=0)
    number = look.style("number", alignment=2, spaceAfter=0)
    side = look.size * 4.4 if block.number else 4
    mark = _text([Run(text=f"({block.number})" if block.number else "")], number, look)
    grid = Grid([["", _text(_leaning(block.runs), style, look), mark]], colWidths=[side, width - 2 * side, side])
    grid.setStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), *_padding(0, 2)])
    grid.spaceBefore = grid.spaceAfter = look.gap
    return grid


def _leaning(runs: Runs) -> Runs:
    return [replace(run, is_italic=True) for run in runs]


def _figure(block: Figure, look: Typography, width: float) -> Any:
    from reportlab.platypus import KeepTogether, Spacer

    sheet = drawing(block, min(width, 470))
    share = min(1.0, look.tallest / sheet.height)
    sheet.width, sheet.height = sheet.width * share, sheet.height * share
    sheet.scale(share, share)
    sheet.hAlign = "CENTER"
    parts = [Spacer(1, look.gap), sheet, Spacer(1, 3)]
    return KeepTogether([*parts, _caption([Run(text=block.caption)], look)] if block.caption else parts)


def _caption(runs: Runs, look: Typography) -> Any:
    size = look.size * 0.86
    return _text(runs, look.style("caption", fontSize=size, leading=size * 1.3, textColor=GREY, spaceAfter=6), look)


def _padding(across: float, down: float) -> list[tuple[Any, ...]]:
    sides = {"LEFTPADDING": across, "RIGHTPADDING": across, "TOPPADDING": down, "BOTTOMPADDING": down}
    return [(side, (0, 0), (-1, -1), points) for side, points in sides.items()]

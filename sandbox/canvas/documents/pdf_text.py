"""PDF of running text: lecture notes, handouts and books, with running heads, contents and printed page numbers."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.canvas.documents import fonts
from sandbox.canvas.documents.blocks import Heading, Run, words
from sandbox.canvas.documents.flowables import GREY, RULE, Typography, flowables
from sandbox.canvas.documents.source import Source

ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True, kw_only=True)
class Trim:
    """A paper and its margins in points: left, right, top, bottom."""

    paper: tuple[float, float]
    margins: tuple[float, float, float, float]
    look: Typography

    @property
    def width(self) -> float:
        """Width of the text."""
        return self.paper[0] - self.margins[0] - self.margins[1]


TRIMS = {
    "notes": Trim(
        paper=(612, 792),
        margins=(78, 78, 72, 68),
        look=Typography(
            face="serif", size=10.4, leading=14.6, headings=(18, 13, 11), accent="#1f3a5f", is_justified=True
        ),
    ),
    "handout": Trim(
        paper=(612, 792),
        margins=(60, 60, 60, 56),
        look=Typography(face="sans", size=9.8, leading=13.8, headings=(17, 12.5, 10.6), accent="#7a1f2b"),
    ),
    "book": Trim(
        paper=(396, 612),
        margins=(48, 48, 54, 50),
        look=Typography(
            face="serif", size=9.6, leading=13.2, headings=(17, 12, 10.4), accent="#222222", is_justified=True, gap=4.5
        ),
    ),
}


def text_pdf(source: Source) -> bytes:
    """The source as a PDF of running text; the same source gives the same bytes."""
    return PdfText(source).content()


class PdfText:
    """One document on its way to paper."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._trim = TRIMS[source.style]
        self._front = int(source.head.get("front", 0))

    def content(self) -> bytes:
        """Lay out everything, twice where there is a contents page."""
        from reportlab.platypus import BaseDocTemplate

        fonts.register()
        file = io.BytesIO()
        source, pages = self._source, self._templates()
        template = BaseDocTemplate(
            file,
            pagesize=self._trim.paper,
            pageTemplates=pages,
            title=source.title,
            author=source.author,
            subject=source.subtitle,
            lang=source.head.get("language", "en"),
            invariant=1,
        )
        template.afterFlowable = lambda flowable: self._note_heading(template, flowable)
        template.multiBuild(self._story(), canvasmaker=self._canvas) if source.head.get("toc") else template.build(
            self._story(), canvasmaker=self._canvas
        )
        return file.getvalue()

    def _canvas(self, *args: Any, **options: Any) -> Any:
        from reportlab.pdfgen.canvas import Canvas

        return Canvas(*args, **{**options, "invariant": 1, "lang": self._source.head.get("language", "en")})

    def _templates(self) -> list[Any]:
        from reportlab.platypus import Frame, PageTemplate

        (width, height), (left, right, top, bottom) = self._trim.paper, self._trim.margins
        columns = int(self._source.head.get("columns", 1))
        gap = 20 if columns > 1 else 0
        own = (width - left - right - gap * (columns - 1)) / columns
        plain = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        frames = [
            Frame(left + at * (own + gap), bottom, own, height - top - bottom, id=f"c{at}", **plain)
            for at in range(columns)
        ]
        return [PageTemplate(id="page", frames=frames, onPage=self._furniture)]

    @property
    def _column(self) -> float:
        columns = int(self._source.head.get("columns", 1))
        return (self._trim.width - 20 * (columns - 1)) / columns

    def _story(self) -> list[Any]:
        from reportlab.platypus import PageBreak

        story: list[Any] = self._title()
        if self._source.head.get("toc"):
            story += [*self._contents(), PageBreak()]
        for at, leaf in enumerate(self._source.leaves):
            look = self._trim.look.smaller(0.86) if leaf.is_small else self._trim.look
            blocks = [*leaf.blocks, *leaf.right]
            if at == 0 and leaf.title and leaf.title.level == 1:
                blocks = blocks[1:]
            story += [PageBreak()] if at else []
            story += flowables(blocks, look, self._column)
        return story

    def _title(self) -> list[Any]:
        """Title, subtitle and author, where the text begins with a title of its own or says none."""
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import HRFlowable
        from reportlab.platypus import Paragraph as Text

        look, leaves = self._trim.look, self._source.leaves
        own = leaves[0].title if leaves and leaves[0].title and leaves[0].title.level == 1 else None
        size = look.headings[0] * 1.15
        runs: Sequence[Run] = own.runs if own else [Run(text=self._source.title)]
        style = look.style("title", fontName=f"{look.face}-bold", fontSize=size, leading=size * 1.2, spaceAfter=4)
        small = look.style("by", textColor=GREY, fontSize=look.size * 0.95, spaceAfter=6)
        by = f"{self._source.subtitle} · {self._source.author}"
        rule = HRFlowable(width="100%", thickness=0.8, color=HexColor(look.accent), spaceBefore=2, spaceAfter=12)
        return [Text(fonts.markup(runs, look.face), style), Text(fonts.marked_text(by, look.face), small), rule]

    def _contents(self) -> list[Any]:
        from reportlab.platypus import Paragraph as Text
        from reportlab.platypus.tableofcontents import TableOfContents

        look = self._trim.look
        word = "Índice" if self._source.head.get("language") == "es" else "Contents"
        contents = TableOfContents(dotsMinLevel=0, formatter=self._label)
        contents.levelStyles = [look.style(f"toc{at}", leftIndent=14 * at, spaceAfter=1) for at in range(2)]
        return [Text(word, look.style("tocs", fontName=f"{look.face}-bold", fontSize=look.headings[1])), contents]

    def _note_heading(self, template: Any, flowable: Any) -> None:
        block: Heading | None = getattr(flowable, "heading", None)
        if block is None or block.level > 2:
            return
        text = fonts.markup(block.runs, self._trim.look.face)
        template.notify("TOCEntry", (block.level - 1, text, template.page))
        template.canv.bookmarkPage(key := f"p{template.page}")
        template.canv.addOutlineEntry(words(block.runs), key, 0, 0)
        if block.level == 1:
            template.canv.running = words(block.runs)

    def _label(self, page: int) -> str:
        return _roman(page) if page <= self._front else str(page - self._front)

    def _furniture(self, canvas: Any, template: Any) -> None:
        from reportlab.lib.colors import HexColor

        page, look = canvas.getPageNumber(), self._trim.look
        (width, height), (left, right, top, _) = self._trim.paper, self._trim.margins
        if self._front:
            roman = page <= self._front
            number = page if roman else page - self._front
            canvas.addPageLabel(page - 1, style="ROMAN_LOWER" if roman else "ARABIC", start=number)
        canvas.saveState()
        canvas.setFont(look.face, 8)
        canvas.setFillColor(HexColor(GREY))
        label = self._label(page)
        if self._source.style == "book":
            outside = width - right if page % 2 else left
            (canvas.drawRightString if page % 2 else canvas.drawString)(outside, 30, label)
            if page > 1:
                canvas.drawCentredString(width / 2, height - 36, self._running(canvas))
        else:
            canvas.drawCentredString(width / 2, 36, label)
            if page > 1:
                canvas.drawString(left, height - top + 24, self._source.subtitle)
                canvas.drawRightString(width - right, height - top + 24, self._source.title[:70])
                canvas.setStrokeColor(HexColor(RULE))
                canvas.line(left, height - top + 18, width - right, height - top + 18)
        canvas.restoreState()

    def _running(self, canvas: Any) -> str:
        return str(getattr(canvas, "running", "") or self._source.title)[:70]


def _roman(number: int) -> str:
    written = ""
    for value, letters in ROMAN:
        while number >= value:
            written, number = written + letters, number - value
    return written

"""Lines of text in a PowerPoint frame: bullets and numbers of their level, and runs with their looks."""

from collections.abc import Sequence
from typing import Any

from sandbox.canvas.documents.blocks import Run, Runs

INDENT = 20.0
MONO = "Consolas"


def write_lines(frame: Any, lines: Sequence[tuple[Runs, int, str]], size: float, accent: str) -> None:
    """Write lines into an empty frame; see `pptx_slides.Lines` for what they are."""
    from pptx.util import Pt

    frame.word_wrap = True
    for at, (runs, level, kind) in enumerate(lines):
        paragraph = frame.paragraphs[0] if at == 0 else frame.add_paragraph()
        paragraph.level = min(level, 8)
        paragraph.space_after = Pt(0 if kind in ("code", "cell") else size * 0.3)
        _mark(paragraph, level, kind, size)
        for run in runs:
            _write(paragraph, run, size * (0.9 if level else 1), kind, accent)


def _mark(paragraph: Any, level: int, kind: str, size: float) -> None:
    from lxml import etree
    from pptx.enum.text import PP_ALIGN
    from pptx.oxml.ns import qn
    from pptx.util import Pt

    properties = paragraph._p.get_or_add_pPr()
    if kind == "formula":
        paragraph.alignment = PP_ALIGN.CENTER
    if kind in ("title", "plain", "white"):
        paragraph.alignment = PP_ALIGN.LEFT
    is_item = kind == "bullet" or kind.endswith(".")
    left = INDENT * (level + 1) if is_item or kind == "indented" else (INDENT if kind in ("quote", "code") else 0)
    properties.set("marL", str(int(Pt(left))))
    properties.set("indent", str(int(Pt(-INDENT * 0.8)) if is_item else 0))
    if kind == "bullet":
        etree.SubElement(properties, qn("a:buChar"), char="•" if level == 0 else "–")
    elif is_item:
        attributes = {"type": "arabicPeriod", "startAt": kind.removesuffix(".")}
        etree.SubElement(properties, qn("a:buAutoNum"), attributes)
    else:
        etree.SubElement(properties, qn("a:buNone"))


def _write(paragraph: Any, run: Run, size: float, kind: str, accent: str) -> None:
    from pptx.dml.color import RGBColor
    from pptx.util import Pt

    first, *more = run.text.split("\n")
    for at, text in enumerate((first, *more)):
        if at:
            paragraph.add_line_break()
        written = paragraph.add_run()
        written.text = text
        font = written.font
        font.size = Pt(round(size * 2) / 2)
        font.bold = True if run.is_bold or kind == "title" else None
        font.italic = True if run.is_italic or kind in ("quote", "formula") else None
        if run.is_code:
            font.name = MONO
        if run.shift:
            font._element.set("baseline", "30000" if run.shift > 0 else "-25000")
        if kind == "title":
            font.color.rgb = RGBColor.from_string(accent)
        if kind == "white":
            font.color.rgb = RGBColor(255, 255, 255)
        if run.link.startswith("http"):
            written.hyperlink.address = run.link

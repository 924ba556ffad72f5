"""A Word file: headings, lists, tables, pictures and formulas in Word's own styles."""

import io
from collections.abc import Sequence
from typing import Any

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
)
from sandbox.canvas.documents.office import described, repacked
from sandbox.canvas.documents.pictures import figure_png
from sandbox.canvas.documents.source import Source

MONO = "Consolas"
BULLETS = ("List Bullet", "List Bullet 2", "List Bullet 3")
NUMBERS = ("List Number", "List Number 2", "List Number 3")


def text_docx(source: Source) -> bytes:
    """The source as a Word file; the same source gives the same bytes."""
    from docx import Document as Word
    from docx.shared import Pt

    file = Word()
    described(file.core_properties, source)
    style = file.styles["Normal"]
    style.font.name, style.font.size = "Calibri", Pt(11)
    leaves = source.leaves
    own = leaves[0].title if leaves and leaves[0].title and leaves[0].title.level == 1 else None
    _write(file.add_paragraph(style="Title"), own.runs if own else [Run(text=source.title)])
    _write(file.add_paragraph(style="Subtitle"), [Run(text=f"{source.subtitle} · {source.author}")])
    for at, leaf in enumerate(leaves):
        blocks = [*leaf.blocks, *leaf.right]
        _add(file, blocks[1:] if at == 0 and own else blocks)
    result = io.BytesIO()
    file.save(result)
    return repacked(result.getvalue())


def _add(file: Any, blocks: Sequence[Block], level: int = 0, style: str | None = None) -> None:
    for block in blocks:
        if isinstance(block, Heading):
            _write(file.add_heading(level=min(block.level, 4)), block.runs)
        elif isinstance(block, Paragraph):
            _write(file.add_paragraph(style=style), block.runs)
        elif isinstance(block, Listing):
            names = BULLETS if block.start is None else NUMBERS
            for item in block.items:
                _add(file, item, level + 1, names[min(level, 2)])
        elif isinstance(block, CodeBlock):
            _write(file.add_paragraph(style="No Spacing"), [Run(text=block.text, is_code=True)])
        elif isinstance(block, Quotation):
            _add(file, block.blocks, level, "Quote")
        elif isinstance(block, Table):
            _add_table(file, block)
        elif isinstance(block, Formula):
            _add_formula(file, block)
        elif isinstance(block, Figure):
            _add_figure(file, block)
        elif isinstance(block, Invisible):
            _add_invisible(file, block.text)


def _add_table(file: Any, table: Table) -> None:
    if table.caption:
        _write(file.add_paragraph(style="Caption"), table.caption)
    grid = file.add_table(len(table.rows), max(len(row) for row in table.rows), style="Light Grid Accent 1")
    for cells, row in zip(grid.rows, table.rows, strict=True):
        for at, runs in enumerate(row):
            _write(cells.cells[at].paragraphs[0], runs)
    file.add_paragraph()


def _add_formula(file: Any, formula: Formula) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    paragraph = file.add_paragraph()
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    number = [Run(text=f"\t({formula.number})")] if formula.number else []
    _write(paragraph, [*formula.runs, *number])


def _add_figure(file: Any, figure: Figure) -> None:
    from docx.shared import Inches

    shape = file.add_picture(io.BytesIO(figure_png(figure)), width=Inches(5.6))
    shape._inline.docPr.set("descr", figure.caption)
    if figure.caption:
        _write(file.add_paragraph(style="Caption"), [Run(text=figure.caption)])


def _add_invisible(file: Any, text: str) -> None:
    from docx.shared import Pt, RGBColor

    run = file.add_paragraph().add_run(text)
    run.font.size, run.font.color.rgb = Pt(1), RGBColor(255, 255, 255)


def _write(paragraph: Any, runs: Runs) -> None:
    for run in runs:
        written = paragraph.add_run(run.text)
        written.bold, written.italic = run.is_bold or None, run.is_italic or None
        written.font.superscript, written.font.subscript = run.shift > 0 or None, run.shift < 0 or None
        if run.is_code:
            written.font.name = MONO

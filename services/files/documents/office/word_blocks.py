"""DOCX reader: text by heading, with tables, lists, formulas, footnotes; comments as notes (ISO/IEC 29500-1 §17).

Deleted words of tracked changes are left out, inserted ones are read; hidden and white text is left out. What is not
read, as a drawing without words, is said at its place.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from services.files.documents.office.formula_tex import FORMULA, formula_tex
from services.files.documents.office.package import OfficePackage, damaged
from services.files.documents.office.word_embedded import DRAWINGS, WordDrawings, embedded_blocks
from services.files.documents.office.word_line import Piece, line_text
from services.files.documents.office.word_notes import WordNotes
from services.files.documents.office.word_numbers import BULLET, ListNumbers
from services.files.documents.office.word_styles import (
    NO_STYLE,
    PLAIN,
    Look,
    Style,
    look_of,
    outline,
    value_of,
    word_styles,
)
from services.files.documents.office.word_symbols import in_font, symbol
from services.files.documents.office.word_tables import is_frame, nested_tables, own_cells, own_rows, table_lines
from services.files.documents.sections import Block
from services.safety.rich_text import notation, tex

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_LEFT_OUT = {
    f"{W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "tblPr", "tcPr", "sdtPr", "delText", "sectPr")
} | {f"{_MC}Fallback"}
_SIGNS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_WRAPPERS = tuple(f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))
_WHITE = ("FFFFFF", "FEFEFE")
_DEEPEST = 240
_LONGEST_RAISED = 8
"""Letters that a mere shift of their place raises; longer ones are set for their look."""


def word_blocks(package: OfficePackage) -> Iterator[Block]:
    """Paragraphs and tables of a Word document in their order."""
    return _blocks(package, is_embedded=False)


def _embedded_word_blocks(package: OfficePackage) -> Iterator[Block]:
    """Blocks of a Word file that stands in another one; what stands in it in turn is not opened."""
    return _blocks(package, is_embedded=True)


def _blocks(package: OfficePackage, *, is_embedded: bool) -> Iterator[Block]:
    document = package.xml(package.main)
    body = None if document is None else document.find(f"{W}body")
    if body is None:
        raise damaged()
    return _Reader(package, is_embedded=is_embedded).blocks(body, 0)


class _Reader:
    def __init__(self, package: OfficePackage, *, is_embedded: bool) -> None:
        def part(kind: str) -> Any:
            return package.xml(package.related(package.main, kind))

        self._package, self._is_embedded = package, is_embedded
        self._styles = word_styles(part("styles"))
        self._numbers = ListNumbers(part("numbering"))
        self._drawings = WordDrawings(package)
        self._notes = WordNotes(part("footnotes"), part("endnotes"), part("comments"), part("settings"))
        self._is_in_note = False
        self._begin()

    def _begin(self) -> None:
        self._told: list[str] = []
        self._footnotes: list[str] = []
        self._images = 0
        self._has_hidden = False

    def blocks(self, body: Any, depth: int) -> Iterator[Block]:
        for element in body.iterchildren():
            if element.tag == f"{W}p":
                yield from self._paragraph(element)
            elif element.tag == f"{W}tbl":
                yield from self._table(element, depth)
            elif element.tag == f"{W}altChunk":
                read_word = None if self._is_embedded else _embedded_word_blocks
                yield from embedded_blocks(self._package, element, read_word)
            elif element.tag in _WRAPPERS and depth < _DEEPEST:
                yield from self.blocks(element, depth + 1)

    def _paragraph(self, paragraph: Any) -> Iterator[Block]:
        style = self._style(paragraph)
        if style.is_contents:
            return
        mark = self._mark(paragraph, style)
        text = self._text(paragraph)
        level = outline(paragraph) or style.level
        if level and text:
            heading = " ".join(text.split())
            yield self._made(heading if mark in ("", BULLET) else f"{mark} {heading}", level)
        else:
            yield self._made(f"{mark} {text}" if text and mark else text)

    def _made(self, text: str, level: int = 0) -> Block:
        text = "\n".join([text, *self._footnotes]) if self._footnotes and not level else text
        block = Block(text, level, "\n".join(self._told), self._images, self._has_hidden)
        kept = self._footnotes if level else []
        self._begin()
        self._footnotes = kept
        return block

    def _style(self, paragraph: Any) -> Style:
        properties = paragraph.find(f"{W}pPr")
        return NO_STYLE if properties is None else self._styles.get(value_of(properties, "pStyle"), NO_STYLE)

    def _mark(self, paragraph: Any, style: Style) -> str:
        """The list mark of a paragraph, counted; "" for none."""
        numbering = paragraph.find(f"{W}pPr/{W}numPr")
        list_id = ("" if numbering is None else value_of(numbering, "numId")) or style.list_id
        if list_id == "0":
            return ""
        if not list_id:
            return BULLET if style.is_list or numbering is not None else ""
        level = "" if numbering is None else value_of(numbering, "ilvl")
        if level in tuple("012345678") and level:
            return self._numbers.mark(list_id, int(level))
        by_style = value_of(paragraph.find(f"{W}pPr"), "pStyle") if style is not NO_STYLE else ""
        at = style.list_level if style.list_level is not None else self._numbers.level_of_style(list_id, by_style)
        return self._numbers.mark(list_id, at)

    def _text(self, element: Any, depth: int = 0) -> str:
        """Text of a paragraph, or of a cell's or a note's."""
        look = self._style(element).look if element.tag == f"{W}p" else PLAIN
        return line_text(self._pieces(element, depth, look)).strip()

    def _pieces(self, element: Any, depth: int, look: Look) -> Iterator[Piece]:
        for child in element.iterchildren():
            tag = child.tag
            if tag in _LEFT_OUT or not isinstance(tag, str):
                continue
            if tag == f"{W}t":
                yield Piece(in_font(child.text or "", look.font or ""), look)
            elif tag in _SIGNS:
                yield Piece(_SIGNS[tag], look)
            elif tag == f"{W}r":
                yield from self._run(child, depth, look)
            elif tag in _SPECIAL:
                yield from _SPECIAL[tag](self, child, depth, look)
            elif tag in DRAWINGS:
                yield from self._drawing(child, depth)
            elif depth < _DEEPEST:
                yield from self._pieces(child, depth + 1, look)
                if tag == f"{W}p":
                    yield Piece("\n")

    def _run(self, run: Any, depth: int, paragraph_look: Look) -> Iterator[Piece]:
        properties = run.find(f"{W}rPr")
        look = paragraph_look
        if properties is not None:
            by_style = self._styles.get(value_of(properties, "rStyle"), NO_STYLE).look
            look = look_of(properties).over(by_style).over(paragraph_look)
        if look.is_hidden or (properties is not None and _is_white(properties) and not _is_on_ground(run)):
            self._has_hidden |= next(run.iter(f"{W}t"), None) is not None
            return
        if properties is not None and look.height and value_of(properties, "position"):
            look = look if _is_short(run) else replace(look, height="")
        if depth < _DEEPEST:
            yield from self._pieces(run, depth + 1, look)

    def _symbol_piece(self, element: Any, _depth: int, look: Look) -> Iterator[Piece]:
        yield Piece(symbol(element.get(f"{W}font", ""), element.get(f"{W}char", "")), look)

    def _field_piece(self, element: Any, _depth: int, look: Look) -> Iterator[Piece]:
        """What a field says that shows no result of its own."""
        words = (element.text or "").split()
        if len(words) > 1 and words[0].upper() == "EQ":
            yield Piece("[a formula that was not read]")
        elif len(words) > 1 and words[0].upper() == "SYMBOL" and words[1].isdecimal() and len(words[1]) < 6:
            font = " ".join(words[words.index("\\f") + 1 :]).partition("\\")[0].strip(' "') if "\\f" in words else ""
            yield Piece(symbol(font, f"{int(words[1]):04X}"), look)

    def _formula(self, element: Any, _depth: int, _look: Look) -> Iterator[Piece]:
        yield Piece(tex.inline(formula_tex(element)))

    def _reading(self, element: Any, depth: int, look: Look) -> Iterator[Piece]:
        base, reading = element.find(f"{W}rubyBase"), element.find(f"{W}rt")
        texts = ["" if part is None else line_text(self._pieces(part, depth + 1, PLAIN)) for part in (base, reading)]
        yield Piece(notation.with_reading(*texts), look)

    def _note(self, reference: Any, depth: int, _look: Look) -> Iterator[Piece]:
        note = None if self._is_in_note else self._notes.referred(reference)
        if note is not None:
            self._is_in_note = True
            lines = [" ".join(self._text(part, depth).split()) for part in note.element.iterchildren(f"{W}p")]
            self._is_in_note = False
            self._footnotes.append(f"[{note.mark}] {' '.join(line for line in lines if line)}")
            yield Piece(f"[{note.mark}]")

    def _comment(self, reference: Any, _depth: int, _look: Look) -> Iterator[Piece]:
        comment = self._notes.comment(reference)
        if comment:
            self._told.append(comment)
        yield from ()

    def _inner_table(self, table: Any, depth: int, _look: Look) -> Iterator[Piece]:
        """A table within a text box, or within a cell that is told as text."""
        if depth < _DEEPEST:
            yield Piece("\n" + "\n".join(table_lines(table, lambda cell: self._cell(cell, depth + 1))) + "\n")

    def _drawing(self, drawing: Any, depth: int) -> Iterator[Piece]:
        self._images += self._drawings.images(drawing)
        boxed = ""
        if depth < _DEEPEST:
            boxed = line_text(self._pieces(drawing, depth + 1, PLAIN))
        if boxed.strip():
            yield Piece(boxed)
        else:
            yield Piece(self._drawings.text(drawing))

    def _table(self, table: Any, depth: int) -> Iterator[Block]:
        if is_frame(table) and depth < _DEEPEST:
            for row in own_rows(table):
                for cell in own_cells(row):
                    yield from self.blocks(cell, depth + 1)
            return
        yield self._made("\n".join(table_lines(table, lambda cell: self._cell(cell, 0))))
        for inner in nested_tables(table) if depth < _DEEPEST else ():
            yield from self._table(inner, depth + 1)

    def _cell(self, cell: Any, depth: int) -> str:
        """A cell on one line. A table in it is told behind the one that it stands in."""
        lines: list[str] = []
        for element in _flat(cell):
            if element.tag == f"{W}p":
                mark = self._mark(element, self._style(element))
                text = " / ".join(
                    filter(None, (" ".join(line.split()) for line in self._text(element, depth).split("\n")))
                )
                lines.append(f"{mark} {text}" if mark and text else text)
            elif element.tag == f"{W}tbl":
                lines.append("(table below)")
        return " / ".join(line for line in lines if line)


_SPECIAL = {
    f"{W}sym": _Reader._symbol_piece,
    f"{W}instrText": _Reader._field_piece,
    FORMULA: _Reader._formula,
    f"{W}ruby": _Reader._reading,
    f"{W}footnoteReference": _Reader._note,
    f"{W}endnoteReference": _Reader._note,
    f"{W}commentReference": _Reader._comment,
    f"{W}tbl": _Reader._inner_table,
}


def _flat(cell: Any, depth: int = 0) -> Iterator[Any]:
    """Paragraphs and tables of a cell, also of those in content controls."""
    for element in cell.iterchildren():
        if element.tag in _WRAPPERS and depth < _DEEPEST:
            yield from _flat(element, depth + 1)
        else:
            yield element


def _is_short(run: Any) -> bool:
    return sum(len(text.text or "") for text in run.iter(f"{W}t")) <= _LONGEST_RAISED


def _is_white(properties: Any) -> bool:
    color = properties.find(f"{W}color")
    is_white = color is not None and color.get(f"{W}val", "").upper() in _WHITE
    return is_white and properties.find(f"{W}shd") is None and properties.find(f"{W}highlight") is None


def _is_on_ground(run: Any) -> bool:
    """Whether white letters may stand on something dark: in a shaded paragraph, a table or a text box."""
    for above in run.iterancestors():
        if above.tag in (f"{W}tbl", f"{W}txbxContent"):
            return True
        if above.tag == f"{W}p" and above.find(f"{W}pPr/{W}shd") is not None:
            return True
    return False

"""DOCX reader: text by heading, with tables, lists, formulas, footnotes; comments as notes (ISO/IEC 29500-1 §17).

Deleted words of tracked changes are left out, inserted ones are read; hidden and white text is left out.
"""

import re
from collections.abc import Iterator
from typing import Any

from services.files.documents.office.drawing_ml import A
from services.files.documents.office.formula import FORMULA, formula_text
from services.files.documents.office.package import OfficePackage, damaged
from services.files.documents.sections import Block

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_LEFT_OUT = {f"{W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "delText", "sectPr")} | {
    f"{_MC}Fallback"
}
_SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_PARTS = ("styles", "footnotes", "endnotes", "comments")
_OFF = ("0", "false", "off", "none")
_WHITE = ("FFFFFF", "FEFEFE")
_SMALLEST = 4
"""Half points; letters of this size and smaller are hidden ones."""
_DEEPEST = 240


def word_blocks(package: OfficePackage) -> Iterator[Block]:
    """Paragraphs and tables of a Word document in their order."""
    document = package.xml(package.main)
    body = None if document is None else document.find(f"{W}body")
    if body is None:
        raise damaged()
    return _Reader(package).blocks(body, 0)


class _Reader:
    def __init__(self, package: OfficePackage) -> None:
        parts = {kind: package.xml(package.related(package.main, kind)) for kind in _PARTS}
        self._levels, self._lists, self._hidden, self._contents = _styles(parts["styles"])
        self._notes = _numbered(parts["footnotes"], f"{W}footnote")
        self._notes |= {f"e{id}": text for id, text in _numbered(parts["endnotes"], f"{W}endnote").items()}
        self._comments = _numbered(parts["comments"], f"{W}comment")
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
                yield self._made("\n".join(self._rows(element)))
            elif (
                element.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml")
                and depth < _DEEPEST
            ):
                yield from self.blocks(element, depth + 1)

    def _paragraph(self, paragraph: Any) -> Iterator[Block]:
        style = _style(paragraph)
        if style in self._contents:
            return
        text = "".join(self._texts(paragraph, 0)).strip()
        level = _outline(paragraph) or self._levels.get(style, 0)
        is_item = paragraph.find(f"{W}pPr/{W}numPr") is not None or style in self._lists
        if level and "\n" not in text and text:
            yield self._made(text, level)
        else:
            yield self._made(f"- {text}" if text and is_item else text)

    def _made(self, text: str, level: int = 0) -> Block:
        text = "\n".join([text, *self._footnotes]) if self._footnotes and not level else text
        block = Block(text, level, "\n".join(self._told), self._images, self._has_hidden)
        kept = self._footnotes if level else []
        self._begin()
        self._footnotes = kept
        return block

    def _texts(self, element: Any, depth: int) -> Iterator[str]:
        for child in element.iterchildren():
            tag = child.tag
            if tag in _LEFT_OUT or not isinstance(tag, str):
                continue
            if tag == f"{W}t":
                yield child.text or ""
            elif tag in _SIGNS:
                yield _SIGNS[tag]
            elif tag == FORMULA:
                yield formula_text(child)
            elif tag == f"{W}r" and self._is_hidden(child):
                self._has_hidden |= next(child.iter(f"{W}t"), None) is not None
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                yield from self._footnote(child)
            elif tag == f"{W}commentReference":
                self._told += [text] if (text := self._comments.get(child.get(f"{W}id", ""))) else []
            elif depth < _DEEPEST:
                self._images += tag == f"{A}blip" or tag.endswith("}imagedata")
                text = "".join(self._texts(child, depth + 1))
                yield f"{text}\n" if tag == f"{W}p" else text

    def _footnote(self, reference: Any) -> Iterator[str]:
        prefix = "e" if reference.tag == f"{W}endnoteReference" else ""
        id = reference.get(f"{W}id", "")
        if text := self._notes.get(prefix + id):
            self._footnotes.append(f"[{prefix}{id}] {text}")
            yield f"[{prefix}{id}]"

    def _is_hidden(self, run: Any) -> bool:
        properties = run.find(f"{W}rPr")
        if properties is None:
            return False
        style = properties.find(f"{W}rStyle")
        if _hides(properties) or (style is not None and style.get(f"{W}val", "") in self._hidden):
            return True
        return _is_white(properties) and not _is_on_ground(run)

    def _rows(self, table: Any) -> Iterator[str]:
        for row in table.iterchildren(f"{W}tr"):
            cells = (" / ".join(self._lines(cell)) for cell in row.iterchildren(f"{W}tc"))
            yield f"| {' | '.join(cells)} |"

    def _lines(self, cell: Any) -> Iterator[str]:
        lines = "".join(self._texts(cell, 0)).split("\n")
        return (line for line in (" ".join(line.split()) for line in lines) if line)


def _styles(root: Any) -> tuple[dict[str, int], set[str], set[str], set[str]]:
    """Of the styles: heading levels, those of lists, those that hide, and those of tables of contents."""
    levels: dict[str, int] = {}
    lists, hidden, contents = set[str](), set[str](), set[str]()
    for style in () if root is None else root.iterchildren(f"{W}style"):
        id = style.get(f"{W}styleId", "")
        name_of = style.find(f"{W}name")
        name = "" if name_of is None else name_of.get(f"{W}val", "").casefold()
        if name == "title":
            levels[id] = 1
        elif heading := re.fullmatch(r"heading ([1-9])", name):
            levels[id] = int(heading[1])
        elif level := _outline(style):
            levels[id] = level
        elif name.startswith("list"):
            lists.add(id)
        elif name.startswith("toc "):
            contents.add(id)
        properties = style.find(f"{W}rPr")
        if properties is not None and _hides(properties):
            hidden.add(id)
    for style in () if root is None else root.iterchildren(f"{W}style"):
        based = style.find(f"{W}basedOn")
        if based is not None and based.get(f"{W}val") in levels and style.get(f"{W}type") == "paragraph":
            levels.setdefault(style.get(f"{W}styleId", ""), levels[based.get(f"{W}val")])
    return levels, lists, hidden, contents


def _hides(properties: Any) -> bool:
    for name in ("vanish", "webHidden"):
        mark = properties.find(f"{W}{name}")
        if mark is not None and mark.get(f"{W}val", "1") not in _OFF:
            return True
    size = properties.find(f"{W}sz")
    points = "" if size is None else size.get(f"{W}val", "")
    return points.isascii() and points.isdecimal() and int(points[:9]) <= _SMALLEST


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


def _style(paragraph: Any) -> str:
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    return "" if style is None else str(style.get(f"{W}val", ""))


def _outline(element: Any) -> int:
    """Heading level that an element sets itself, from 1; 0 for none (9 is body text)."""
    level = element.find(f"{W}pPr/{W}outlineLvl")
    value = "" if level is None else level.get(f"{W}val", "")
    return int(value) + 1 if value in tuple("012345678") and value else 0


def _numbered(root: Any, tag: str) -> dict[str, str]:
    """Footnotes or comments by their ids; a comment with its author."""
    found: dict[str, str] = {}
    for note in () if root is None else root.iterchildren(tag):
        if note.get(f"{W}type") in ("separator", "continuationSeparator"):
            continue
        lines = (" ".join("".join(text.text or "" for text in p.iter(f"{W}t")).split()) for p in note.iter(f"{W}p"))
        author = note.get(f"{W}author", "")
        text = " ".join(line for line in lines if line)
        found[note.get(f"{W}id", "")] = f"{author}: {text}" if author else text
    return found

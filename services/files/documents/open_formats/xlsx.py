"""XLSX reader: values of the cells as they were last shown; formulas are not worked out, and links not followed.

Source: ISO/IEC 29500-1 §18.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.files.documents.office.number_format import format_kind, shown_value
from services.files.documents.office.package import OfficePackage, damaged
from services.files.documents.open_formats.sheets import Sheet, sheet_blocks
from services.files.documents.sections import Block

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_DATES = {14: "d", 15: "d", 16: "d", 17: "d", 18: "t", 19: "t", 20: "t", 21: "t", 22: "dt", 45: "t", 46: "t", 47: "t"}
"""Built-in number formats of days and times (§18.8.30)."""
_PERCENTS = {9: "%0", 10: "%2"}
_COLUMN = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_RANGE = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_MOST_COLUMNS = 200
_MOST_MERGED = 20_000


def xlsx_blocks(package: OfficePackage) -> Iterator[Block]:
    """Blocks of the sheets that are shown. Raises `FileRefused` for a damaged file."""
    book = package.xml(package.main)
    if book is None:
        raise damaged()
    return sheet_blocks(_Workbook(package, book).sheets())


@dataclass
class _Workbook:
    package: OfficePackage
    book: Any
    texts: Sequence[str] = field(init=False)
    formats: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        main = self.package.main
        shared = self.package.xml(self.package.related(main, "sharedStrings"))
        self.texts = [] if shared is None else [_rich_text(text) for text in shared.iterchildren(f"{_S}si")]
        self.formats = _formats(self.package.xml(self.package.related(main, "styles")))
        properties = self.book.find(f"{_S}workbookPr")
        self._is_1904 = properties is not None and properties.get("date1904") in ("1", "true")

    def sheets(self) -> Iterator[Sheet]:
        relations = self.package.relations(self.package.main)
        for sheet in self.book.iter(f"{_S}sheet"):
            kind, part = relations.get(sheet.get(_R, ""), ("", ""))
            name = sheet.get("name", "")
            if kind != "worksheet":
                yield Sheet(name=name, rows=iter([["[a chart that was not read]"]]))
                continue
            is_hidden = sheet.get("state", "visible") != "visible"
            yield Sheet(name=name, rows=iter(()) if is_hidden else self._rows(part), is_hidden=is_hidden)

    def _rows(self, part: str) -> Iterator[list[str]]:
        root = self.package.xml(part)
        if root is None:
            return
        hidden = _hidden_columns(root)
        merged = _merged(root)
        shown: dict[tuple[int, int], str] = {}
        starts: dict[int, set[int]] = {}
        for places in merged.values():
            for row_number, column in places.values():
                starts.setdefault(row_number, set()).add(column)
        for at, row in enumerate(root.iter(f"{_S}row"), 1):
            number = _number(row.get("r"), at)
            if row.get("hidden") in ("1", "true"):
                continue
            cells: dict[int, str] = {}
            for order, cell in enumerate(row.iterchildren(f"{_S}c")):
                place = _COLUMN.fullmatch(cell.get("r", ""))
                cells[_column(place[1]) if place else order] = self._text(cell)
            for column, start in merged.get(number, {}).items():
                if not cells.get(column):
                    cells[column] = shown.get(start, "") if start[0] != number else cells.get(start[1], "")
            shown |= {(number, column): cells.get(column, "") for column in starts.get(number, ())}
            last = min(max(cells, default=-1), _MOST_COLUMNS)
            yield [cells.get(column, "") for column in range(last + 1) if column not in hidden]

    def _text(self, cell: Any) -> str:
        kind, value = cell.get("t", "n"), cell.findtext(f"{_S}v") or ""
        if kind == "inlineStr":
            inline = cell.find(f"{_S}is")
            return "" if inline is None else _rich_text(inline)
        if kind == "s":
            at = _number(value, -1)
            return self.texts[at] if 0 <= at < len(self.texts) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE" if value else ""
        if kind in ("str", "e", "d"):
            return value
        if not value:
            return "[a formula without a value]" if cell.find(f"{_S}f") is not None else ""
        style = _number(cell.get("s"), 0)
        kind = self.formats[style] if style < len(self.formats) else ""
        return shown_value(value, kind, is_1904=self._is_1904)


def _formats(styles: Any) -> list[str]:
    """Of each cell style: "d" for days, "t" for times, "dt" for both, "%2" for percents, "" for numbers."""
    if styles is None:
        return []
    own = {_number(form.get("numFmtId"), -1): form.get("formatCode", "") for form in styles.iter(f"{_S}numFmt")}
    cells = styles.find(f"{_S}cellXfs")
    ids = [] if cells is None else [_number(form.get("numFmtId"), 0) for form in cells.iterchildren(f"{_S}xf")]
    return [format_kind(own[id]) if id in own else _DATES.get(id) or _PERCENTS.get(id, "") for id in ids]


def _rich_text(element: Any) -> str:
    """Text of a cell, with raised, lowered and struck pieces marked; readings of signs are left out."""
    from services.safety.rich_text import notation

    pieces = [text for child in element.iterchildren() for text in [child] if child.tag in (f"{_S}t", f"{_S}r")]
    found = ""
    for piece in pieces:
        if piece.tag == f"{_S}t":
            found += piece.text or ""
            continue
        text, look = piece.findtext(f"{_S}t") or "", piece.find(f"{_S}rPr")
        align = None if look is None else look.find(f"{_S}vertAlign")
        height = "" if align is None else align.get("val", "")
        text = (
            notation.raised(text, found)
            if height == "superscript"
            else notation.lowered(text, found)
            if height == "subscript"
            else text
        )
        struck = None if look is None else look.find(f"{_S}strike")
        found += notation.struck(text) if struck is not None and struck.get("val", "1") not in ("0", "false") else text
    return found


def _hidden_columns(root: Any) -> set[int]:
    hidden: set[int] = set()
    for column in root.iter(f"{_S}col"):
        if column.get("hidden") in ("1", "true"):
            first, last = _number(column.get("min"), 1), _number(column.get("max"), 1)
            hidden |= set(range(first - 1, min(last, _MOST_COLUMNS)))
    return hidden


def _merged(root: Any) -> dict[int, dict[int, tuple[int, int]]]:
    """Places that a merged cell reaches, by row from 1 and column from 0, each with the place where it begins."""
    found: dict[int, dict[int, tuple[int, int]]] = {}
    count = 0
    for merge in root.iter(f"{_S}mergeCell"):
        place = _RANGE.fullmatch(merge.get("ref", ""))
        if place is None:
            continue
        left, right, top, bottom = _column(place[1]), _column(place[3]), int(place[2]), int(place[4])
        for row in range(top, min(bottom, top + 1_000) + 1):
            for column in range(left, min(right, _MOST_COLUMNS) + 1):
                if (row, column) != (top, left):
                    found.setdefault(row, {})[column] = (top, left)
                count += 1
        if count > _MOST_MERGED:
            break
    return found


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _number(text: str | None, usual: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else usual

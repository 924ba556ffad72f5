"""OpenDocument reader: texts (.odt) become the HTML that says the same, tables (.ods) rows by sheet (OASIS ODF 1.3)."""

import posixpath
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from services.files.documents.office.package import Package, damaged
from services.files.documents.open_formats.sheets import Sheet, sheet_blocks
from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks
from services.files.upload import OPEN_ORIGINAL, FileRefused
from services.i18n import gettext
from services.safety.rich_text import tex
from services.safety.rich_text.mathml import mathml_tex

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT, TABLE, STYLE, OFFICE, DRAW = (f"{{{_NS}{name}:1.0}}" for name in ("text", "table", "style", "office", "drawing"))
_FO = f"{{{_NS}xsl-fo-compatible:1.0}}"
_SVG = f"{{{_NS}svg-compatible:1.0}}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_UNREAD_DRAWING = "[a drawing that was not read]"
_LEFT_OUT = {f"{TEXT}tracked-changes", f"{TEXT}sequence-decls", f"{OFFICE}annotation-end", f"{TEXT}table-of-content",
             f"{TEXT}hidden-text", f"{OFFICE}forms", f"{TEXT}bookmark", f"{TEXT}soft-page-break"}  # fmt: skip
_DEEPEST = 120
_MOST_REPEATED = 50


def odf_blocks(package: Package) -> Iterator[Block]:
    """Blocks of a text, or of the sheets of a table. Raises `FileRefused` for one that is locked."""
    manifest = package.xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
        raise FileRefused(gettext("This file is locked with a password."), next_step=gettext(OPEN_ORIGINAL))
    root = package.xml("content.xml")
    if root is None:
        raise damaged()
    body = root.find(f"{OFFICE}body")
    table = None if body is None else body.find(f"{OFFICE}spreadsheet")
    if table is not None:
        return sheet_blocks(_sheets(table))
    text = None if body is None else body.find(f"{OFFICE}text")
    if text is None:
        raise damaged()
    return web_blocks(_Writer(package, root).html(text))


class _Writer:
    """Writes HTML. Styles are told as the style of a span, so that what is hidden is seen to be by the next reader."""

    def __init__(self, package: Package, root: Any) -> None:
        self._package = package
        self._styles: dict[str, tuple[str, str]] = {}
        self._lists: dict[str, dict[int, tuple[str, int]]] = {}
        self._numbers: dict[str, int] = {}
        self._notes: list[str] = []
        for part in (package.xml("styles.xml"), root):
            for style in () if part is None else part.iter(f"{STYLE}style"):
                self._styles[style.get(f"{STYLE}name", "")] = (_css(style), style.get(f"{STYLE}parent-style-name", ""))
            for style in () if part is None else part.iter(f"{TEXT}list-style"):
                self._lists[style.get(f"{STYLE}name", "")] = _list_levels(style)

    def html(self, body: Any) -> str:
        made = "".join(self._block(child, 0) for child in body.iterchildren())
        return f"<html><body>{made}{self._taken_notes()}</body></html>"

    def _block(self, element: Any, depth: int, lists: tuple[str, ...] = ()) -> str:
        tag = element.tag
        if tag in _LEFT_OUT or depth > _DEEPEST or not isinstance(tag, str):
            return ""
        if tag == f"{TEXT}h":
            level = element.get(f"{TEXT}outline-level", "1")
            level = level if level in ("1", "2", "3", "4", "5", "6") else "6"
            return f"<h{level}>{self._inline(element, depth)}</h{level}>"
        if tag == f"{TEXT}p":
            return f"<p>{self._styled(element, self._inline(element, depth))}</p>{self._taken_notes()}"
        if tag == f"{TEXT}list":
            return self._list(element, depth, lists)
        if tag == f"{TABLE}table":
            return self._table(element, depth)
        if tag.startswith(DRAW):
            return f"<p>{self._drawing(element, depth)}</p>"
        return "".join(self._block(child, depth + 1, lists) for child in element.iterchildren())

    def _taken_notes(self) -> str:
        notes, self._notes = "".join(self._notes), []
        return notes

    def _list(self, element: Any, depth: int, lists: tuple[str, ...]) -> str:
        name = element.get(f"{TEXT}style-name") or (lists[-1] if lists else "")
        kind, first = self._lists.get(name, {}).get(len(lists) + 1, ("", 1))
        key = f"{name}/{len(lists)}"
        goes_on = element.get(f"{TEXT}continue-numbering") == "true" or element.get(f"{TEXT}continue-list")
        number = self._numbers.get(key, first - 1) + 1 if goes_on else first
        items = []
        for item in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            start = item.get(f"{TEXT}start-value") or ""
            number = int(start) if start.isdecimal() and len(start) < 7 else number
            inner = "".join(self._block(child, depth + 1, (*lists, name)) for child in item.iterchildren())
            value = f' value="{number}"' if kind else ""
            items.append(f"<li{value}>{inner.replace('<p>', '', 1) if inner.startswith('<p>') else inner}</li>")
            self._numbers[key] = number
            number += 1
        return f'<ol type="{kind}">{"".join(items)}</ol>' if kind else f"<ul>{''.join(items)}</ul>"

    def _table(self, table: Any, depth: int) -> str:
        rows = []
        for row in table.iter(f"{TABLE}table-row"):
            if next((above for above in row.iterancestors(f"{TABLE}table")), None) is not table:
                continue
            cells = []
            for cell in row.iterchildren(f"{TABLE}table-cell"):
                spans = "".join(
                    f' {html}="{_number(cell.get(f"{TABLE}number-{odf}-spanned"), 1)}"'
                    for html, odf in (("colspan", "columns"), ("rowspan", "rows"))
                )
                inner = "".join(self._block(child, depth + 1) for child in cell.iterchildren())
                times = min(_number(cell.get(f"{TABLE}number-columns-repeated"), 1), _MOST_REPEATED)
                cells += [f"<td{spans}>{inner}</td>"] * times
            rows.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table>{''.join(rows)}</table>{self._taken_notes()}"

    def _inline(self, element: Any, depth: int) -> str:
        pieces = [escape(element.text or "")]
        for child in element.iterchildren():
            pieces.append(self._piece(child, depth + 1))
            pieces.append(escape(child.tail or ""))
        return "".join(pieces)

    def _piece(self, child: Any, depth: int) -> str:
        tag = child.tag
        if tag in _LEFT_OUT or depth > _DEEPEST or not isinstance(tag, str):
            return ""
        if tag == f"{TEXT}s":
            return " " * min(_number(child.get(f"{TEXT}c"), 1), 20)
        if tag == f"{TEXT}tab":
            return "\t"
        if tag == f"{TEXT}line-break":
            return "<br>"
        if tag == f"{TEXT}span":
            return self._styled(child, self._inline(child, depth))
        if tag == f"{TEXT}a":
            return f'<a href="{escape(child.get(f"{_XLINK}href", ""))}">{self._inline(child, depth)}</a>'
        if tag == f"{TEXT}note":
            return self._note(child, depth)
        if tag == f"{TEXT}ruby":
            base, reading = child.find(f"{TEXT}ruby-base"), child.find(f"{TEXT}ruby-text")
            words = ["" if part is None else self._inline(part, depth) for part in (base, reading)]
            return f"<ruby>{words[0]}<rt>{words[1]}</rt></ruby>"
        if tag == f"{OFFICE}annotation":
            return self._comment(child, depth)
        return self._drawing(child, depth) if tag.startswith(DRAW) else self._inline(child, depth)

    def _note(self, note: Any, depth: int) -> str:
        mark = (
            escape("".join(note.find(f"{TEXT}note-citation").itertext()))
            if note.find(f"{TEXT}note-citation") is not None
            else "*"
        )
        body = note.find(f"{TEXT}note-body")
        words = "" if body is None else " ".join(self._inline(part, depth) for part in body.iterchildren())
        self._notes.append(f"<p>[{mark}] {words}</p>")
        return f"[{mark}]"

    def _comment(self, comment: Any, depth: int) -> str:
        """Nothing: what a reviewer wrote is told behind the paragraph."""
        author = comment.findtext("{http://purl.org/dc/elements/1.1/}creator", "").strip()
        words = " ".join(self._inline(part, depth) for part in comment.iterchildren(f"{TEXT}p")).strip()
        if words:
            self._notes.append(f"<p>[Comment{f' by {escape(author[:80])}' if author else ''}: {words}]</p>")
        return ""

    def _drawing(self, drawing: Any, depth: int) -> str:
        """Words, formula or picture of a drawing; for one without them, that it was not read."""
        inner = drawing.find(f"{DRAW}object")
        if inner is not None:
            folder = inner.get(f"{_XLINK}href", "")
            formula = self._package.xml(posixpath.normpath(posixpath.join(folder, "content.xml")))
            if formula is not None and formula.tag.rpartition("}")[2] == "math":
                return escape(tex.inline(mathml_tex(formula)))
            return "[an embedded file that was not read]"
        boxes = list(drawing.iter(f"{TEXT}p")) if drawing.tag != f"{DRAW}line" else []
        words = "<br>".join(filter(None, (self._styled(box, self._inline(box, depth + 1)) for box in boxes)))
        if words:
            return words
        if next(drawing.iter(f"{DRAW}image"), None) is not None:
            title = drawing.findtext(f"{_SVG}title") or drawing.findtext(f"{_SVG}desc") or ""
            return f'<img alt="{escape(title)}">'
        return "" if drawing.tag == f"{DRAW}line" else _UNREAD_DRAWING

    def _styled(self, element: Any, inner: str) -> str:
        css, name = "", element.get(f"{TEXT}style-name", "")
        for _ in range(8):
            own, name = self._styles.get(name, ("", ""))
            css += own
            if not name:
                break
        return f'<span style="{css}">{inner}</span>' if css and inner else inner


def _css(style: Any) -> str:
    """What a style says of letters, in the words of CSS."""
    properties = style.find(f"{STYLE}text-properties")
    if properties is None:
        return ""
    found = []
    position = (properties.get(f"{STYLE}text-position") or "").split()
    if position and (position[0] in ("super", "sub") or re.fullmatch(r"-?[1-9]\d{0,8}(?:\.\d{1,20})?%", position[0])):
        found.append(f"vertical-align:{'sub' if position[0].startswith(('sub', '-')) else 'super'};")
    if (
        properties.get(f"{STYLE}text-line-through-style", "none") != "none"
        or properties.get(f"{STYLE}text-line-through-type", "none") != "none"
    ):
        found.append("text-decoration:line-through;")
    if properties.get(f"{TEXT}display") == "none":
        found.append("display:none;")
    if re.fullmatch(r"#f[ef]f[ef]f[ef]", properties.get(f"{_FO}color", ""), re.IGNORECASE) and not properties.get(
        f"{_FO}background-color", ""
    ).startswith("#"):
        found.append("color:#ffffff;")
    if re.fullmatch(r"[01](?:\.\d{1,20})?pt", properties.get(f"{_FO}font-size", "")):
        found.append("font-size:0;")
    return "".join(found)


def _list_levels(style: Any) -> dict[int, tuple[str, int]]:
    """Of each level: how its items are numbered ("" for bullets), and where it begins."""
    found = {}
    for level in style.iterchildren():
        at = _number(level.get(f"{TEXT}level"), 1)
        kind = level.get(f"{STYLE}num-format", "") if level.tag == f"{TEXT}list-level-style-number" else ""
        form = kind if kind in ("1", "a", "A", "i", "I") else ""
        found[at] = (form, _number(level.get(f"{TEXT}start-value"), 1))
    return found


def _sheets(table: Any) -> Iterator[Sheet]:
    for sheet in table.iterchildren(f"{TABLE}table"):
        yield Sheet(name=sheet.get(f"{TABLE}name", ""), rows=_sheet_rows(sheet), is_hidden=False)


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:
    for row in sheet.iter(f"{TABLE}table-row"):
        if row.get(f"{TABLE}visibility") in ("collapse", "filter"):
            continue
        cells: list[str] = []
        for cell in row.iterchildren(f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            lines = (" ".join("".join(part.itertext()).split()) for part in cell.iterchildren(f"{TEXT}p"))
            text = " / ".join(line for line in lines if line)
            times = _number(cell.get(f"{TABLE}number-columns-repeated"), 1)
            cells += [text] * min(times, _MOST_REPEATED if text else 200)
        yield from [cells] * min(
            _number(row.get(f"{TABLE}number-rows-repeated"), 1), _MOST_REPEATED if any(cells) else 1
        )


def _number(text: str | None, usual: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else usual

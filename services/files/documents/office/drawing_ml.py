"""DrawingML: text of shapes, tables and diagrams, as slides and Word documents hold them (ISO/IEC 29500-1 §20, §21)."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from services.files.documents.office.formula_tex import FORMULA, formula_tex
from services.files.documents.office.word_line import Piece, line_text
from services.files.documents.office.word_styles import Height, Look
from services.files.documents.office.word_symbols import in_font
from services.safety.rich_text import tex
from services.safety.rich_text.list_marks import HTML_STYLES

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_LONGEST_REPEATED = 200
_NUMBERING = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc).{0,20}?(ParenBoth|ParenR|Period|Plain)")
_NUMBERS = {"arabic": "1", "alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I"}
_SIGNS = {"ParenBoth": "({})", "ParenR": "{})", "Period": "{}.", "Plain": "{}."}
_FILE_NAME = re.compile(r"[\\/]|\.\w{3,4}$")
_LONGEST_ALTERNATIVE = 500
IsHidden = Callable[[Any], bool]


def _shows_all(_run: Any) -> bool:
    return False


def alternative_text(description: str) -> str:
    """What an author wrote about a picture; "" for a file's name or one word, which programs fill in themselves."""
    words = " ".join(description.split())
    return "" if " " not in words or _FILE_NAME.search(words) else words[:_LONGEST_ALTERNATIVE]


def paragraphs_of(body: Any, is_hidden: IsHidden = _shows_all) -> list[str]:
    """Lines of a text body, indented by level, with the numbers of its lists. is_hidden: whether nobody sees a run."""
    numbers: dict[int, tuple[str, int]] = {}
    lines = (_line(paragraph, is_hidden, numbers) for paragraph in body.iterchildren(f"{A}p"))
    return [line for line in lines if line.strip()]


def _line(paragraph: Any, is_hidden: IsHidden, numbers: dict[int, tuple[str, int]]) -> str:
    properties = paragraph.find(f"{A}pPr")
    level = 0 if properties is None else min(8, _number(properties.get("lvl")))
    text = text_of(paragraph, is_hidden).strip()
    if not text:
        return ""
    mark = _list_mark(properties, level, numbers) or ("-" if level else "")
    return f"{'  ' * level}{mark}{' ' if mark else ''}{text}"


def _list_mark(properties: Any, level: int, numbers: dict[int, tuple[str, int]]) -> str:
    """Number of a paragraph as it is shown; "" for none. numbers: the last of each level, changed here."""
    for deeper in [other for other in numbers if other > level]:
        del numbers[deeper]
    numbering = None if properties is None else properties.find(f"{A}buAutoNum")
    style = None if numbering is None else _NUMBERING.match(numbering.get("type", ""))
    if numbering is None or style is None:
        numbers.pop(level, None)
        return ""
    series = f"{style[0]} {numbering.get('startAt', '1')}"
    last = numbers.get(level)
    number = last[1] + 1 if last is not None and last[0] == series else _number(numbering.get("startAt")) or 1
    numbers[level] = series, number
    return _SIGNS[style[2]].format(HTML_STYLES[_NUMBERS[style[1]]](number))


def text_of(paragraph: Any, is_hidden: IsHidden = _shows_all) -> str:
    """Text of a paragraph, with what is raised, lowered or struck marked, and formulas as TeX."""
    return line_text(_pieces(paragraph, is_hidden))


def _pieces(paragraph: Any, is_hidden: IsHidden) -> Iterator[Piece]:
    for child in paragraph.iterchildren():
        if child.tag == f"{A}r" and not is_hidden(child):
            yield _piece(child)
        elif child.tag == f"{A}br":
            yield Piece("\n")
        elif child.tag == f"{A}fld" and not child.get("type", "").startswith(("slidenum", "datetime")):
            yield _piece(child)
        elif child.tag not in (f"{A}pPr", f"{A}r", f"{A}fld", f"{A}endParaRPr"):
            yield from (Piece(tex.inline(formula_tex(formula))) for formula in child.iter(FORMULA))


def _piece(run: Any) -> Piece:
    text, properties = run.findtext(f"{A}t") or "", run.find(f"{A}rPr")
    if properties is None:
        return Piece(text)
    raise_by = properties.get("baseline", "0")
    is_up = bool(re.fullmatch(r"[1-9]\d*(?:\.\d+)?%?", raise_by))
    height: Height = "raised" if is_up else "lowered" if re.match(r"-[1-9]", raise_by) else ""
    is_struck = properties.get("strike", "noStrike") != "noStrike"
    if not text.isascii() or len(properties):
        text = _in_fonts(text, *(properties.find(f"{A}{name}") for name in ("sym", "latin")))
    return Piece(text, Look(height=height, is_struck=is_struck))


def _in_fonts(text: str, symbols: Any, latin: Any) -> str:
    """Text as its fonts draw it. A font of symbols holds for signs of the private area, not for letters beside them."""
    names = ["" if font is None else font.get("typeface", "") for font in (symbols, latin)]
    parts = re.split("([\uf000-\uf0ff]+)", text) if names[0] else [text]
    return "".join(in_font(part, names[0] if at % 2 else names[1]) for at, part in enumerate(parts))


def table_rows(table: Any, is_hidden: IsHidden = _shows_all) -> Iterator[str]:
    """A line for each row of a table, its cells parted by pipes; merged cells are said in each place they reach."""
    above: list[str] = []
    for row in table.iterchildren(f"{A}tr"):
        cells: list[str] = []
        for at, cell in enumerate(row.iterchildren(f"{A}tc")):
            text = _cell_text(cell, is_hidden)
            if cell.get("hMerge") in ("1", "true") and cells:
                text = cells[-1][:_LONGEST_REPEATED]
            elif cell.get("vMerge") in ("1", "true") and at < len(above):
                text = above[at][:_LONGEST_REPEATED]
            cells.append(text)
        above = cells
        yield f"| {' | '.join(cells)} |"


def _cell_text(cell: Any, is_hidden: IsHidden) -> str:
    body = cell.find(f"{A}txBody")
    return "" if body is None else " / ".join(" ".join(line.split()) for line in paragraphs_of(body, is_hidden))


def diagram_text(data: Any) -> str:
    """The words of a SmartArt drawing, a line for each of its shapes."""
    bodies = (" ".join(paragraphs_of(body)) for body in data.iter(f"{_DIAGRAM}t"))
    return "\n".join(line for line in bodies if line.strip())


def _number(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 10 else 0

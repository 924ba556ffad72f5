"""Sheets of a spreadsheet as blocks: a heading with the sheet's name, and tables of its rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from services.files.documents.sections import Block

_MOST_ROWS = 20_000
"""Rows of one sheet that are read; what follows is said to be left out."""
_ROWS_OF_BLOCK = 60
_MOST_COLUMNS = 200
_LONGEST_CELL = 2_000


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Sheet. rows: texts of its cells. is_hidden: its author hides it, and it is left out."""

    name: str
    rows: Iterable[list[str]] = field(repr=False)
    is_hidden: bool = False


def sheet_blocks(sheets: Iterable[Sheet]) -> Iterator[Block]:
    """Blocks of all sheets that are shown. The head is told again where a long sheet is parted."""
    for sheet in sheets:
        if sheet.is_hidden:
            yield Block("", has_hidden_text=True)
            continue
        rows = (row for row in (_line(cells) for cells in islice(sheet.rows, _MOST_ROWS + 1)) if row)
        first = next(rows, None)
        if first is None:
            continue
        yield Block(" ".join(sheet.name.split())[:200] or "Sheet", 1)
        lines, count = [first], 1
        for row in rows:
            if len(lines) >= _ROWS_OF_BLOCK:
                yield Block("\n".join(lines))
                lines = [first]
            lines.append(row)
            count += 1
        yield Block("\n".join(lines))
        if count > _MOST_ROWS:
            yield Block("[further rows of this sheet were not read]")


def _line(cells: list[str]) -> str:
    """A row as a line; "" for one without a value. Empty cells at its end are left out."""
    texts = [" ".join(cell.split())[:_LONGEST_CELL] for cell in cells[:_MOST_COLUMNS]]
    while texts and not texts[-1]:
        texts.pop()
    return f"| {' | '.join(texts)} |" if texts else ""

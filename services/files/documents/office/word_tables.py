"""Tables of Word files as lines: merged cells under each head, cells in content controls, tables in tables."""

from collections.abc import Callable, Iterator
from typing import Any

from services.files.documents.office.word_styles import value_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WRAPPERS = tuple(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"))
_DEEPEST = 30
_MOST_COLUMNS = 200
_LONGEST_REPEATED = 200
"""Characters of a cell that is said again in each place that it reaches; longer ones are said once."""


def own_rows(table: Any) -> list[Any]:
    """Rows of a table itself, also of those in content controls, without those that a tracked change takes out."""
    return [row for row in _own(table, f"{W}tr") if row.find(f"{W}trPr/{W}del") is None]


def own_cells(row: Any) -> list[Any]:
    return list(_own(row, f"{W}tc"))


def _own(element: Any, tag: str, depth: int = 0) -> Iterator[Any]:
    for child in element.iterchildren():
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS and depth < _DEEPEST:
            yield from _own(child, tag, depth + 1)


def table_lines(table: Any, text_of: Callable[[Any], str]) -> Iterator[str]:
    """A line for each row, its cells parted by pipes, and one place for each column. text_of: text of a cell."""
    above: dict[int, str] = {}
    for row in own_rows(table):
        properties = row.find(f"{W}trPr")
        places = [""] * (0 if properties is None else _number(value_of(properties, "gridBefore"), 0))
        begun: dict[int, str] = {}
        for cell in own_cells(row):
            _place_cell(cell, text_of, places, above, begun)
        above = begun
        yield f"| {' | '.join(places)} |"


def _place_cell(
    cell: Any, text_of: Callable[[Any], str], places: list[str], above: dict[int, str], begun: dict[int, str]
) -> None:
    """Put a cell into its places of the row. above, begun: texts that go on downwards, by their columns."""
    properties = cell.find(f"{W}tcPr")
    merge = None if properties is None else properties.find(f"{W}vMerge")
    columns = 1 if properties is None else _number(value_of(properties, "gridSpan"), 1)
    goes_on = merge is not None and merge.get(f"{W}val", "continue") == "continue"
    own = text_of(cell)
    text = own or above.get(len(places), "") if goes_on else own
    repeated = text if len(text) <= _LONGEST_REPEATED else ""
    for column in range(max(1, min(columns, _MOST_COLUMNS))):
        if merge is not None:
            begun[len(places)] = repeated
        places.append(repeated if column else text)


def nested_tables(table: Any) -> list[Any]:
    """Tables that stand in the cells of this one."""
    return [inner for row in own_rows(table) for cell in own_cells(row) for inner in _own(cell, f"{W}tbl")]


def is_frame(table: Any) -> bool:
    """Whether a table holds others for the look of a page: with one column, or without a row of several short cells."""
    if not nested_tables(table):
        return False
    rows = [own_cells(row) for row in own_rows(table)]
    if max(map(len, rows), default=0) <= 1:
        return True
    return not any(sum(_is_short(cell) for cell in row) >= 2 for row in rows)


def _is_short(cell: Any) -> bool:
    return next(_own(cell, f"{W}tbl"), None) is None and any((text.text or "").strip() for text in cell.iter(f"{W}t"))


def _number(text: str, usual: int) -> int:
    return min(int(text), _MOST_COLUMNS) if text.isascii() and text.isdecimal() and len(text) < 6 else usual

"""Tables of an HTML tree: merged cells are repeated under each head, and tables in tables come out of them."""

from collections.abc import Sequence
from typing import Any

from services.safety.rich_text.hidden import may_be_hidden
from services.safety.rich_text.table_grid import Placed, Spanning, filled_rows

_LONGEST_REPEATED = 200
"""Characters of a cell that is said again in each place that it reaches; longer ones are said once."""
_PARTS = ("thead", "tbody", "tfoot")


def own_rows(table: Any) -> list[Any]:
    """Rows of a table itself, without those of tables in its cells."""
    rows = list(table.iterchildren("tr"))
    return rows + [row for part in table.iterchildren(*_PARTS) for row in part.iterchildren("tr")]


def fill_merged_cells(table: Any) -> None:
    """Give each row a cell for each column, where cells of the table span several."""
    rows = own_rows(table)
    cells = [list(row.iterchildren("td", "th")) for row in rows]
    if not any(cell.get("rowspan") or cell.get("colspan") for row in cells for cell in row):
        return
    spanning = [[Spanning(cell, _span(cell, "colspan"), _span(cell, "rowspan", 0)) for cell in row] for row in cells]
    for row, places in zip(rows, filled_rows(spanning), strict=True):
        _set_cells(row, places)
    for own in cells:
        for cell in own:
            for name in ("rowspan", "colspan"):
                cell.attrib.pop(name, None)


def _set_cells(row: Any, places: Sequence[Placed[Any]]) -> None:
    for cell in list(row.iterchildren("td", "th")):
        row.remove(cell)
    for place in places:
        row.append(_copy(row, place.cell) if place.is_repeated or place.cell is None else place.cell)


def _copy(row: Any, cell: Any | None) -> Any:
    copied = row.makeelement("td" if cell is None else cell.tag)
    if cell is not None and not may_be_hidden(cell):
        words = " ".join("".join(cell.itertext()).split())
        copied.text = words if len(words) <= _LONGEST_REPEATED else ""
    return copied


def open_nested_tables(table: Any) -> None:
    """Take apart a table that only frames others, and set those that stand in cells of a real one behind it."""
    nested = [inner for inner in table.iterdescendants("table") if next(inner.iterancestors("table")) is table]
    if not nested:
        return
    rows = own_rows(table)
    cells = [list(row.iterchildren("td", "th")) for row in rows]
    if _is_frame(cells):
        for part in (table, *table.iterchildren(*_PARTS, "caption"), *rows, *(cell for row in cells for cell in row)):
            part.tag = "div"
        return
    at = table.getparent().index(table) + 1
    tail, table.tail = table.tail, None
    for inner in nested:
        _say_below(inner)
        inner.tail = None
        table.getparent().insert(at, inner)
        at += 1
    nested[-1].tail = tail


def _is_frame(cells: Sequence[Sequence[Any]]) -> bool:
    """Whether a table holds others for the look of a page: it has no heads, and no rows of several short cells."""
    if max(map(len, cells), default=0) <= 1:
        return True
    if any(cell.tag == "th" for row in cells for cell in row):
        return False
    short = [
        sum(next(cell.iter("table"), None) is None and bool("".join(cell.itertext()).strip()) for cell in row)
        for row in cells
    ]
    return sum(count >= 2 for count in short) < 1


def _say_below(inner: Any) -> None:
    place = inner.makeelement("span")
    place.text, place.tail = " (table below) ", inner.tail
    inner.getparent().replace(inner, place)


def _span(cell: Any, name: str, least: int = 1) -> int:
    text = (cell.get(name) or "1").strip()
    return max(least, int(text[:5])) if text.isascii() and text.isdecimal() else 1

"""Table grid: cells that span rows or columns are repeated, so that each value stands under its head."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Cell = TypeVar("Cell")
_MOST_COLUMNS = 200
_MOST_ROWS = 2_000
_MOST_CELLS = 50_000


@dataclass(frozen=True)
class Spanning(Generic[Cell]):
    """Cell of a row as its author wrote it. columns, rows: how many it spans, at least 1; 0 rows: to the end."""

    cell: Cell
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Placed(Generic[Cell]):
    """Place of the grid. is_repeated: the cell begins at another place, further up or left."""

    cell: Cell | None
    is_repeated: bool = False


def filled_rows(rows: Sequence[Sequence[Spanning[Cell]]]) -> list[list[Placed[Cell]]]:
    """Places of each row, with the cells that reach into it; far too large spans are cut."""
    open_cells: dict[int, tuple[Cell, int]] = {}
    found: list[list[Placed[Cell]]] = []
    left = _MOST_CELLS
    for at, row in enumerate(rows):
        places: list[Placed[Cell]] = []
        begun: dict[int, tuple[Cell, int]] = {}

        for spanning in row:
            _fill(places, open_cells)
            deep = spanning.rows or len(rows) - at
            for column in range(min(max(1, spanning.columns), _MOST_COLUMNS, max(1, left))):
                if column and len(places) in open_cells:
                    break
                if deep > 1:
                    begun[len(places)] = (spanning.cell, min(deep, _MOST_ROWS) - 1)
                places.append(Placed(spanning.cell, is_repeated=bool(column)))
            left -= 1
        _fill(places, open_cells)
        # What reaches into this row beyond its last cell.
        while open_cells and len(places) <= max(open_cells) and len(places) < _MOST_COLUMNS:
            places.append(Placed(None))
            _fill(places, open_cells)
        left -= len(places)
        open_cells = {column: (cell, rest - 1) for column, (cell, rest) in open_cells.items() if rest > 1} | begun
        found.append(places)
    return found


def _fill(places: list[Placed[Cell]], open_cells: Mapping[int, tuple[Cell, int]]) -> None:
    """Add the cells that reach into this row from above, as far as they follow the last place."""
    while (above := open_cells.get(len(places))) is not None:
        places.append(Placed(above[0], is_repeated=True))

"""The telling rows of a matrix: `make test` tries these, `make soak` all of them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def telling(rows: Iterable[Any], tells: Callable[[Any], bool]) -> list[Any]:
    """The rows for `pytest.mark.parametrize`; those that do not tell are for the soak. A tuple is several values."""
    return [row if tells(row) else _soaked(row) for row in rows]


def _soaked(row: Any) -> Any:
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.soak)

"""Parts of Canvas's JSON, read without trust in their shapes: what is no such part counts as empty."""

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]

MOST_POINTS = 1e9
"""What is above it, or is no number at all, was not meant as points or percent."""


def part(value: Any) -> Row:
    """An object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def parts(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def words(value: Any) -> list[str]:
    """The texts of a list, or none."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def numbers(value: Any) -> list[int]:
    """The whole numbers of a list, or none; ids often come as text."""
    return [int(one) for one in value if is_id(one)] if isinstance(value, list) else []


def is_id(value: Any) -> bool:
    """Whether it is a whole number above zero, as Canvas's ids are, maybe written as text."""
    if isinstance(value, str):
        return value.isdecimal()
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def id_of(value: Any) -> int:
    """An id; raises `ValueError` for what is none."""
    if not is_id(value):
        raise ValueError("not an id")
    return int(value)

"""Conditions: a `Where` checked and parsed into comparisons, for every engine."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.storage.documents import Collection, Document, Where

OPERATORS = frozenset({"$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$in", "$nin"})
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*", re.ASCII)
_LARGEST = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Comparison of a checked (dotted) field: an operator of `OPERATORS`, and a scalar; of $in and $nin several."""

    field: str
    operator: str
    value: Any


def conditions(where: Where) -> list[Condition]:
    """Parse a `Where` into the comparisons that must all hold; raises ValueError for what no engine may be asked.

    Only scalars are compared, so that a value from outside can never turn into an operator of the database.
    """
    return [
        Condition(field=checked_field(field), operator=operator, value=_operand(operator, value))
        for field, wanted in where.items()
        for operator, value in (wanted.items() if isinstance(wanted, Mapping) else [("$eq", wanted)])
    ]


def checked_field(name: str) -> str:
    """A (dotted) field name that is safe inside a query of any engine."""
    if not _FIELD.fullmatch(name):
        raise ValueError("A field name has letters, digits, _ and -, with dots in between.")
    return name


def checked_changes(changes: Mapping[str, Any], collection: Collection) -> Mapping[str, Any]:
    """Fields that may be set or counted: top level, never the id, and fit for the indexes."""
    for name in changes:
        if name == "id" or "." in checked_field(name):
            raise ValueError("Only top-level fields other than id can be changed.")
    _check_indexed(changes, collection, [f for f in _indexed(collection) if f.split(".")[0] in changes])
    return changes


def to_json(document: Document, collection: Collection) -> str:
    """A document as JSON text; raises ValueError or TypeError for one that some engine could not keep or find again."""
    if not isinstance(document.get("id"), str) or not document["id"]:
        raise ValueError("A document needs a text under id.")
    _check_indexed(document, collection, _indexed(collection))
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text.encode()
    return text


def value_at(document: Any, field: str) -> Any:
    """The value under a dotted field; None when it is missing. A path leads through objects, not lists."""
    for name in field.split("."):
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document


def _indexed(collection: Collection) -> frozenset[str]:
    return frozenset(field for fields, _ in collection.index_fields() for field in fields)


def _check_indexed(document: Mapping[str, Any], collection: Collection, fields: Iterable[str]) -> None:
    unique = {field for index in collection.unique for field in index}
    for field in fields:
        value = value_at(document, field)
        if isinstance(value, list | dict):
            raise ValueError(f"{collection.name}.{field} is indexed, so it holds one value, not a list or an object.")
        if isinstance(value, str) and "\0" in value:
            # SQLite's JSON functions read a text up to its first NUL: two different texts would be taken for one.
            raise ValueError(f"{collection.name}.{field} is indexed, so it holds no NUL.")
        if value is None and field in unique:
            raise ValueError(f"{collection.name}.{field} is part of a unique index, so it must have a value.")


def _operand(operator: str, value: Any) -> Any:
    if operator not in OPERATORS:
        raise ValueError("Unknown operator in a query.")
    if operator in ("$in", "$nin"):
        return tuple(_scalar(wanted) for wanted in value)
    if operator in ("$lt", "$lte", "$gt", "$gte") and (
        isinstance(value, bool) or not isinstance(value, str | int | float)
    ):
        raise ValueError("Only texts and numbers have an order.")
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if not (value is None or isinstance(value, str | int | float)):
        raise ValueError("Only texts, numbers, true, false and None can be compared.")
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ValueError("That number is too large to compare.")
    return value

"""How a `Where` becomes SQL over a JSON column named `body`.

Field names come from `conditions.checked_field`, so they are safe inside the text; every value is bound.
SQLite itself compares true with 1 and a list with its own text, so each comparison also names the JSON type.
"""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from services.storage.conditions import Condition, checked_field
from services.storage.documents import Order

Fragment = tuple[str, list[Any]]
"""A piece of SQL and the values it binds."""

_SYMBOLS = {"$eq": "=", "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">="}


def column(field: str) -> str:
    """The expression of a field; the same text in indexes and queries, or SQLite would not use the index."""
    return "id" if field == "id" else f"json_extract(body, '{_path(field)}')"


def matching(comparisons: Iterable[Condition], *, single: Container[str]) -> Fragment:
    """A condition that all comparisons hold. `single` names the fields that never hold a list."""
    parts = [_compared(one, single=single) for one in comparisons]
    return " AND ".join(sql for sql, _ in parts) or "1", [value for _, values in parts for value in values]


def ordering(order: Order, limit: int | None) -> Fragment:
    terms = ", ".join(f"{column(checked_field(field))} {'DESC' if way < 0 else 'ASC'}" for field, way in order)
    by = f" ORDER BY {terms}" if terms else ""
    return (by, []) if limit is None else (f"{by} LIMIT ?", [limit])


def _compared(condition: Condition, *, single: Container[str]) -> Fragment:
    field, operator, value = condition.field, condition.operator, condition.value
    if operator == "$ne":
        sql, values = _compared(Condition(field=field, operator="$eq", value=value), single=single)
        return f"({sql}) IS NOT TRUE", values
    wanted = value if operator == "$in" else (value,)
    symbol = _SYMBOLS.get(operator, "=")
    if field == "id":
        texts = [one for one in wanted if isinstance(one, str)]
        return _any_of([_scalar("id", "'text'", kind, symbol, texts) for kind in ["text"] if texts])
    kinds = _by_kind(wanted)
    whole, kind_of = column(field), f"json_type(body, '{_path(field)}')"
    alternatives = [_scalar(whole, kind_of, kind, symbol, values) for kind, values in kinds]
    if field not in single:
        members = _any_of([_scalar("value", "type", kind, symbol, values) for kind, values in kinds])
        inside = f"SELECT 1 FROM json_each(body, '{_path(field)}') WHERE {members[0]}"  # noqa: S608
        alternatives.append((f"({kind_of} = 'array' AND EXISTS ({inside}))", members[1]))
    return _any_of(alternatives)


def _scalar(value: str, kind_of: str, kind: str, symbol: str, wanted: Sequence[Any]) -> Fragment:
    """A single value, found under the SQL `value` with its JSON type under `kind_of`, compared with what is wanted."""
    if kind == "null":
        return f"{value} IS NULL", []
    types = {"text": "= 'text'", "number": "IN ('integer', 'real')", "true": "= 'true'", "false": "= 'false'"}[kind]
    if len(wanted) == 1:
        return f"({value} {symbol} ? AND {kind_of} {types})", list(wanted)
    return f"({value} IN ({', '.join('?' * len(wanted))}) AND {kind_of} {types})", list(wanted)


def _by_kind(values: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    kinds: dict[str, list[Any]] = {}
    for value in values:
        kinds.setdefault(_kind(value), []).append(value)
    return list(kinds.items())


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "text" if isinstance(value, str) else "number"


def _any_of(alternatives: Sequence[Fragment]) -> Fragment:
    if not alternatives:
        return "0", []
    return f"({' OR '.join(sql for sql, _ in alternatives)})", [v for _, values in alternatives for v in values]


def _path(field: str) -> str:
    return "$" + "".join(f'."{name}"' for name in field.split("."))

"""Filters and sorts of a data source's rows (https://developers.notion.com/reference/post-database-query-filter)."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from sandbox.campus import TIMEZONE
from sandbox.notion.errors import invalid
from sandbox.notion.properties import moment
from sandbox.notion.shapes import to_the_minute
from sandbox.notion.workspace import Record

Json = dict[str, Any]
Test = Callable[[Any, Any], bool]
DEEPEST = 2
EMPTY = (None, "", [])
COMPARED = ("equals", "before", "after", "on_or_before", "on_or_after")
SPANS = {
    "this_week": 0,
    "past_week": -7,
    "past_month": -30,
    "past_year": -365,
    "next_week": 7,
    "next_month": 30,
    "next_year": 365,
}
NEAR = {
    "today": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "one_week_ago": -7,
    "one_week_from_now": 7,
    "one_month_ago": -30,
    "one_month_from_now": 30,
}


def _text(value: Any) -> str:
    return str(value or "").casefold()


def _known(compare: Callable[[float, float], bool]) -> Test:
    return lambda value, wish: value is not None and compare(value, wish)


EXISTENCE: dict[str, Test] = {
    "is_empty": lambda value, wish: value in EMPTY,
    "is_not_empty": lambda value, wish: value not in EMPTY,
}
TEXT: dict[str, Test] = EXISTENCE | {
    "equals": lambda value, wish: _text(value) == _text(wish),
    "does_not_equal": lambda value, wish: _text(value) != _text(wish),
    "contains": lambda value, wish: _text(wish) in _text(value),
    "does_not_contain": lambda value, wish: _text(wish) not in _text(value),
    "starts_with": lambda value, wish: _text(value).startswith(_text(wish)),
    "ends_with": lambda value, wish: _text(value).endswith(_text(wish)),
}
NUMBER: dict[str, Test] = EXISTENCE | {
    "equals": lambda value, wish: value == wish,
    "does_not_equal": lambda value, wish: value != wish,
    "greater_than": _known(lambda value, wish: value > wish),
    "less_than": _known(lambda value, wish: value < wish),
    "greater_than_or_equal_to": _known(lambda value, wish: value >= wish),
    "less_than_or_equal_to": _known(lambda value, wish: value <= wish),
}
CHOICE: dict[str, Test] = EXISTENCE | {
    "equals": lambda value, wish: value in _several(wish),
    "does_not_equal": lambda value, wish: value not in _several(wish),
}
CHOICES: dict[str, Test] = EXISTENCE | {
    "contains": lambda value, wish: any(name in (value or []) for name in _several(wish)),
    "does_not_contain": lambda value, wish: not any(name in (value or []) for name in _several(wish)),
}
CHECKBOX: dict[str, Test] = {
    "equals": lambda value, wish: bool(value) == wish,
    "does_not_equal": lambda value, wish: bool(value) != wish,
}
CONDITIONS = {
    **dict.fromkeys(("title", "rich_text", "url", "email"), TEXT),
    **dict.fromkeys(("select", "status"), CHOICE),
    "number": NUMBER,
    "multi_select": CHOICES,
    "checkbox": CHECKBOX,
}


class RowQuery:
    """Decides which rows of a data source pass, and in which order; `today` is the campus's day."""

    def __init__(self, schema: Json, today: date) -> None:
        self._schema = schema
        self._today = today

    def passes(self, row: Record, wish: Json | None, depth: int = 0) -> bool:
        """Whether the row passes the filter; raises Refused (400) for a filter that Notion does not take."""
        if wish is None:
            return True
        for joint, together in (("and", all), ("or", any)):
            if joint in wish:
                if set(wish) != {joint} or not isinstance(wish[joint], list) or depth >= DEEPEST:
                    raise invalid(
                        f"body failed validation: body.filter.{joint} should be an array, at most two levels deep."
                    )
                # A list, so that every part is checked even when the first one decides.
                return together([self.passes(row, part, depth + 1) for part in wish[joint]])
        return self._passes_one(row, wish)

    def ordered(self, rows: list[Record], sorts: list[Json]) -> list[Record]:
        """The rows in the order asked for, empty values last; raises Refused (400)."""
        for sort in reversed(sorts):
            key = self._sort_key(sort)
            filled = [row for row in rows if key(row) not in EMPTY]
            filled.sort(key=key, reverse=sort.get("direction") == "descending")
            rows = filled + [row for row in rows if key(row) in EMPTY]
        return rows

    def _passes_one(self, row: Record, wish: Json) -> bool:
        if "timestamp" in wish:
            kind, value = str(wish["timestamp"]), row.get(str(wish["timestamp"]))
            if kind not in ("created_time", "last_edited_time"):
                raise invalid('body.filter.timestamp should be "created_time" or "last_edited_time".')
            return self._compare("date", wish.get(kind), {"start": value and to_the_minute(value)})
        name, spec = self._property(wish.get("property"))
        kind = spec["type"]
        if kind not in wish or set(wish) - {"property", "type", kind}:
            given = ", ".join(sorted(set(wish) - {"property", "type"}))
            raise invalid(f"database property {kind} does not match filter {given}")
        value = row["title"] if kind == "title" else row["values"].get(name)
        return self._compare(kind, wish[kind], value)

    def _compare(self, kind: str, wish: Any, value: Any) -> bool:
        if not isinstance(wish, dict) or len(wish) != 1:
            raise invalid(f"body failed validation: body.filter.{kind} should have exactly one condition.")
        ((condition, wanted),) = wish.items()
        if kind == "date" and condition not in EXISTENCE:
            return self._compare_dates(condition, wanted, (value or {}).get("start"))
        test = (EXISTENCE if kind == "date" else CONDITIONS[kind]).get(condition)
        if test is None:
            raise invalid(f"body failed validation: body.filter.{kind}.{condition} should be not present.")
        return test(value, wanted)

    def _compare_dates(self, condition: str, wanted: Any, text: str | None) -> bool:
        if condition in SPANS:
            return text is not None and self._in_span(_day(text), condition)
        known = self._today + timedelta(days=NEAR[wanted]) if wanted in NEAR else moment(str(wanted))
        if condition not in COMPARED or known is None:
            raise invalid(f"body failed validation: body.filter.date.{condition} should be a valid ISO 8601 date.")
        if text is None:
            return False
        value = moment(text)
        if not (isinstance(value, datetime) and isinstance(known, datetime)):
            value, known = _day(text), _day(known.isoformat())
        left, right = _comparable(value), _comparable(known)
        return {
            "equals": left == right,
            "before": left < right,
            "after": left > right,
            "on_or_before": left <= right,
            "on_or_after": left >= right,
        }[condition]

    def _in_span(self, day: date, condition: str) -> bool:
        if condition == "this_week":
            first = self._today - timedelta(days=(self._today.weekday() + 1) % 7)
            return first <= day < first + timedelta(days=7)
        edge = self._today + timedelta(days=SPANS[condition])
        return min(edge, self._today) <= day <= max(edge, self._today)

    def _sort_key(self, sort: Json) -> Callable[[Record], Any]:
        if sort.get("direction") not in ("ascending", "descending"):
            raise invalid('body failed validation: body.sorts.direction should be "ascending" or "descending".')
        if sort.get("timestamp") in ("created_time", "last_edited_time"):
            return lambda row: row[sort["timestamp"]]
        name, spec = self._property(sort.get("property"))
        if spec["type"] == "title":
            return lambda row: row["title"].casefold()
        if spec["type"] == "date":
            return lambda row: (row["values"].get(name) or {}).get("start")
        order = [option["name"] for option in spec.get("options", [])]
        if spec["type"] in ("select", "status"):
            return lambda row: None if row["values"].get(name) is None else order.index(row["values"][name])
        return lambda row: row["values"].get(name)

    def _property(self, wanted: Any) -> tuple[str, Json]:
        for name, spec in self._schema.items():
            if wanted in (name, spec["id"]):
                return name, spec
        raise invalid(f"Could not find property with name or id: {wanted}")


def _several(wish: Any) -> list[Any]:
    return wish if isinstance(wish, list) else [wish]


def _day(text: str) -> date:
    return date.fromisoformat(text[:10])


def _comparable(value: Any) -> Any:
    return value.replace(tzinfo=value.tzinfo or TIMEZONE) if isinstance(value, datetime) else value

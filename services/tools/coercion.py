"""Coercion rules for raw arguments: optional nulls are dropped, values that pydantic would misread are refused."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import gettext, gettext_noop
from services.tools.schema_text import Schema, required_names, resolve_property

_MOST_PARTS = 50
"""Parts of one argument's schema that are visited: a server's schema may contain itself."""
_DAYS = {
    "date": gettext_noop("Give a day, like 2026-11-27."),
    "time": gettext_noop("Give a time of day, like 09:30."),
    "date-time": gettext_noop("Give a day and a time, like 2026-11-27T15:00."),
}


def without_nulls(given: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The arguments without each null that stands for an optional one, unless its schema takes null.

    Many models and clients write null for an argument that they leave out. The same inside objects and lists of them,
    as far as the schema names their fields.
    """
    return _object_without_nulls(given, schema, schema)


def _object_without_nulls(given: Mapping[str, Any], prop: Schema, whole: Schema) -> dict[str, Any]:
    named, required = prop.get("properties"), required_names(prop)
    if not isinstance(named, Mapping):
        return dict(given)
    return {
        name: _value_without_nulls(value, named[name], whole) if name in named else value
        for name, value in given.items()
        if value is not None or name in required or name not in named or _takes_null(named[name], whole)
    }


def _value_without_nulls(given: Any, prop: object, whole: Schema) -> Any:
    if isinstance(given, Mapping):
        return _object_without_nulls(given, resolve_property(prop, whole), whole)
    if isinstance(given, list):
        items = resolve_property(prop, whole).get("items")
        return [_value_without_nulls(item, items, whole) for item in given]
    return given


def _takes_null(prop: object, whole: Schema) -> bool:
    """Also for what cannot be told: then the null is left to the check of the arguments."""
    waiting: list[object] = [prop]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return False
        part = waiting.pop()
        if not isinstance(part, Mapping):
            if part is not False:
                return True
        elif not _rules_null_out(part):
            parts = _parts(part, whole)
            if not parts:
                return True
            waiting.extend(parts)
    return True


def _rules_null_out(prop: Schema) -> bool:
    kind, values = prop.get("type"), prop.get("enum")
    kinds = [kind] if isinstance(kind, str) else kind
    return (
        (isinstance(kinds, list) and "null" not in kinds)
        or (isinstance(values, list) and None not in values)
        or prop.get("const") is not None
    )


def _parts(prop: Schema, whole: Schema) -> list[object]:
    """The alternatives of a property: what it refers to, and each of its choices."""
    found: list[object] = []
    for key in ("anyOf", "oneOf", "allOf"):
        choices = prop.get(key)
        found.extend(choices if isinstance(choices, list) else [])
    definitions, reference = whole.get("$defs"), prop.get("$ref")
    if reference is not None:
        name = str(reference).rpartition("/")[2]
        found.append(definitions.get(name) if isinstance(definitions, Mapping) else None)
    return found


def with_local_days(given: Mapping[str, Any], schema: Schema, zone: ZoneInfo) -> dict[str, Any]:
    """The arguments with the day in `zone` in place of each time where only a day belongs.

    "2026-12-04T03:00:00Z" is the 3rd in Chicago. pydantic takes midnight of any zone for that date, and nothing else.
    """
    return {name: _local_days(value, prop, schema, zone) for name, value, prop in _named(given, schema)}


def _local_days(given: Any, prop: object, whole: Schema, zone: ZoneInfo) -> Any:
    allowed = list(_allowed(prop, whole))
    if isinstance(given, str):
        formats = {choice.get("format") for choice in allowed if choice.get("type") == "string"}
        return _local_day(given, zone) if formats == {"date"} else given
    if isinstance(given, list):
        items = next((choice["items"] for choice in allowed if "items" in choice), None)
        return [_local_days(item, items, whole, zone) for item in given]
    if isinstance(given, Mapping):
        fields = next((choice for choice in allowed if isinstance(choice.get("properties"), Mapping)), {})
        return {name: _local_days(value, own, whole, zone) for name, value, own in _named(given, fields)}
    return given


def _local_day(written: str, zone: ZoneInfo) -> str:
    text = written.strip()
    if len(text) <= len("2026-11-27"):
        return written
    try:
        at = datetime.fromisoformat(text)
        return (at.astimezone(zone) if at.tzinfo else at).date().isoformat()
    except (ValueError, OverflowError):
        return written


def _named(given: Mapping[str, Any], schema: Schema) -> Iterator[tuple[str, Any, object]]:
    properties = schema.get("properties")
    for name, value in given.items():
        yield name, value, properties.get(name) if isinstance(properties, Mapping) else None


def find_mistyped_values(given: Mapping[str, Any], schema: Schema) -> dict[str, list[str]]:
    """A message by place for each value that pydantic would take for something else: yes for 1, a number for a day.

    What does not fit at all is left to pydantic.
    """
    return {place: [gettext(sentence)] for place, sentence in _in_object(given, schema, schema, "")}


def _in_value(given: Any, prop: object, whole: Schema, place: str) -> Iterator[tuple[str, str]]:
    allowed = list(_allowed(prop, whole))
    kinds = {str(choice.get("type")) for choice in allowed}
    days = [str(choice["format"]) for choice in allowed if choice.get("format") in _DAYS]
    if isinstance(given, bool):
        if "boolean" not in kinds and kinds & {"integer", "number"}:
            yield place, gettext_noop("Give a number.")
    elif isinstance(given, int | float) or (isinstance(given, str) and given.strip().isdigit()):
        if days and not kinds & {"integer", "number"}:
            yield place, _DAYS[days[0]]
    elif isinstance(given, str) and "\0" in given:
        yield place, gettext_noop("It has characters in it that no text has.")
    elif isinstance(given, list):
        for items in (choice["items"] for choice in allowed if "items" in choice):
            for number, item in enumerate(given):
                yield from _in_value(item, items, whole, f"{place}.{number}")
    elif isinstance(given, Mapping):
        for choice in allowed:
            yield from _in_object(given, choice, whole, f"{place}.")


def _in_object(given: Mapping[str, Any], schema: Schema, whole: Schema, before: str) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties") or {}
    for name, value in given.items():
        yield from _in_value(value, properties.get(name, schema.get("additionalProperties")), whole, f"{before}{name}")


def _allowed(prop: object, whole: Schema) -> Iterator[Schema]:
    """Each alternative that a value may fit."""
    found = resolve_property(prop, whole)
    choices = found.get("anyOf") or found.get("oneOf")
    if not isinstance(choices, list):
        yield found
        return
    for choice in choices:
        yield resolve_property(choice, whole)

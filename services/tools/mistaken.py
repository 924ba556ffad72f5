"""Arguments that pydantic would take for something else than they are: yes for 1, a number for a day."""

from collections.abc import Iterator, Mapping
from typing import Any

from services.i18n import gettext, gettext_noop
from services.tools.arguments import Schema, resolved

_DAYS = {
    "date": gettext_noop("Give a day, like 2026-11-27."),
    "time": gettext_noop("Give a time of day, like 09:30."),
    "date-time": gettext_noop("Give a day and a time, like 2026-11-27T15:00."),
}


def mistakes(given: Mapping[str, Any], schema: Schema) -> dict[str, list[str]]:
    """A sentence by place for each; empty when there is none. What does not fit at all is left to pydantic."""
    return {place: [gettext(sentence)] for place, sentence in _within(given, schema, schema, "")}


def _of(given: Any, prop: object, whole: Schema, place: str) -> Iterator[tuple[str, str]]:
    allowed = list(_allowed(prop, whole))
    kinds = {str(one.get("type")) for one in allowed}
    days = [str(one["format"]) for one in allowed if one.get("format") in _DAYS]
    if isinstance(given, bool):
        if "boolean" not in kinds and kinds & {"integer", "number"}:
            yield place, gettext_noop("Give a number.")
    elif isinstance(given, int | float) or (isinstance(given, str) and given.strip().isdigit()):
        if days and not kinds & {"integer", "number"}:
            yield place, _DAYS[days[0]]
    elif isinstance(given, str) and "\0" in given:
        yield place, gettext_noop("It has characters in it that no text has.")
    elif isinstance(given, list):
        for items in (one["items"] for one in allowed if "items" in one):
            for number, one in enumerate(given):
                yield from _of(one, items, whole, f"{place}.{number}")
    elif isinstance(given, Mapping):
        for one in allowed:
            yield from _within(given, one, whole, f"{place}.")


def _within(given: Mapping[str, Any], schema: Schema, whole: Schema, before: str) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties") or {}
    for name, value in given.items():
        yield from _of(value, properties.get(name, schema.get("additionalProperties")), whole, f"{before}{name}")


def _allowed(prop: object, whole: Schema) -> Iterator[Schema]:
    """Each kind that would do."""
    one = resolved(prop, whole)
    choices = one.get("anyOf") or one.get("oneOf")
    if not isinstance(choices, list):
        yield one
        return
    for choice in choices:
        yield resolved(choice, whole)

"""The properties of a database's entry in words (https://developers.notion.com/reference/page-property-values)."""

from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext
from services.i18n.english import day, moment
from services.integrations.kit.payloads import parse_day, parse_time, payload_guard
from services.integrations.notion.errors import LABEL
from services.integrations.notion.payloads import Json, plain_text
from services.safety.text import one_line


def in_words(entry: Json, zone: ZoneInfo) -> dict[str, str]:
    """Name and value of every property that has a value, the title left out."""
    found = {one_line(name, 60): value_in_words(prop, zone) for name, prop in entry.get("properties", {}).items()}
    return {name: value for name, value in found.items() if value}


@payload_guard(LABEL)
def value_in_words(prop: Json, zone: ZoneInfo, *, shown: bool = False) -> str:
    """One property's value; "" for none, and for a title. shown: for a card, in the student's language."""
    kind = prop["type"]
    value = prop.get(kind)
    if value is None or kind == "title":
        return ""
    if kind == "checkbox":
        return (gettext("yes") if value else gettext("no")) if shown else "yes" if value else "no"
    if kind in ("select", "status"):
        return one_line(value["name"])
    if kind == "multi_select":
        return ", ".join(one_line(choice["name"]) for choice in value)
    if kind == "rich_text":
        return one_line(plain_text(value))
    if kind == "date":
        return " – ".join(_when(edge, zone, shown) for edge in (value["start"], value.get("end")) if edge)
    return _plain_value(value)


def _plain_value(value: Any) -> str:
    """Numbers, addresses and the like; what is made of parts (people, files, formulas) is left to Notion."""
    return one_line(value) if isinstance(value, str | int | float) else ""


def _when(written: str, zone: ZoneInfo, shown: bool) -> str:
    write_day, write = (formats.day, formats.moment) if shown else (day, moment)
    if len(written) == len("2026-11-27"):
        return write_day(parse_day(written))
    at = parse_time(written)
    return write(at if at.tzinfo else at.replace(tzinfo=zone), zone)

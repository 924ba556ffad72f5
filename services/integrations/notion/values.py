"""Property values: from text to Notion's JSON, from JSON to text, and from a page's JSON to what writes it again.

https://developers.notion.com/reference/page-property-values
"""

import math
import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import formats, gettext, ngettext
from services.i18n.english import day, moment
from services.integrations.kit.localized import join_list
from services.integrations.kit.payloads import parse_day, parse_time, payload_guard
from services.integrations.notion.computed_values import COMPUTED, UNREAD, computed_text
from services.integrations.notion.errors import LABEL
from services.integrations.notion.payloads import Json, page_data, plain_text, read_page
from services.integrations.notion.schema import OPTIONS_SHOWN, find_option, options_of
from services.safety.text import one_line

YES = ("yes", "true", "done", "completed", "complete", "finished", "submitted", "x", "1", "ticked")
NO = ("no", "false", "", "0", "not done", "unticked")
LONGEST_TEXT = 2_000
LONGEST_OPTION = 100
WRITABLE = (
    "title",
    "rich_text",
    "number",
    "select",
    "multi_select",
    "status",
    "date",
    "checkbox",
    "url",
    "email",
    "phone_number",
)


def entry_line(json: Json, zone: ZoneInfo, *, with_link: bool = True) -> str:
    """List line of a database entry with all its properties.

    with_link: false where the result of an approved write keeps only one link of many.
    """
    facts = entry_facts(json, zone, with_link=with_link)
    return f"- **{read_page(json).title}**{' ' if facts.startswith('(') else ' — '}{facts}"


def entry_facts(json: Json, zone: ZoneInfo, *, with_link: bool = True) -> str:
    """Line under a heading that names an entry: its properties, link and id."""
    page = read_page(json)
    facts = [f"{name}: {value}" for name, value in property_texts(json, zone).items()]
    link = [f"[open]({page.url})"] if page.url and with_link else []
    return f"{' — '.join([*facts, *link])} (id: {page.id})".strip()


def entry_data(json: Json, zone: ZoneInfo) -> Json:
    """Plain JSON of an entry for a tool's `data`."""
    return {**page_data(read_page(json)), "properties": property_texts(json, zone)}


def property_texts(entry: Json, zone: ZoneInfo) -> dict[str, str]:
    """Text of every property that has a value, by name, without the title."""
    found = {one_line(name, 60): property_text(prop, zone) for name, prop in entry.get("properties", {}).items()}
    return {name: value for name, value in found.items() if value}


@payload_guard(LABEL)
def property_text(prop: Json, zone: ZoneInfo, *, shown: bool = False) -> str:
    """Text of a property's value; "" for none, and for a title. shown: for a card, in the student's language."""
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
        return " – ".join(_time_text(edge, zone, shown) for edge in (value["start"], value.get("end")) if edge)
    if kind in COMPUTED:
        return computed_text(kind, value, lambda inner: property_text(inner, zone, shown=shown))
    return _plain_value(value)


def new_value_text(kind: str, value: Json, text: str, zone: ZoneInfo) -> str:
    """Result of `parse_value` as the card shows it, in the student's language."""
    if kind in ("title", "rich_text"):
        return text.strip()
    return property_text({"type": kind, kind: value[kind]}, zone, shown=True)


def new_choices(prop: Json, value: Json) -> list[str]:
    """Choices of a value that its column does not have yet: Notion adds them with it."""
    kind = prop["type"]
    if kind not in ("select", "multi_select") or not value[kind]:
        return []
    chosen = value[kind] if kind == "multi_select" else [value[kind]]
    known = {option["name"] for option in options_of(prop)}
    return [option["name"] for option in chosen if option["name"] not in known]


def column_value_text(prop: Json, value: Json, text: str, zone: ZoneInfo) -> str:
    """As `new_value_text`, of a column that is there: says which choices would be added to it."""
    shown, added = new_value_text(prop["type"], value, text, zone), new_choices(prop, value)
    if not added:
        return shown
    known = [one_line(option["name"], 60) for option in options_of(prop)]
    return ngettext(
        "{value} ({added} would be added as a new choice; so far there are: {known})",
        "{value} ({added} would be added as new choices; so far there are: {known})",
        len(added),
        value=shown,
        added=join_list([f"“{name}”" for name in added]),
        known=", ".join([*known[:OPTIONS_SHOWN], *(["…"] if len(known) > OPTIONS_SHOWN else [])]) or gettext("none"),
    )


def added_choices_note(schema: Json, values: Json) -> list[str]:
    """Note for the result of a write on the choices that it has added to columns."""
    added = [(name, choice) for name, value in values.items() for choice in new_choices(schema[name], value)]
    return [f"Note: “{one_line(choice)}” is a new choice of “{one_line(name)}” now." for name, choice in added]


def current_value_text(prop: Json, zone: ZoneInfo) -> str:
    """Present value of a property as the card shows it, titles included."""
    return plain_text(prop["title"]) if prop["type"] == "title" else property_text(prop, zone, shown=True)


def parse_value(prop: Json, text: str, *, zone: ZoneInfo, field: str) -> Json:
    """JSON that sets a property to this text; "" empties it. Raises `BadArguments`."""
    kind, text = prop["type"], text.strip()
    if kind not in WRITABLE:
        raise BadArguments(gettext("Notion works that column out itself, or it holds files or people."), field=field)
    if kind in ("title", "rich_text"):
        return {kind: _rich_text(text)}
    if kind == "checkbox":
        return {kind: parse_checkbox(text, field)}
    if kind == "multi_select":
        return {kind: [{"name": _new_option(prop, name, field)} for name in text.split(",") if name.strip()]}
    return {kind: _single_value(prop, text, zone, field) if text else None}


def writable_value(value: Json) -> Json | None:
    """JSON that writes the value that a page has now, for an undo; None for a type that cannot be written."""
    kind = value["type"]
    if kind not in WRITABLE:
        return None
    now = value.get(kind)
    if kind in ("title", "rich_text"):
        return {kind: [_writable_run(run) for run in now or []]}
    if kind in ("select", "status"):
        return {kind: {"name": now["name"]} if now else None}
    if kind == "multi_select":
        return {kind: [{"name": option["name"]} for option in now or []]}
    return {kind: now}


def has_values(properties: Json, values: Json) -> bool:
    """Whether a page's properties have these values, in the form that writes them."""
    return all(_is_same(properties.get(name, {"type": ""}), value) for name, value in values.items())


def parse_checkbox(text: str, field: str) -> bool:
    """Read yes or no; raises `BadArguments` for anything else."""
    word = text.strip().casefold()
    if word in YES or word in NO:
        return word in YES
    raise BadArguments(gettext("That column takes yes or no."), field=field)


def parse_number(text: str, field: str) -> float:
    """Read a number, "50%" as 0.5; raises `BadArguments`."""
    is_part = text.endswith("%")
    try:
        number = float(text.removesuffix("%").replace(",", ""))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadArguments(gettext("That column takes a number."), field=field)
    number = number / 100 if is_part else number
    return int(number) if number.is_integer() else number


def _single_value(prop: Json, text: str, zone: ZoneInfo, field: str) -> Any:
    match prop["type"]:
        case "number":
            return parse_number(text, field)
        case "select":
            return {"name": _new_option(prop, text, field)}
        case "status":
            return {"name": find_option(prop, text, field=field)}
        case "date":
            return _date(text, zone, field)
        case "url" if not re.match(r"https?://\S+$", text):
            raise BadArguments(
                gettext("That column takes an address that begins with http:// or https://."), field=field
            )
    if len(text) > LONGEST_TEXT:
        raise BadArguments(
            gettext("Notion takes {most} characters there.", most=formats.number(LONGEST_TEXT)), field=field
        )
    return text


def _new_option(prop: Json, text: str, field: str) -> str:
    """Option in its own spelling; writing one that is not there yet creates it."""
    try:
        return find_option(prop, text, field=field)
    except BadArguments:
        name = " ".join(text.split())
        if len(name) > LONGEST_OPTION or "," in name:
            step = "Write it shorter and without commas."
            raise BadArguments(gettext("That is no choice that Notion takes."), field=field, next_step=step) from None
        return name


def _date(text: str, zone: ZoneInfo, field: str) -> Json:
    """Date of a day or a time in the student's zone, or a range with "/" between."""
    start, _, end = (part.strip() for part in text.partition("/"))
    return {"start": _iso_time(start, zone, field), "end": _iso_time(end, zone, field) if end else None}


def _iso_time(text: str, zone: ZoneInfo, field: str) -> str:
    try:
        if len(text) == len("2026-11-27"):
            return date.fromisoformat(text).isoformat()
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadArguments(
            gettext("That column takes a date like 2026-11-27 or 2026-11-27T17:00."), field=field
        ) from None
    return (at if at.tzinfo else at.replace(tzinfo=zone)).isoformat()


def _is_same(now: Json, wanted: Json) -> bool:
    kind, shown = now["type"], writable_value(now)
    if shown is None or kind not in wanted:
        return False
    if kind in ("title", "rich_text"):
        return _words_of(shown[kind]) == _words_of(wanted[kind])
    if kind != "date" or not wanted["date"]:
        return shown == wanted
    edges = ("start", "end")
    return bool(shown["date"]) and all(
        _comparable(shown["date"].get(e)) == _comparable(wanted["date"].get(e)) for e in edges
    )


def _comparable(written: str | None) -> Any:
    return datetime.fromisoformat(written) if written and "T" in written else written


def _writable_run(run: Json) -> Json:
    """Part of a rich text as it is written, with its style, link or mention."""
    kind = run.get("type", "text")
    if kind not in ("text", "equation", "mention") or kind not in run:
        return _rich_text(plain_text([run]))[0]
    inner = run[kind]
    if kind == "mention" and inner.get("type") == "user":
        inner = {"type": "user", "user": {"id": inner["user"]["id"]}}
    return {"type": kind, kind: inner, **({"annotations": run["annotations"]} if "annotations" in run else {})}


def _words_of(runs: list[Json]) -> str:
    return "".join(run["text"]["content"] if "text" in run else str(run) for run in runs)


def _rich_text(text: str) -> list[Json]:
    """Rich text in pieces of the length that Notion takes."""
    pieces = [text[start : start + LONGEST_TEXT] for start in range(0, len(text), LONGEST_TEXT)]
    return [{"type": "text", "text": {"content": piece}} for piece in pieces]


def _plain_value(value: Any) -> str:
    """Text of numbers, addresses and the like; of a kind that is not read, that it is so."""
    return one_line(value) if isinstance(value, str | int | float) else UNREAD if value else ""


def _time_text(written: str, zone: ZoneInfo, shown: bool) -> str:
    write_day, write = (formats.day, formats.moment) if shown else (day, moment)
    if len(written) == len("2026-11-27"):
        return write_day(parse_day(written))
    at = parse_time(written)
    return write(at if at.tzinfo else at.replace(tzinfo=zone), zone)

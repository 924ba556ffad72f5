"""Entries of a database in words, and the database's own columns."""

from typing import Any
from zoneinfo import ZoneInfo

from services.integrations.notion.pages import Json, Page, as_data, read_page
from services.integrations.notion.properties import in_words
from services.integrations.wording import one_line

OPTIONS_SHOWN = 12


def entry_line(json: Json, zone: ZoneInfo, *, with_link: bool = True) -> str:
    """One entry as a line of a list, with all its properties.

    with_link: left out where an approval keeps only one link of many.
    """
    page = read_page(json)
    facts = [f"{name}: {value}" for name, value in in_words(json, zone).items()]
    link = f" — [open]({page.url})" if page.url and with_link else ""
    return f"- {' — '.join([f'**{page.title}**', *facts])}{link} (id: {page.id})"


def entry_data(json: Json, zone: ZoneInfo) -> Json:
    """The same as plain JSON."""
    return {**as_data(read_page(json)), "properties": in_words(json, zone)}


def columns_line(database: Page) -> str:
    """The database's properties with their kinds and choices: what may be asked for and written."""
    return f"Columns: {'; '.join(_column(name, prop) for name, prop in schema_of(database).items())}."


def schema_of(database: Page) -> dict[str, Json]:
    """The properties of a data source, by name."""
    properties: dict[str, Json] = database.json.get("properties", {})
    return properties


def choices(prop: Json) -> list[Json]:
    """The options of a select, multi-select or status property."""
    inner: Any = prop.get(prop["type"]) or {}
    options: list[Json] = inner.get("options", [])
    return options


def _column(name: str, prop: Json) -> str:
    kind = str(prop["type"]).replace("_", " ")
    names = [one_line(option["name"], 40) for option in choices(prop)]
    more = ", …" if len(names) > OPTIONS_SHOWN else ""
    given = f": {', '.join(names[:OPTIONS_SHOWN])}{more}" if names else ""
    return f"{one_line(name, 60)} ({kind}{given})"

"""The tool that adds entries to a database, and its undo."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop, ngettext
from services.integrations.kit.writes import is_card_stale
from services.integrations.notion.access import ID, notion_of, sources
from services.integrations.notion.errors import changed
from services.integrations.notion.making import since_of
from services.integrations.notion.payloads import Json, Page, as_data
from services.integrations.notion.rows import Added, Row, add_rows, take_out
from services.integrations.notion.schema import column, schema_of, title_property
from services.integrations.notion.tools.database_query import DatabaseReference, find_database
from services.integrations.notion.values import entry_line, in_words_of, to_value
from services.safety.text import one_line
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

MOST_ENTRIES = 40
PATIENCE = 3.0
"""How much longer than a call of one request a call of many may take."""


class Entry(BaseModel):
    """An entry of a database: its title, and what stands in the other columns."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(min_length=1, max_length=300)]
    values: dict[str, str] = {}


def preview_entries(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The database, and each entry with every value; raises `BadArguments` for values that do not fit."""
    given = notion_add_entries.validate(arguments)
    database = find_database(notion_of(context), given["database"])
    rows_of_entries(database, given["entries"], context.timezone)
    return (_where(database), *entry_rows(database, given["entries"], context.timezone))


def undo_entries(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the entries into Notion's trash, unless one was changed since."""
    took = take_out(notion_of(context, times=PATIENCE), undo["source_id"], undo["rows"])
    return ToolResult(output=gettext("Put {entries} into Notion's trash.", entries=_entries(took)))


@tool(
    label=gettext_noop("Adding entries in Notion"),
    title=gettext_noop("Add entries to a database in Notion"),
    summary=gettext_noop("Add rows to a tracker, a reading list or another table"),
    told=Told.PRIVATE,
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_entries,
    undo=undo_entries,
    timeout_s=60.0,
    examples=(
        Example(
            description="Put the two labs into my tracker",
            arguments={
                "database": "Assignment tracker",
                "entries": [
                    {"name": "Lab 11", "values": {"Course": "CS 101", "Due": "2026-12-04", "Status": "Not started"}},
                    {"name": "Lab 12", "values": {"Course": "CS 101", "Due": "2026-12-11"}},
                ],
            },
        ),
    ),
)
def notion_add_entries(
    context: ToolExecutionContext,
    *,
    database: DatabaseReference,
    entries: Annotated[
        list[Entry],
        Field(
            min_length=1,
            max_length=MOST_ENTRIES,
            description="The entries: name is the title, values are other columns by name. Dates like 2026-11-27 or "
            "2026-11-27T17:00, boxes yes or no, several choices with commas.",
        ),
    ],
) -> ToolResult:
    """Add entries to a database in the student's Notion: rows of an assignment tracker, a reading list, a table.

    The student sees each entry and approves them together first. Ask notion_query_database before, so that you know
    the columns and add nothing that is there already. To change an entry use notion_update_entry; for a new tracker
    use notion_create_tracker.
    """
    notion = notion_of(context, times=PATIENCE)
    found = find_database(notion, database)
    if is_card_stale(context, (_where(found),)):
        raise changed(gettext_noop("This database was renamed or moved"))
    rows = rows_of_entries(found, entries, context.timezone)
    added = add_rows(notion, found.id, rows, since=since_of(context), is_repeat=context.is_repeat)
    return ToolResult(
        output="\n".join(
            [
                _headline(added, len(rows), found.title),
                *(entry_line(page.json, context.timezone, with_link=False) for page in added.pages),
                *rest_note(added),
            ]
        ),
        data={"database": as_data(found), "entries": [as_data(page) for page in added.pages], "asked": len(rows)},
        sources=sources(found, *added.pages),
        undo={"source_id": found.id, "rows": added.undo},
    )


def rows_of_entries(database: Page, entries: Sequence[Entry], zone: ZoneInfo) -> list[Row]:
    """The entries in Notion's own form; raises `BadArguments`."""
    return [Row(title=entry.name, properties=_properties(database, entry, zone)) for entry in entries]


def entry_rows(database: Page, entries: Sequence[Entry], zone: ZoneInfo) -> list[PreviewRow]:
    """A card's line for each entry."""
    schema = schema_of(database)
    rows = []
    for number, entry in enumerate(entries, 1):
        words = []
        for name, text in entry.values.items():
            own = column(database, name, field="entries")
            value = to_value(schema[own], text, zone=zone, field="entries")
            words.append(f"{own}: {in_words_of(schema[own]['type'], value, text, zone)}")
        rows.append(PreviewRow(label=gettext("Entry {n}", n=number), value="\n".join([entry.name, *words])))
    return rows


def rest_note(added: Added) -> list[str]:
    """What the student should know of entries that could not be added."""
    if added.problem is None:
        return []
    return [f"Note: the others were not added. {added.problem} {added.problem.next_step}"]


def _properties(database: Page, entry: Entry, zone: ZoneInfo) -> Json:
    title = title_property(database.json)
    properties: Json = {title: {"title": [{"type": "text", "text": {"content": entry.name}}]}}
    for name, text in entry.values.items():
        own = column(database, name, field="entries")
        if own in properties:
            raise BadArguments(gettext("A column is named twice in an entry."), field="entries")
        properties[own] = to_value(schema_of(database)[own], text, zone=zone, field="entries")
    return properties


def _headline(added: Added, wanted: int, database: str) -> str:
    entries = _entries(wanted)
    if len(added.pages) < wanted:
        return gettext(
            "Added only {n} of {entries} to the database “{database}” (Notion).",
            n=len(added.pages),
            entries=entries,
            database=database,
        )
    if wanted == 1:
        entries = f"“{one_line(added.pages[0].title)}”"
    return gettext("Added {entries} to the database “{database}” (Notion).", entries=entries, database=database)


def _entries(number: int) -> str:
    return ngettext("{n} entry", "{n} entries", number) if number else gettext("no entries")


def _where(database: Page) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Database"), value=database.title)

"""Database entries: the tool that adds several, each exactly once, its card and its undo."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from services.i18n import gettext, gettext_noop, ngettext
from services.integrations.kit.writes import is_card_stale
from services.integrations.notion.access import ID, find_target, notion_of, page_sources, undo_when_settled
from services.integrations.notion.column_values import ColumnValueReader
from services.integrations.notion.entry_writes import (
    AddedEntries,
    NewEntry,
    add_entries,
    created_by_us,
    trash_entries,
)
from services.integrations.notion.errors import changed_error
from services.integrations.notion.payloads import NotionPage, page_data, page_facts
from services.integrations.notion.schema import find_column, schema_of, title_property
from services.integrations.notion.tools.database_query import DatabaseReference, find_database
from services.integrations.notion.values import added_choices_note, column_value_text, entry_line, parse_value
from services.integrations.notion.writes import ids_there_before, operation_start
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

MOST_ENTRIES = 40
MOST_LISTED = 10
PATIENCE = 3.0
"""Factor by which a call of many requests may take longer than a call of one."""


class Entry(BaseModel):
    """An entry of a database: its title, and what stands in the other columns."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(min_length=1, max_length=300)]
    values: dict[str, str] = {}


def preview_entries(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the database, and each entry with every value; raises `BadArguments` for values that do not fit."""
    given = notion_add_entries.validate(arguments)
    database = find_target(context, lambda: find_database(notion_of(context), given["database"]))
    new_entries(database, given["entries"], context.timezone)
    return (_database_row(database), *entry_card_rows(database, given["entries"], context.timezone))


@undo_when_settled
def undo_entries(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Move the entries to Notion's trash, unless one was changed since."""
    trashed = trash_entries(notion_of(context, times=PATIENCE), undo["source_id"], undo["rows"])
    return ToolResult(output=gettext("Put {entries} into Notion's trash.", entries=_entry_count(trashed)))


@tool(
    label=gettext_noop("Adding entries in Notion"),
    title=gettext_noop("Add entries to a database in Notion"),
    summary=gettext_noop("Add rows to a tracker, a reading list or another table"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_entries,
    undo=undo_entries,
    timeout_s=60.0,
    usage_hint="Adds rows to a tracker, a reading list or another table.",
    when=("the student wants entries in a table that exists",),
    when_not=("there is no table yet", "a row is to be changed"),
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
            description="name: the title. values: other columns by name; dates like 2026-11-27 or "
            "2026-11-27T17:00, boxes yes or no, several choices with commas.",
        ),
    ],
) -> ToolResult:
    """Add entries to a database in the student's Notion: rows of an assignment tracker, a reading list, a table.

    Ask notion_query_database first, so that you know the columns and add nothing that is there already.
    """
    notion = notion_of(context, times=PATIENCE)
    found = find_target(context, lambda: find_database(notion, database))
    if is_card_stale(context, (_database_row(found),)):
        raise changed_error(gettext_noop("This database was renamed or moved"))
    rows = new_entries(found, entries, context.timezone)
    since = operation_start(context)
    there = ids_there_before(context, lambda: [json["id"] for json in created_by_us(notion, found.id, since)])
    notes = [note for row in rows for note in added_choices_note(schema_of(found), row.properties)]
    added = add_entries(notion, found.id, rows, since=since, there=there, is_repeat=context.is_repeat)
    listed = added.pages if len(added.pages) <= MOST_LISTED else ()
    lines = [
        _headline(added, len(rows), found.title),
        *(entry_line(page.json, context.timezone, with_link=False) for page in listed),
        page_facts(found),
        *dict.fromkeys(notes),
        *failure_note(added),
    ]
    return ToolResult(
        output="\n".join(lines),
        data={"database": page_data(found), "entries": [page_data(page) for page in added.pages], "asked": len(rows)},
        sources=page_sources(found, *added.pages),
        undo={"source_id": found.id, "rows": added.undo},
    )


def new_entries(database: NotionPage, entries: Sequence[Entry], zone: ZoneInfo) -> list[NewEntry]:
    """Entries in the API's own form; raises `BadArguments`."""
    reader = ColumnValueReader(database, zone=zone, field="entries")
    read = [(entry.name, reader.read(entry.values, entry=entry.name)) for entry in entries]
    reader.raise_found()
    title = title_property(database.json)
    named = [(name, {"title": [{"type": "text", "text": {"content": name}}]}, values) for name, values in read]
    return [NewEntry(title=name, properties={title: written, **values}) for name, written, values in named]


def entry_card_rows(database: NotionPage, entries: Sequence[Entry], zone: ZoneInfo) -> list[PreviewRow]:
    """Card row of each entry."""
    schema = schema_of(database)
    rows = []
    for number, entry in enumerate(entries, 1):
        words = []
        for name, text in entry.values.items():
            own = find_column(database, name, field="entries")
            value = parse_value(schema[own], text, zone=zone, field="entries")
            words.append(f"{own}: {column_value_text(schema[own], value, text, zone)}")
        rows.append(PreviewRow(label=gettext("Entry {n}", n=number), value="\n".join([entry.name, *words])))
    return rows


def failure_note(added: AddedEntries) -> list[str]:
    """Note on the entries that could not be added."""
    if added.problem is None:
        return []
    return [f"Note: the others were not added. {added.problem} {added.problem.next_step}"]


def _headline(added: AddedEntries, wanted: int, database: str) -> str:
    entries = _entry_count(wanted)
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


def _entry_count(number: int) -> str:
    return ngettext("{n} entry", "{n} entries", number) if number else gettext("no entries")


def _database_row(database: NotionPage) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Database"), value=database.title, resolved={"database": database.id})

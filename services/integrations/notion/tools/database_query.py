"""Database query: the tool that finds entries by due date, status, words and other columns, and its filters.

https://developers.notion.com/reference/post-database-query-filter
"""

from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import Field

from services.errors import BadArguments, RequestRefused
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, days, sentence
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.notion.access import FRESH_S, ID, find_page, notion_of, page_sources
from services.integrations.notion.client import NotionClient
from services.integrations.notion.column_values import value_error
from services.integrations.notion.errors import LABEL
from services.integrations.notion.payloads import Json, NotionPage, read_page
from services.integrations.notion.schema import (
    COLUMNS_STEP,
    DONE_WORDS,
    columns_line,
    done_options,
    due_column,
    find_column,
    find_option,
    options_of,
    schema_of,
    status_column,
)
from services.integrations.notion.values import entry_data, entry_line, parse_checkbox, parse_number
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

OPEN_WORDS = frozenset(
    {
        *("open", "not done", "undone", "incomplete", "unfinished", "still open", "to do", "todo"),
        *("abierto", "abierta", "pendiente", "sin hacer", "sin terminar", "por hacer"),
    }
)
MOST_ROWS = 1_000
MOST_IN_OR = 100
MOST_SOURCES = 50
DatabaseReference = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="The id that notion_search gave, its address, or words of its title.",
    ),
]


@tool(
    label=gettext_noop("Looking through a database in Notion"),
    title=gettext_noop("Look through a database in Notion"),
    summary=gettext_noop("Look for entries in one of your databases, such as what is due"),
    category="notes",
    contexts=("notes",),
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Looks for entries of one database, such as what is due.",
    when=("the student asks about rows of their table",),
    when_not=("the text of a page is asked for",),
    examples=(
        Example(
            description="What is still open in my tracker and due by Friday?",
            arguments={"database": "Assignment tracker", "status": "open", "due_until": "2026-11-27"},
        ),
        Example(
            description="Everything for CS 101",
            arguments={"database": "Assignment tracker", "where": {"Course": "CS 101"}},
        ),
    ),
)
def notion_query_database(
    context: ToolExecutionContext,
    *,
    database: DatabaseReference,
    status: Annotated[
        str,
        Field(
            max_length=100,
            description="In the database's own words, or “open” (not done), or “done”.",
        ),
    ] = "",
    due_from: Annotated[date | None, Field(description="Due on this day or later.")] = None,
    due_until: Annotated[date | None, Field(description="Due on this day or earlier.")] = None,
    text: Annotated[str, Field(max_length=200, description="Only entries with these words.")] = "",
    where: Annotated[
        dict[str, str], Field(max_length=8, description='Other columns and their values, like {"Course": "CS 101"}.')
    ] = {},  # noqa: B006 - never changed
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50,
) -> ToolResult:
    """Ask a database in the student's Notion for its entries: by due date, status, words and any other column.

    For trackers, reading lists and other tables. What is due comes first. The answer names the columns too.
    """
    notion = notion_of(context)
    found = find_database(notion, database)
    errors = ArgumentErrorCollector()
    due = errors.read(_due_column, found, due_from, due_until)
    filters = [
        *([errors.read(_status_filter, found, status)] if status else []),
        *_due_filter(due, due_from, due_until),
        *([words_filter(found, text)] if text else []),
        *(errors.read(_named_filter, found, name, value) for name, value in where.items()),
    ]
    errors.raise_found()
    parts = [part for part in filters if part]
    rows = notion.rows(
        found.id,
        most=MOST_ROWS + 1,
        filter={"and": parts} if parts else None,
        sorts=[{"property": due, "direction": "ascending"}] if due else None,
    )
    due_rows = [row for row in rows if _is_due(row, due, due_from, due_until, context)]
    return _result(context, found, due_rows, limit=limit, is_cut=len(rows) > MOST_ROWS, span=(due_from, due_until))


def find_database(notion: NotionClient, reference: str) -> NotionPage:
    """Look up a database; raises `ItemNotFound`, `BadArguments`, `RequestRefused` for a page."""
    found = find_page(notion, reference, field="database", wanted="database")
    if not found.is_database:
        step = gettext("Name a database, or read it as a page.")
        raise RequestRefused(LABEL, gettext("This is a page and not a database."), next_step=step)
    return found


def _due_column(database: NotionPage, first: date | None, last: date | None) -> str | None:
    due = due_column(database)
    errors = ArgumentErrorCollector()
    if due is None and (first or last):
        problem = gettext("The database has no due date to go by.")
        errors.add(BadArguments(problem, field="due_from" if first else "due_until"))
    if first and last and last < first:
        errors.add(BadArguments(gettext("The end is before the start."), field="due_until"))
    errors.raise_found()
    return due


def _due_filter(due: str | None, first: date | None, last: date | None) -> list[Json]:
    """Filter with a day more on each side, because Notion's days are in its own zone; `_is_due` is exact."""
    day = timedelta(days=1)
    earliest = first - day if first and first > date.min else first
    latest = last + day if last and last < date.max else last
    after = [{"property": due, "date": {"on_or_after": earliest.isoformat()}}] if earliest else []
    before = [{"property": due, "date": {"on_or_before": latest.isoformat()}}] if latest else []
    return after + before


def _is_due(row: Json, due: str | None, first: date | None, last: date | None, context: ToolExecutionContext) -> bool:
    """Whether an entry is due on these days of the student's own zone."""
    if not (first or last):
        return True
    written = (row["properties"].get(due, {}).get("date") or {}).get("start")
    if not written:
        return False
    on = _local_day(written, context)
    return (first is None or on >= first) and (last is None or on <= last)


def _local_day(written: str, context: ToolExecutionContext) -> date:
    if len(written) == len("2026-11-27"):
        return date.fromisoformat(written)
    at = datetime.fromisoformat(written)
    return at.astimezone(context.timezone).date() if at.tzinfo else at.date()


def _result(
    context: ToolExecutionContext,
    database: NotionPage,
    rows: list[Json],
    *,
    limit: int,
    is_cut: bool,
    span: tuple[date | None, date | None],
) -> ToolResult:
    shown, zone = rows[:limit], context.timezone
    about = f" due {days(span[0], span[1])}" if span[0] and span[1] else ""
    entries = f"{count(len(rows), 'entry', 'entries')}{about}"
    heading = f"{sentence(entries)} in the database “{database.title}” (Notion, as of {clock(context.now())})."
    notes = [f"Note: only the first {limit} of {len(rows)} are shown; ask for fewer."] if len(rows) > limit else []
    if is_cut:
        notes.append(f"Note: this database is very large; only the first {MOST_ROWS:,} entries were looked through.")
    lines = [heading, *(entry_line(row, zone) for row in shown), *notes, columns_line(database)]
    return ToolResult(
        output="\n".join(lines),
        data={
            "database": {"id": database.id, "title": database.title, "url": database.url},
            "columns": {name: prop["type"] for name, prop in schema_of(database).items()},
            "entries": [entry_data(row, zone) for row in shown],
            "total": len(rows),
        },
        sources=page_sources(database, *(read_page(row) for row in shown[:MOST_SOURCES])),
        is_partial=is_cut,
    )


def status_filter(database: NotionPage, status: str) -> Json:
    """Filter for a status, for all that is done, or for all that is not; raises `BadArguments`."""
    name = status_column(database)
    if name is None:
        raise BadArguments(gettext("The database has no status to go by."), field="status", next_step=COLUMNS_STEP)
    prop, wanted = schema_of(database)[name], status.strip().casefold()
    if prop["type"] == "checkbox":
        return {"property": name, "checkbox": {"equals": wanted not in OPEN_WORDS and parse_checkbox(status, "status")}}
    kind, named = prop["type"], {option["name"].casefold() for option in options_of(prop)}
    if wanted not in named and wanted in OPEN_WORDS | DONE_WORDS:
        joint, test = ("and", "does_not_equal") if wanted in OPEN_WORDS else ("or", "equals")
        return {joint: [{"property": name, kind: {test: option}} for option in _require_done_options(prop)]}
    return {"property": name, kind: {"equals": find_option(prop, status, field="status")}}


def _require_done_options(prop: Json) -> list[str]:
    found = done_options(prop)
    if not found:
        raise BadArguments(gettext("No status of this database says done."), field="status", next_step=COLUMNS_STEP)
    return found


def words_filter(database: NotionPage, words: str) -> Json:
    """Filter for words in a title or a text."""
    kinds = ("title", "rich_text")
    named = [(name, prop["type"]) for name, prop in schema_of(database).items() if prop["type"] in kinds]
    return {"or": [{"property": name, kind: {"contains": words}} for name, kind in named[:MOST_IN_OR]]}


def _status_filter(database: NotionPage, status: str) -> Json:
    try:
        return status_filter(database, status)
    except BadArguments as problem:
        name = status_column(database) or gettext("Status")
        raise value_error(problem, field="status", name=name, text=status) from None


def _named_filter(database: NotionPage, name: str, value: str) -> Json:
    try:
        return value_filter(database, name, value)
    except BadArguments as problem:
        raise value_error(problem, field="where", name=name, text=value) from None


def value_filter(database: NotionPage, name: str, value: str) -> Json:
    """Filter for a column's value, both as a person writes them; raises `BadArguments`."""
    name = find_column(database, name, field="where")
    prop = schema_of(database)[name]
    kind, value = prop["type"], value.strip()
    condition: Json
    match kind:
        case "select" | "status":
            condition = {"equals": find_option(prop, value, field="where")}
        case "multi_select":
            condition = {"contains": find_option(prop, value, field="where")}
        case "checkbox":
            condition = {"equals": parse_checkbox(value, "where")}
        case "number":
            condition = {"equals": parse_number(value, "where")}
        case "title" | "rich_text" | "url" | "email" | "phone_number":
            condition = {"contains": value}
        case "date":
            condition = {"equals": value}
        case _:
            raise BadArguments(gettext("That column cannot be asked for."), field="where", next_step=COLUMNS_STEP)
    return {"property": name, kind: condition}

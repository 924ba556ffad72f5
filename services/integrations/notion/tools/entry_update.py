"""Entry update: the tool that changes an entry of a database, its card and its undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused, ServiceError
from services.i18n import gettext, gettext_noop
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.writes import earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import (
    ID,
    find_page,
    find_target,
    notion_of,
    page_sources,
    single_match,
    undo_when_settled,
)
from services.integrations.notion.client import NotionClient
from services.integrations.notion.column_values import ColumnValueReader
from services.integrations.notion.errors import (
    LABEL,
    NotionConflict,
    NotionUnanswered,
    busy_error,
    changed_error,
    not_shared_error,
    unknown_outcome_error,
)
from services.integrations.notion.payloads import (
    Json,
    NotionPage,
    id_in_reference,
    matching_pages,
    page_data,
    read_page,
)
from services.integrations.notion.schema import schema_of, title_property
from services.integrations.notion.tools.database_query import find_database
from services.integrations.notion.values import (
    added_choices_note,
    column_value_text,
    current_value_text,
    entry_facts,
    has_values,
    writable_value,
)
from services.integrations.notion.writes import TRIES_AFTER_CONFLICT
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

MOST_ALIKE = 25


@dataclass(frozen=True, kw_only=True)
class EntryUpdate:
    """Entry, its database, and the new values in the API's form."""

    page: NotionPage
    database: NotionPage
    values: Json


def preview_update(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the entry, and each column before and after."""
    given = notion_update_entry.validate(arguments)
    return _rows(context, _entry_update(context, notion_of(context), **given), given["changes"])


@undo_when_settled
def undo_update(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Write the former values again, unless they were changed since."""
    notion = notion_of(context)
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared_error()
    now = {name: writable_value(page.json["properties"].get(name, {"type": ""})) for name in undo["before"]}
    if now != undo["before"]:
        if now != undo["after"]:
            raise changed_error(gettext_noop("This entry was changed"))
        _write(notion, page, undo["before"])
    return ToolResult(output=gettext("“{title}” is as it was before.", title=page.title))


@tool(
    label=gettext_noop("Changing an entry in Notion"),
    title=gettext_noop("Change an entry of a database in Notion"),
    summary=gettext_noop("Change a row of a table, such as its status or due date"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_update,
    undo=undo_update,
    timeout_s=40.0,
    usage_hint="Changes a row of a table, such as its status or due date.",
    when=("the student says that something in their table is done or different",),
    when_not=("a new row is wanted",),
    examples=(
        Example(
            description="Lab 9 is done",
            arguments={"database": "Assignment tracker", "entry": "Lab 9", "changes": {"Status": "Done"}},
        ),
    ),
)
def notion_update_entry(
    context: ToolExecutionContext,
    *,
    entry: Annotated[
        str, Field(min_length=1, max_length=500, description="Its id, its address, or words of its title.")
    ],
    changes: Annotated[
        dict[str, str],
        Field(
            min_length=1,
            max_length=20,
            description='Columns and their new values, like {"Status": "Done", "Due": "2026-12-04"}; "" empties one.',
        ),
    ],
    database: Annotated[str, Field(max_length=500, description="Its database, when the entry is named by words.")] = "",
) -> ToolResult:
    """Change an entry of a database in the student's Notion: the status, the due date or any other column.

    The text inside the entry's page stays as it is.
    """
    notion = notion_of(context)
    update = _entry_update(context, notion, entry, changes, database)
    page, wanted = update.page, update.values
    before = {name: writable_value(page.json["properties"][name]) for name in wanted}
    if context.is_repeat and has_values(page.json["properties"], wanted):
        former = (earlier_plan(context) or {}).get("before")
        return _result(context, page, undo=_undo(page, wanted, former) if former is not None else None)
    if is_card_stale(context, _rows(context, update, changes)):
        raise changed_error(gettext_noop("This entry was changed"))
    save_plan(context, {"before": before})
    after = _write(notion, page, wanted)
    notes = added_choices_note(schema_of(update.database), wanted)
    return _result(context, after, undo=_undo(after, wanted, before), notes=notes)


def _entry_update(
    context: ToolExecutionContext, notion: NotionClient, entry: str, changes: Mapping[str, str], database: str
) -> EntryUpdate:
    """Look up the entry and read the new values; raises
    `ItemNotFound`, `BadArguments`, `RequestRefused` for other pages.
    """
    errors = ArgumentErrorCollector()
    if database and not id_in_reference(entry):
        source = find_database(notion, database)
        page = errors.read(_entry_of, notion, source, entry)
    else:
        page, source = _entry_anywhere(context, notion, entry)
    values = errors.read(_new_values, context, source, changes)
    errors.raise_found()
    assert page
    assert values is not None
    return EntryUpdate(page=page, database=source, values=values)


def _entry_of(notion: NotionClient, database: NotionPage, entry: str) -> NotionPage:
    by_title = {"property": title_property(database.json), "title": {"contains": entry.strip()}}

    def rows(filter: Json | None = None) -> list[NotionPage]:
        return [read_page(json) for json in notion.rows(database.id, most=MOST_ALIKE, filter=filter)]

    return single_match(matching_pages(rows(by_title), entry), entry, rows, field="entry")


def _entry_anywhere(context: ToolExecutionContext, notion: NotionClient, entry: str) -> tuple[NotionPage, NotionPage]:
    page = find_target(context, lambda: find_page(notion, entry, field="entry", wanted="page"))
    if not page.is_entry:
        step = gettext("Choose an entry, or add text to the page instead.")
        raise RequestRefused(LABEL, gettext("This is an ordinary page and no entry of a database."), next_step=step)
    parent = page.json["parent"]
    return page, read_page(notion.data_source(parent["data_source_id"]))


def _new_values(context: ToolExecutionContext, source: NotionPage, changes: Mapping[str, str]) -> Json:
    reader = ColumnValueReader(source, zone=context.timezone, field="changes")
    wanted = reader.read(changes)
    reader.raise_found()
    return wanted


def _write(notion: NotionClient, page: NotionPage, values: Json) -> NotionPage:
    """Write the values, which is idempotent; raises `OutcomeUnknown` when it may have happened."""
    for attempt in range(TRIES_AFTER_CONFLICT):
        try:
            return read_page(notion.set_properties(page.id, values))
        except NotionUnanswered as silence:
            return _check_outcome(notion, page, values, silence)
        except NotionConflict as conflict:
            if not notion.deadline.pause(attempt):
                raise conflict from None
    raise busy_error()


def _check_outcome(notion: NotionClient, page: NotionPage, values: Json, silence: NotionUnanswered) -> NotionPage:
    try:
        now = read_page(notion.page(page.id))
    except ServiceError:
        raise unknown_outcome_error(gettext_noop("the entry was changed")) from silence
    if not has_values(now.json["properties"], values):
        raise unknown_outcome_error(gettext_noop("the entry was changed")) from silence
    return now


def _rows(context: ToolExecutionContext, update: EntryUpdate, changes: Mapping[str, str]) -> tuple[PreviewRow, ...]:
    rows = [
        PreviewRow(label=gettext_noop("Entry"), value=update.page.title, resolved={"entry": update.page.id}),
        PreviewRow(label=gettext_noop("Database"), value=update.database.title),
    ]
    for (name, value), text in zip(update.values.items(), changes.values(), strict=True):
        prop = update.page.json["properties"][name]
        new = column_value_text(schema_of(update.database)[name], value, text, context.timezone)
        rows.append(PreviewRow(label=name, value=new, before=current_value_text(prop, context.timezone)))
    return tuple(rows)


def _undo(page: NotionPage, wanted: Json, before: Json) -> Json:
    after = {name: writable_value(page.json["properties"][name]) for name in wanted}
    return {"page_id": page.id, "before": before, "after": after}


def _result(
    context: ToolExecutionContext, page: NotionPage, *, undo: Json | None, notes: Sequence[str] = ()
) -> ToolResult:
    heading = gettext("Changed “{title}” (Notion).", title=page.title)
    return ToolResult(
        output="\n".join([heading, entry_facts(page.json, context.timezone), *notes]),
        data={"entry": page_data(page)},
        sources=page_sources(page),
        undo=undo,
    )

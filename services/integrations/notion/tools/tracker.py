"""Assignment tracker: the tool that creates a database with its columns and fills it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from services.errors import ServiceError
from services.i18n import gettext, gettext_noop
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.writes import StillUnderway
from services.integrations.notion.access import (
    ID,
    ParentReference,
    find_target,
    is_place_stale,
    notion_of,
    page_sources,
    parent_page_for,
    parent_row,
    undo_when_settled,
)
from services.integrations.notion.client import NotionClient
from services.integrations.notion.entry_writes import AddedEntries, NewEntry, add_entries
from services.integrations.notion.errors import changed_error, not_shared_error
from services.integrations.notion.fingerprint import database_fingerprint, page_fingerprint
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_facts, read_page
from services.integrations.notion.schema import schema_of
from services.integrations.notion.tools.entry_creation import MOST_ENTRIES, PATIENCE, failure_note
from services.integrations.notion.tools.tracker_columns import (
    Item,
    MoreColumns,
    OnlyThese,
    item_card_text,
    item_properties,
    tracker_columns,
)
from services.integrations.notion.writes import (
    find_created_id,
    ids_there_before,
    operation_start,
    send_once,
    siblings_under,
)
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example


def preview_tracker(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: title, parent, columns and every entry."""
    given = notion_create_tracker.validate(arguments)
    errors, notion = ArgumentErrorCollector(), notion_of(context)
    place = errors.read(find_target, context, lambda: parent_page_for(notion, given["parent"], given["title"]))
    columns = errors.read(tracker_columns, given["columns"], only_these=given["only_these"]) or {}
    texts = [errors.read(item_card_text, item, columns, context.timezone) for item in given["items"] if columns]
    errors.raise_found()
    assert place
    return (
        PreviewRow(label=gettext_noop("Title"), value=given["title"]),
        parent_row(place, given["parent"]),
        PreviewRow(label=gettext_noop("Columns"), value=", ".join(columns)),
        *(PreviewRow(label=gettext("Entry {n}", n=n), value=text or "") for n, text in enumerate(texts, 1)),
    )


@undo_when_settled
def undo_tracker(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Move the database to Notion's trash, unless entries were added or changed since."""
    notion = notion_of(context, times=PATIENCE)
    database = notion.database(undo["database_id"])
    if database.get("in_trash"):
        return ToolResult(output=gettext("The tracker is in Notion's trash."))
    if not database.get("data_sources"):
        raise not_shared_error()
    source = read_page(notion.data_source(undo["source_id"]))
    is_changed = database_fingerprint(database, source) != undo.get("fingerprint")
    if is_changed or _has_new_words(notion, source, undo["rows"]):
        raise changed_error(gettext_noop("This tracker was changed"))
    notion.trash_database(undo["database_id"])
    return ToolResult(output=gettext("Put the tracker into Notion's trash."))


@tool(
    label=gettext_noop("Making a tracker in Notion"),
    title=gettext_noop("Create an assignment tracker in Notion"),
    summary=gettext_noop("Make a table of your assignments with due dates and status"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_tracker,
    undo=undo_tracker,
    timeout_s=60.0,
    usage_hint="Makes a table of assignments with due dates and status.",
    when=("the student wants to keep track of a course's work in Notion",),
    when_not=("there is a tracker already: add to it",),
    examples=(
        Example(
            description="Make me a tracker with what is due for CS 101",
            arguments={
                "title": "Assignment tracker",
                "items": [{"name": "HW 6", "course": "CS 101", "due": "2026-11-27", "status": "Not started"}],
            },
        ),
    ),
)
def notion_create_tracker(
    context: ToolExecutionContext,
    *,
    title: Annotated[str, Field(min_length=1, max_length=200, description="What it is called.")] = "Assignment tracker",
    items: Annotated[
        list[Item],
        Field(
            max_length=MOST_ENTRIES,
            description="The assignments; due like 2026-11-27 or 2026-11-27T17:00, link as a tool gave it, more like "
            '{"Priority": "High"} for what columns adds.',
        ),
    ] = [],  # noqa: B006 - never changed
    columns: MoreColumns = {},  # noqa: B006 - never changed
    only_these: OnlyThese = False,
    parent: ParentReference = "",
) -> ToolResult:
    """Create an assignment tracker in the student's Notion: a database with name, course, due date, status and
    link, or with columns of their own.

    Look with notion_search whether there is one already: add to that one with notion_add_entries. Fill it with what
    the tools for courses say.
    """
    notion = notion_of(context, times=PATIENCE)
    place = find_target(context, lambda: parent_page_for(notion, parent, title))
    if is_place_stale(context, place):
        raise changed_error(gettext_noop("The place for this tracker was changed"))
    schema, zone, since = tracker_columns(columns, only_these=only_these), context.timezone, operation_start(context)
    rows = [NewEntry(title=item.name, properties=item_properties(item, schema, zone)) for item in items]
    there = ids_there_before(
        context, lambda: [d.id for d in siblings_under(notion, place, "child_database") if d.title == title]
    )
    database_id = _find_created(notion, place, title, context, there) if context.is_repeat else None
    is_there = database_id is not None
    if database_id is None:
        database_id = _create(notion, place, title, schema, context, there)
    source = read_page(notion.data_source(notion.database(database_id)["data_sources"][0]["id"]))
    added = _fill(notion, source, rows, since=since, is_repeat=is_there)
    undo = _undo(notion, database_id, source, schema, added)
    return _result(source, parent_row(place, place.id).value, added, len(rows), undo=undo)


def _fill(
    notion: NotionClient, source: NotionPage, rows: Sequence[NewEntry], *, since: Any, is_repeat: bool
) -> AddedEntries:
    """Add the entries; a failure is returned and not raised, because the database is there already: but for
    `StillUnderway`, after which the entries are looked for again.
    """
    try:
        return add_entries(notion, source.id, rows, since=since, is_repeat=is_repeat)
    except StillUnderway:
        raise
    except ServiceError as problem:
        return AddedEntries(pages=[], problem=problem)


def _has_new_words(notion: NotionClient, source: NotionPage, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether an entry was added or changed; one that was deleted is no loss."""
    made = {row["id"]: row.get("fingerprint") for row in rows}
    now = [read_page(json) for json in notion.rows(source.id, most=MOST_ENTRIES + 1)]
    return any(page.id not in made for page in now) or any(
        page_fingerprint(page, notion.markdown(page.id)) != made[page.id] for page in now
    )


def _create(
    notion: NotionClient,
    place: NotionPage,
    title: str,
    columns: Json,
    context: ToolExecutionContext,
    there: Collection[str] | None,
) -> str:
    """Create the database once; its id. Raises `OutcomeUnknown` when that cannot be found out."""
    parent = {"type": "page_id", "page_id": place.id}
    return send_once(
        notion,
        lambda: str(notion.create_database(parent=parent, title=title, properties=columns)["id"]),
        lambda: _find_created(notion, place, title, context, there),
        done=gettext_noop("the tracker was created"),
    )


def _find_created(
    notion: NotionClient, place: NotionPage, title: str, context: ToolExecutionContext, there: Collection[str] | None
) -> str | None:
    """Id of the database of this title that this connection created under this page since then, or None."""
    siblings = siblings_under(notion, place, "child_database")
    return find_created_id(
        notion, siblings, title, operation_start(context), there=there, done=gettext_noop("the tracker was created")
    )


def _undo(
    notion: NotionClient, database_id: str, source: NotionPage, columns: Json, added: AddedEntries
) -> Json | None:
    """Arguments of the undo; None when it is not known what of the tracker is ours, so that no safe one is promised."""
    try:
        # Read anew: the entries brought choices with them.
        database, source = notion.database(database_id), read_page(notion.data_source(source.id))
    except ServiceError:
        return None
    if schema_of(source).keys() != columns.keys():
        return None
    fingerprint = database_fingerprint(database, source)
    return {"database_id": database_id, "source_id": source.id, "fingerprint": fingerprint, "rows": added.undo}


def _result(source: NotionPage, where: str, added: AddedEntries, wanted: int, *, undo: Json | None) -> ToolResult:
    name, done = source.title, len(added.pages)
    heading = gettext("Created the tracker “{title}” {where} (Notion).", title=name, where=where)
    if wanted:
        heading = gettext(
            "Created the tracker “{title}” {where} with {n} of {wanted} entries (Notion).",
            title=name,
            where=where,
            n=done,
            wanted=wanted,
        )
    return ToolResult(
        output="\n".join([heading, *failure_note(added), page_facts(source)]),
        data={"database": page_data(source), "entries": [page_data(page) for page in added.pages], "asked": wanted},
        sources=page_sources(source, *added.pages),
        undo=undo,
    )

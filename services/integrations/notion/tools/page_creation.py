"""Page creation, exactly once, with its card and its undo; and the tool that creates any page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from services.errors import ItemNotFound, ServiceError
from services.i18n import gettext, gettext_noop
from services.integrations.notion.access import (
    ID,
    ParentReference,
    find_target,
    is_place_stale,
    notion_of,
    page_sources,
    parent_for,
    parent_row,
    undo_when_settled,
)
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import changed_error
from services.integrations.notion.fingerprint import page_fingerprint
from services.integrations.notion.markdown import normalised_lines
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_facts, read_page
from services.integrations.notion.schema import title_property
from services.integrations.notion.writes import (
    Sibling,
    find_created_id,
    ids_there_before,
    newest_siblings,
    operation_start,
    send_once,
    siblings_under,
)
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

Content = Annotated[
    str,
    Field(
        max_length=20_000,
        description="Markdown, like “## Chapter 3\\n- [ ] Read pages 40–60”.",
    ),
]
Title = Annotated[str, Field(min_length=1, max_length=300, description="The page's title.")]


@dataclass(frozen=True, kw_only=True)
class PageDraft:
    """A page to create. parent: where the student wants it, or "" for a place that fits."""

    title: str
    parent: str
    content: str


def page_rows(context: ToolExecutionContext, page: PageDraft) -> tuple[PreviewRow, ...]:
    """Card rows: every field of the page, and its parent."""
    place = find_target(context, lambda: parent_for(notion_of(context), page.parent, page.title))
    rows = (PreviewRow(label=gettext_noop("Title"), value=page.title), parent_row(place, page.parent))
    return (*rows, PreviewRow(label=gettext_noop("Content"), value=page.content)) if page.content else rows


def create_page(context: ToolExecutionContext, page: PageDraft) -> ToolResult:
    """Create the page, once over all tries of the operation; raises `OutcomeUnknown` when it may have happened."""
    notion = notion_of(context)
    place = find_target(context, lambda: parent_for(notion, page.parent, page.title))
    where = parent_row(place, page.parent)
    if is_place_stale(context, place):
        raise changed_error(gettext_noop("The place for this page was changed"))
    since = operation_start(context)
    there = ids_there_before(context, lambda: [p.id for p in _siblings(notion, place) if p.title == page.title])
    found = _find_created(notion, place, page, since, there) if context.is_repeat else None
    created, is_new = (found, False) if found else _create(notion, place, page, since, there)
    made = read_page(created)
    return _result(made, where.value, context, undo=_undo(notion, made, page, is_new=is_new))


@undo_when_settled
def undo_page_creation(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the page into Notion's trash, unless it was changed since."""
    notion = notion_of(context)
    try:
        page = read_page(notion.page(undo["page_id"]))
    except ItemNotFound:
        return ToolResult(output=gettext("The page is not in Notion any more."))
    if page.in_trash:
        return ToolResult(output=gettext("The page is in Notion's trash."))
    if page_fingerprint(page, notion.markdown(page.id)) != undo.get("fingerprint"):
        raise changed_error(gettext_noop("This page was changed"))
    notion.trash(page.id)
    return ToolResult(output=gettext("Put “{title}” into Notion's trash.", title=page.title))


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: every field of the page, and its parent."""
    return page_rows(context, PageDraft(**notion_create_page.validate(arguments)))


@tool(
    label=gettext_noop("Writing in Notion"),
    title=gettext_noop("Create a page in Notion"),
    summary=gettext_noop("Create a page where you want it"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_creation,
    undo=undo_page_creation,
    timeout_s=40.0,
    usage_hint="Creates a page, where the student says.",
    when=("the student wants something written down on a page of its own",),
    when_not=("a page for it exists", "study notes or a plan with boxes is wanted"),
    examples=(
        Example(
            description="Make a page about osmosis under my biology page",
            arguments={"title": "Osmosis", "parent": "BIOL 201", "content": "Water moves towards more solute."},
        ),
    ),
)
def notion_create_page(
    context: ToolExecutionContext,
    *,
    title: Title,
    parent: ParentReference = "",
    content: Content = "",
) -> ToolResult:
    """Create a page in the student's Notion, under a page or as an entry of a database.

    For new notes and lists to keep; study notes, study plans and trackers have tools of their own. Do not repeat
    the title as a heading in the content.
    """
    return create_page(context, PageDraft(title=title, parent=parent, content=content))


def _create(
    notion: NotionClient, place: NotionPage, page: PageDraft, since: datetime, there: Collection[str] | None
) -> tuple[Json, bool]:
    """Create the page once; its JSON, and whether that is the answer itself and was not found by looking for it.

    Raises `OutcomeUnknown` when that may have happened and cannot be found out.
    """
    body: Json = {"parent": _parent(place), "properties": _title(place, page.title), "markdown": page.content}

    def find() -> tuple[Json, bool] | None:
        found = _find_created(notion, place, page, since, there)
        return (found, False) if found else None

    return send_once(notion, lambda: (notion.create(**body), True), find, done=gettext_noop("the page was created"))


def _siblings(notion: NotionClient, place: NotionPage) -> Sequence[Sibling]:
    return newest_siblings(notion, place) if place.is_database else siblings_under(notion, place)


def _find_created(
    notion: NotionClient, place: NotionPage, page: PageDraft, since: datetime, there: Collection[str] | None
) -> Json | None:
    """Page of this title that this connection created in this place since then, or None.

    Ours is what its bot created, and what has the same text. Raises `OutcomeUnknown` when there are several.
    """
    ours = find_created_id(
        notion,
        _siblings(notion, place),
        page.title,
        since,
        there=there,
        done=gettext_noop("the page was created"),
        is_ours=lambda sibling: _has_text(notion, sibling.id, page.content),
    )
    return notion.page(ours) if ours else None


def _has_text(notion: NotionClient, page_id: str, content: str) -> bool:
    return normalised_lines(notion.markdown(page_id)["markdown"]) == normalised_lines(content)


def _undo(notion: NotionClient, page: NotionPage, draft: PageDraft, *, is_new: bool) -> Json | None:
    """Arguments of the undo; None without knowing what is ours in the page, when no safe one can be promised.

    is_new: nobody can have changed it yet.
    """
    try:
        text = notion.markdown(page.id)
    except ServiceError:
        return None
    is_changed = normalised_lines(text["markdown"]) != normalised_lines(draft.content) or not page.is_first_version
    if is_changed and not is_new:
        return None
    return {"page_id": page.id, "fingerprint": page_fingerprint(page, text)}


def _result(page: NotionPage, where: str, context: ToolExecutionContext, *, undo: Json | None) -> ToolResult:
    return ToolResult(
        output=gettext("Created “{title}” {where} (Notion).", title=page.title, where=where) + f"\n{page_facts(page)}",
        data={"page": page_data(page)},
        sources=page_sources(page),
        undo=undo,
    )


def _parent(place: NotionPage) -> Json:
    kind = "data_source_id" if place.is_database else "page_id"
    return {"type": kind, kind: place.id}


def _title(place: NotionPage, title: str) -> Json:
    name = title_property(place.json) if place.is_database else "title"
    return {name: {"title": [{"type": "text", "text": {"content": title}}]}}

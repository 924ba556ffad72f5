"""Making one page exactly once, whatever happens to the answer, and taking it back (R34)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from services.errors import ItemNotFound, ServiceError
from services.i18n import gettext, gettext_noop
from services.integrations.kit.writes import is_card_stale
from services.integrations.notion.access import notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import changed, unknown
from services.integrations.notion.markdown import hash_of, own_lines
from services.integrations.notion.payloads import Json, Page, as_data, line, read_page, title_of
from services.integrations.notion.places import place_for, where_row
from services.integrations.notion.schema import title_property
from services.integrations.notion.writes import once
from services.tools.base import PreviewRow, ToolExecutionContext, ToolResult

# Notion cuts times to the minute, and its clock need not be ours.
CLOCK_SLACK = timedelta(minutes=2)
# A repeat that does not know when its first try began looks back so far.
LONGEST_AGO = timedelta(hours=24)
NEWEST = 25


@dataclass(frozen=True, kw_only=True)
class NewPage:
    """parent: where the student wants it, or "" for a place that fits."""

    title: str
    parent: str
    content: str


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """What stands beside something that was to be made."""

    id: str
    title: str
    made_at: datetime
    made_by: str


def rows_of(context: ToolExecutionContext, page: NewPage) -> tuple[PreviewRow, ...]:
    """Every field that would be written, and where."""
    place = place_for(notion_of(context), page.parent, page.title)
    rows = (PreviewRow(label=gettext_noop("Title"), value=page.title), where_row(place, page.parent))
    return (*rows, PreviewRow(label=gettext_noop("Content"), value=page.content)) if page.content else rows


def make(context: ToolExecutionContext, page: NewPage) -> ToolResult:
    """Create the page, once over all tries of this operation; raises `OutcomeUnknown` when that cannot be told."""
    notion = notion_of(context)
    place = place_for(notion, page.parent, page.title)
    where = where_row(place, page.parent)
    if is_card_stale(context, (where,)):
        raise changed(gettext_noop("The place for this page was changed"))
    since = since_of(context)
    made = _made_before(notion, place, page, since) if context.is_repeat else None
    if made is None:
        made = _create(notion, place, page, since)
    return _created(notion, read_page(made), where.value, context)


def undo_page(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the page into Notion's trash, unless it was changed since."""
    notion = notion_of(context)
    try:
        page = read_page(notion.page(undo["page_id"]))
    except ItemNotFound:
        return ToolResult(output=gettext("The page is not in Notion any more."))
    if page.in_trash:
        return ToolResult(output=gettext("The page is in Notion's trash."))
    if page.edited_at.isoformat() != undo["edited_at"] or fingerprint(notion, page.id) != undo["content"]:
        raise changed(gettext_noop("This page was changed"))
    notion.trash(page.id)
    return ToolResult(output=gettext("Put “{title}” into Notion's trash.", title=page.title))


def fingerprint(notion: Notion, page_id: str) -> str:
    """A hash of a page's content."""
    return hash_of(str(notion.markdown(page_id)["markdown"]))


def since_of(context: ToolExecutionContext) -> datetime:
    """The moment from which on something may have been made by this operation."""
    return context.began_at or (context.now() - LONGEST_AGO if context.is_repeat else context.now())


def _create(notion: Notion, place: Page, page: NewPage, since: datetime) -> Json:
    """Create the page once; raises `OutcomeUnknown` when that may have happened and cannot be found out (R34)."""
    body: Json = {"parent": _parent(place), "properties": _title(place, page.title), "markdown": page.content}
    return once(
        notion,
        lambda: notion.create(**body),
        lambda: _made_before(notion, place, page, since),
        done=gettext_noop("the page was created"),
    )


def _made_before(notion: Notion, place: Page, page: NewPage, since: datetime) -> Json | None:
    """The page of this title that this connection made in this place since then, or None.

    Made by this connection is what its bot made, and what says the same word for word.
    Raises `OutcomeUnknown` when there are several: which one is ours cannot be told.
    """
    beside = _entries(notion, place) if place.is_database else subpages(notion, place)
    ours = made_by_us(
        notion,
        beside,
        page.title,
        since,
        done=gettext_noop("the page was created"),
        or_if=lambda sibling: _says(notion, sibling.id, page.content),
    )
    return notion.page(ours) if ours else None


def made_by_us(
    notion: Notion,
    beside: Iterable[Sibling],
    title: str,
    since: datetime,
    *,
    done: str,
    or_if: Callable[[Sibling], bool] = lambda _: False,
) -> str | None:
    """The id of the one of this title that this connection's bot made since then, or None.

    done: what stays unclear when there are several; `OutcomeUnknown` is raised then.
    or_if: tells ours where another bot made it.
    """
    found = [one for one in beside if one.title == title and one.made_at >= since - CLOCK_SLACK]
    bot = notion.me()["id"] if found else ""
    ours = [one.id for one in found if one.made_by == bot or or_if(one)]
    if len(ours) > 1:
        raise unknown(done)
    return ours[0] if ours else None


def _says(notion: Notion, page_id: str, content: str) -> bool:
    return own_lines(notion.markdown(page_id)["markdown"]) == own_lines(content)


def subpages(notion: Notion, place: Page, kind: str = "child_page") -> list[Sibling]:
    """The pages right under a page, or with `kind` "child_database" the databases."""
    return [_sibling(block, block[kind]["title"]) for block in notion.children(place.id) if block["type"] == kind]


def _entries(notion: Notion, place: Page) -> list[Sibling]:
    """The newest entries of a database."""
    return [_sibling(row, title_of(row)) for row in notion.rows(place.id, most=NEWEST)]


def _sibling(json: Json, title: str) -> Sibling:
    made_at = datetime.fromisoformat(json["created_time"])
    return Sibling(id=json["id"], title=title, made_at=made_at, made_by=json["created_by"]["id"])


def _created(notion: Notion, page: Page, where: str, context: ToolExecutionContext) -> ToolResult:
    try:
        content = fingerprint(notion, page.id)
        undo = {"page_id": page.id, "edited_at": page.edited_at.isoformat(), "content": content}
    except ServiceError:
        # The page is there, which counts; without knowing its content a safe undo cannot be promised.
        undo = None
    return ToolResult(
        output=gettext("Created “{title}” {where} (Notion).", title=page.title, where=where)
        + f"\n{line(page, context.timezone)}",
        data={"page": as_data(page)},
        sources=sources(page),
        undo=undo,
    )


def _parent(place: Page) -> Json:
    kind = "data_source_id" if place.is_database else "page_id"
    return {"type": kind, kind: place.id}


def _title(place: Page, title: str) -> Json:
    name = title_property(place.json) if place.is_database else "title"
    return {name: {"title": [{"type": "text", "text": {"content": title}}]}}

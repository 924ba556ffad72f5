"""The tool that creates a page, its approval card and its undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import ItemNotFound, RequestRefused, ServiceError, ServiceUnavailable
from services.integrations.card import is_unlike_the_card
from services.integrations.notion.access import ID, find_page, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.markdown import hash_of, own_lines
from services.integrations.notion.pages import Json, Page, as_data, line, read_page, title_of
from services.integrations.notion.problems import LABEL, Conflict, Unanswered, busy, changed, unknown
from services.tools.base import Effect, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

LOOKS = 3
TRIES_AFTER_CONFLICT = 2
# Notion cuts times to the minute, and its clock need not be ours.
CLOCK_SLACK = timedelta(minutes=2)
# A repeat that does not know when its first try began looks back so far.
LONGEST_AGO = timedelta(hours=24)
NEWEST = 25

Content = Annotated[
    str,
    Field(
        max_length=20_000,
        description="Markdown: headings, lists, to-dos, quotes, code, like “## Chapter 3\\n- [ ] Read pages 40–60”.",
    ),
]


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Every field that would be written, and where."""
    given = notion_create_page.validate(arguments)
    return _rows(find_page(notion_of(context), given["parent"], field="parent"), given["title"], given["content"])


def undo_creation(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the page into Notion's trash, unless it was changed since."""
    notion = notion_of(context)
    try:
        page = read_page(notion.page(undo["page_id"]))
    except ItemNotFound:
        return ToolResult(output="The page is not in Notion any more.")
    if page.in_trash:
        return ToolResult(output="The page is in Notion's trash.")
    if page.edited_at.isoformat() != undo["edited_at"] or fingerprint(notion, page.id) != undo["content"]:
        raise changed("This page was changed")
    notion.trash(page.id)
    return ToolResult(output=f"Put “{page.title}” into Notion's trash.")


@tool(
    label="Writing in Notion",
    title="Create a page in Notion",
    category="notes",
    contexts=("notes", "study"),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_creation,
    undo=undo_creation,
    timeout_s=40.0,
)
def notion_create_page(
    context: ToolExecutionContext,
    *,
    title: Annotated[
        str, Field(min_length=1, max_length=300, description="The page's title, like “Study plan: Biology”.")
    ],
    parent: Annotated[
        str,
        Field(
            min_length=1,
            max_length=500,
            description="Where it goes: the id of a page or database that notion_search gave, its address, or words of "
            "its title, like “Fall courses”.",
        ),
    ],
    content: Content = "",
) -> ToolResult:
    """Create a page in the student's Notion, under a page or as an entry of a database.

    The student sees it and approves it first. Use it for new notes, study plans and lists that the student wants to
    keep. Do not repeat the title as a heading in the content. To add to a page that exists use notion_append_to_page.
    """
    notion = notion_of(context)
    place = find_page(notion, parent, field="parent")
    if is_unlike_the_card(context, (_where(place),)):
        raise changed("The place for this page was changed")
    since = context.began_at or (context.now() - LONGEST_AGO if context.is_repeat else context.now())
    made = _made_before(notion, place, title, content, since) if context.is_repeat else None
    if made is None:
        made = _create(notion, place, title, content, since)
    return _created(notion, read_page(made), place, context)


def fingerprint(notion: Notion, page_id: str) -> str:
    """A hash of a page's content."""
    return hash_of(str(notion.markdown(page_id)["markdown"]))


def _create(notion: Notion, place: Page, title: str, content: str, since: datetime) -> Json:
    """Create the page once; raises `OutcomeUnknown` when that may have happened and cannot be found out (R34)."""
    page: Json = {"parent": _parent(place), "properties": _title(place, title), "markdown": content}
    for attempt in range(TRIES_AFTER_CONFLICT):
        try:
            return notion.create(**page)
        except Unanswered as silence:
            return _look_for(notion, place, title, content, since, silence)
        except Conflict as conflict:
            made = _made_before(notion, place, title, content, since)
            if made is not None:
                return made
            if not notion.deadline.pause(attempt):
                raise conflict from None
    raise busy()


def _look_for(notion: Notion, place: Page, title: str, content: str, since: datetime, silence: Unanswered) -> Json:
    """The page that a request without an answer made; Notion may take a moment to show it."""
    try:
        for attempt in range(LOOKS):
            made = _made_before(notion, place, title, content, since)
            if made is not None:
                return made
            if not notion.deadline.pause(attempt):
                break
    except ServiceUnavailable:
        raise unknown("the page was created") from silence
    raise unknown("the page was created") from silence


def _made_before(notion: Notion, place: Page, title: str, content: str, since: datetime) -> Json | None:
    """The page of this title that this connection made in this place since then, or None.

    Made by this connection is what its bot made, and what says the same word for word.
    Raises `OutcomeUnknown` when there are several: which one is ours cannot be told.
    """
    found = [
        sibling
        for sibling in (_entries(notion, place) if place.is_database else _subpages(notion, place))
        if sibling.title == title and sibling.made_at >= since - CLOCK_SLACK
    ]
    bot = notion.me()["id"] if found else ""
    ours = [sibling for sibling in found if sibling.made_by == bot or _says(notion, sibling.id, content)]
    if len(ours) > 1:
        raise unknown("the page was created")
    return notion.page(ours[0].id) if ours else None


def _says(notion: Notion, page_id: str, content: str) -> bool:
    return own_lines(notion.markdown(page_id)["markdown"]) == own_lines(content)


@dataclass(frozen=True, kw_only=True)
class _Sibling:
    """What stands beside a page that was to be made."""

    id: str
    title: str
    made_at: datetime
    made_by: str


def _subpages(notion: Notion, place: Page) -> list[_Sibling]:
    """The pages right under a page."""
    blocks = notion.children(place.id)
    return [_sibling(block, block["child_page"]["title"]) for block in blocks if block["type"] == "child_page"]


def _entries(notion: Notion, place: Page) -> list[_Sibling]:
    """The newest entries of a database."""
    return [_sibling(row, title_of(row)) for row in notion.rows(place.id, most=NEWEST)]


def _sibling(json: Json, title: str) -> _Sibling:
    made_at = datetime.fromisoformat(json["created_time"])
    return _Sibling(id=json["id"], title=title, made_at=made_at, made_by=json["created_by"]["id"])


def _created(notion: Notion, page: Page, place: Page, context: ToolExecutionContext) -> ToolResult:
    try:
        content = fingerprint(notion, page.id)
        undo = {"page_id": page.id, "edited_at": page.edited_at.isoformat(), "content": content}
    except ServiceError:
        # The page is there, which counts; without knowing its content a safe undo cannot be promised.
        undo = None
    return ToolResult(
        output=f"Created “{page.title}” {_where(place).value} (Notion).\n{line(page, context.timezone)}",
        data={"page": as_data(page)},
        sources=sources(page),
        undo=undo,
    )


def _parent(place: Page) -> Json:
    kind = "data_source_id" if place.is_database else "page_id"
    return {"type": kind, kind: place.id}


def _title(place: Page, title: str) -> Json:
    text = [{"type": "text", "text": {"content": title}}]
    if not place.is_database:
        return {"title": {"title": text}}
    for name, prop in place.json.get("properties", {}).items():
        if prop.get("type") == "title":
            return {name: {"title": text}}
    raise RequestRefused(LABEL, "This database has no title property to write into.")


def _rows(place: Page, title: str, content: str) -> tuple[PreviewRow, ...]:
    rows = (PreviewRow(label="Title", value=title), _where(place))
    return (*rows, PreviewRow(label="Content", value=content)) if content else rows


def _where(place: Page) -> PreviewRow:
    kind = "in the database" if place.is_database else "under the page"
    return PreviewRow(label="Where", value=f"{kind} “{place.title}”")

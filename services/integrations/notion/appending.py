"""The tool that adds to the end of a page, its approval card and its undo."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused, ServiceUnavailable
from services.integrations.card import is_unlike_the_card
from services.integrations.notion.access import ID, find_page, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.creating import CLOCK_SLACK, LONGEST_AGO, LOOKS, Content, hash_of
from services.integrations.notion.pages import Page, as_data, line, read_page
from services.integrations.notion.problems import LABEL, Conflict, Unanswered, changed, not_shared, unknown
from services.integrations.notion.reading import PageReference
from services.tools.base import Effect, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool


def preview_append(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The page, and what would be added to it."""
    given = notion_append_to_page.validate(arguments)
    return _rows(_page(notion_of(context), given["page"]), given["content"])


def undo_append(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Take the added text out again, unless the page was changed since."""
    notion = notion_of(context)
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared()
    answer = notion.markdown(page.id)
    text = str(answer["markdown"])
    if hash_of(text) == undo["before"]:
        return ToolResult(output=f"“{page.title}” is as it was before.")
    if hash_of(text) != undo["after"] or answer.get("truncated"):
        raise changed("This page was changed")
    start = _start_of_unique_end(text, undo["keep"])
    try:
        notion.replace(page.id, old=text[start:], new=text[start : undo["keep"]])
    except Unanswered as silence:
        if hash_of(str(notion.markdown(page.id)["markdown"])) == undo["after"]:
            raise unknown("the text was taken out") from silence
    return ToolResult(output=f"Took the added text out of “{page.title}” again.")


@tool(
    label="Adding to a page in Notion",
    title="Add to a page in Notion",
    category="notes",
    contexts=("notes", "study"),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_append,
    undo=undo_append,
    timeout_s=40.0,
)
def notion_append_to_page(
    context: ToolExecutionContext,
    *,
    page: PageReference,
    content: Annotated[Content, Field(min_length=1)],
) -> ToolResult:
    """Add Markdown at the end of a page in the student's Notion. It never replaces or removes anything.

    The student sees it and approves it first. Read the page before, so that what you add fits and is not there
    already. To make a new page use notion_create_page.
    """
    notion = notion_of(context)
    found = _page(notion, page)
    if is_unlike_the_card(context, _rows(found, content)):
        raise changed("This page was renamed or moved")
    before = str(notion.markdown(found.id)["markdown"])
    if context.is_repeat and _is_done(found, before, content, context):
        return _appended(found, context, undo=None)
    after = _append(notion, found.id, before, content)
    return _appended(found, context, undo=_undo(found, before, after))


def same_text(markdown: str) -> list[str]:
    """Markdown without what Notion writes differently than it reads: empty lines, indents, bullets, escapes."""
    lines = (re.sub(r"\\(?=[^\w\s])", "", text).strip() for text in markdown.splitlines())
    return [re.sub(r"^[*+] ", "- ", " ".join(text.split())) for text in lines if text]


def ends_with(markdown: str, addition: str) -> bool:
    whole, end = same_text(markdown), same_text(addition)
    return whole[-len(end) :] == end


def _append(notion: Notion, page_id: str, before: str, content: str) -> str:
    """Append once and give the whole content; raises `OutcomeUnknown` when that may have happened (R34)."""
    try:
        return str(notion.append(page_id, content)["markdown"])
    except Conflict:
        if _now(notion, page_id) != before:
            raise changed("This page was changed") from None
        return str(notion.append(page_id, content)["markdown"])
    except Unanswered as silence:
        return _look_for(notion, page_id, before, content, silence)


def _look_for(notion: Notion, page_id: str, before: str, content: str, silence: Unanswered) -> str:
    try:
        for attempt in range(LOOKS):
            now = _now(notion, page_id)
            if now != before and ends_with(now, content):
                return now
            if not notion.deadline.pause(attempt):
                break
    except ServiceUnavailable:
        raise unknown("the text was added") from silence
    raise unknown("the text was added") from silence


def _now(notion: Notion, page_id: str) -> str:
    return str(notion.markdown(page_id)["markdown"])


def _is_done(page: Page, text: str, content: str, context: ToolExecutionContext) -> bool:
    """Whether the first try of a repeated append got through; raises `OutcomeUnknown` when that cannot be told."""
    if not set(same_text(content)) <= set(same_text(text)):
        return False
    since: datetime = context.began_at or context.now() - LONGEST_AGO
    if page.edited_at < since - CLOCK_SLACK:
        return False
    if not ends_with(text, content):
        raise unknown("the text was added")
    return True


def _undo(page: Page, before: str, after: str) -> dict[str, Any] | None:
    """What the undo needs, without the text itself; None when the page changed in other places too."""
    if not after.startswith(before) or after == before:
        return None
    return {"page_id": page.id, "before": hash_of(before), "after": hash_of(after), "keep": len(before)}


def _start_of_unique_end(text: str, keep: int) -> int:
    """Where a piece begins that holds everything after `keep` and stands in the text only once."""
    start = keep
    while text.count(text[start:]) > 1:
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    return start


def _appended(page: Page, context: ToolExecutionContext, *, undo: dict[str, Any] | None) -> ToolResult:
    return ToolResult(
        output=f"Added to the end of “{page.title}” (Notion).\n{line(page, context.timezone)}",
        data={"page": as_data(page)},
        sources=sources(page),
        undo=undo,
    )


def _page(notion: Notion, reference: str) -> Page:
    page = find_page(notion, reference, field="page")
    if page.is_database:
        raise RequestRefused(
            LABEL,
            "This is a database, and text can be added to pages only.",
            next_step="Create an entry in it with notion_create_page, or choose one of its pages.",
        )
    return page


def _rows(page: Page, content: str) -> tuple[PreviewRow, ...]:
    return (
        PreviewRow(label="Page", value=page.title),
        PreviewRow(label="Added at the end", value=content),
    )

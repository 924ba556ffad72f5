"""The tool that adds to the end of a page, its approval card and its undo."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused
from services.i18n import gettext, gettext_noop
from services.integrations.kit.writes import WritePlan, earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import ID, find_page, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import LABEL, changed, unknown
from services.integrations.notion.making import CLOCK_SLACK, since_of
from services.integrations.notion.markdown import ends_with, hash_of, insertion, own_lines
from services.integrations.notion.payloads import Json, Page, as_data, line
from services.integrations.notion.rewriting import ADDITION, put_back
from services.integrations.notion.tools.page_creation import Content
from services.integrations.notion.tools.pages import PageReference
from services.integrations.notion.writes import once
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool


def preview_append(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The page, and what would be added to it."""
    given = notion_append_to_page.validate(arguments)
    return _rows(page_only(notion_of(context), given["page"]), given["content"])


def undo_append(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Take the added text out again, unless the page was changed since."""
    page, was_there = put_back(notion_of(context), undo, "", ADDITION)
    if not was_there:
        return ToolResult(output=gettext("“{title}” is as it was before.", title=page.title))
    return ToolResult(output=gettext("Took the added text out of “{title}” again.", title=page.title))


@tool(
    label=gettext_noop("Adding to a page in Notion"),
    title=gettext_noop("Add to a page in Notion"),
    summary=gettext_noop("Add text at the end of a page"),
    told=Told.PRIVATE,
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_append,
    undo=undo_append,
    timeout_s=40.0,
    examples=(
        Example(
            description="Add the question about diffusion to my page Osmosis.",
            arguments={"page": "Osmosis", "content": "- How does diffusion differ?"},
        ),
    ),
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
    found = page_only(notion, page)
    if is_card_stale(context, (_where(found),)):
        raise changed(gettext_noop("This page was renamed or moved"))
    before = notion.markdown(found.id)
    if context.is_repeat and _is_done(found, before["markdown"], content, context):
        return _appended(found, context, undo=_undo_of_earlier(found, before, earlier_plan(context)))
    save_plan(context, {"before": hash_of(before["markdown"]), "length": len(before["markdown"])})
    after = _append(notion, found.id, before["markdown"], content)
    return _appended(found, context, undo=_undo(found, before, after))


def _append(notion: Notion, page_id: str, before: str, content: str) -> Json:
    """Append once and give the whole content; raises `OutcomeUnknown` when that may have happened (R34)."""

    def made_before() -> Json | None:
        now = notion.markdown(page_id)
        return now if now["markdown"] != before and ends_with(now["markdown"], content) else None

    def refused() -> Json | None:
        if notion.markdown(page_id)["markdown"] != before:
            raise changed(gettext_noop("This page was changed"))
        return None

    return once(
        notion,
        lambda: notion.append(page_id, content),
        made_before,
        done=gettext_noop("the text was added"),
        refused=refused,
    )


def _is_done(page: Page, text: str, content: str, context: ToolExecutionContext) -> bool:
    """Whether the first try of a repeated append got through; raises `OutcomeUnknown` when that cannot be told."""
    if page.edited_at < since_of(context) - CLOCK_SLACK or not set(own_lines(content)) <= set(own_lines(text)):
        return False
    if not ends_with(text, content):
        raise unknown(gettext_noop("the text was added"))
    return True


def _undo(page: Page, before: Json, after: Json) -> dict[str, Any] | None:
    """What the undo needs, without the text itself; None when it could not be safe."""
    added = insertion(before["markdown"], after["markdown"])
    if added is None or before.get("truncated") or after.get("truncated"):
        return None
    return {
        "page_id": page.id,
        "before": hash_of(before["markdown"]),
        "after": hash_of(after["markdown"]),
        "start": added.start,
        "length": added.stop - added.start,
    }


def _undo_of_earlier(page: Page, now: Json, earlier: WritePlan | None) -> dict[str, Any] | None:
    """The same for what an earlier try added, by what that try kept of the text before."""
    text = str(now["markdown"])
    former = text[: earlier["length"]] if earlier else None
    if former is None or earlier is None or hash_of(former) != earlier["before"]:
        return None
    return _undo(page, {"markdown": former}, now)


def _appended(page: Page, context: ToolExecutionContext, *, undo: dict[str, Any] | None) -> ToolResult:
    page = replace(page, edited_at=context.now())
    return ToolResult(
        output=gettext("Added to the end of “{title}” (Notion).", title=page.title)
        + f"\n{line(page, context.timezone)}",
        data={"page": as_data(page)},
        sources=sources(page),
        undo=undo,
    )


def page_only(notion: Notion, reference: str, *, field: str = "page") -> Page:
    """A page by what somebody calls it; raises `RequestRefused` for a database."""
    page = find_page(notion, reference, field=field)
    if page.is_database:
        raise RequestRefused(
            LABEL,
            gettext("This is a database, and text can be added to pages only."),
            next_step=gettext("Create an entry in it, or choose one of its pages."),
        )
    return page


def _rows(page: Page, content: str) -> tuple[PreviewRow, ...]:
    return _where(page), PreviewRow(label=gettext_noop("Added at the end"), value=content)


def _where(page: Page) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Page"), value=page.title)

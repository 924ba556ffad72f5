"""Page append: the tool that adds text at the end of a page, its card and its undo."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext, gettext_noop
from services.integrations.kit.writes import WritePlan, earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import (
    ID,
    find_target,
    find_text_page,
    notion_of,
    page_sources,
    undo_when_settled,
)
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import changed_error, unknown_outcome_error
from services.integrations.notion.markdown import ends_with, inserted_range, normalised_lines, text_hash
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_facts
from services.integrations.notion.tools.page_creation import Content
from services.integrations.notion.tools.pages import PageReference
from services.integrations.notion.writes import ADDITION, restore_passage, send_once
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example


def preview_append(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the page, and the text that would be added."""
    given = notion_append_to_page.validate(arguments)
    found = find_target(context, lambda: find_text_page(notion_of(context), given["page"]))
    return _append_rows(found, given["content"])


@undo_when_settled
def undo_append(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Remove the added text, unless the page was changed since."""
    page, was_there = restore_passage(notion_of(context), undo, "", ADDITION)
    if not was_there:
        return ToolResult(output=gettext("“{title}” is as it was before.", title=page.title))
    return ToolResult(output=gettext("Took the added text out of “{title}” again.", title=page.title))


@tool(
    label=gettext_noop("Adding to a page in Notion"),
    title=gettext_noop("Add to a page in Notion"),
    summary=gettext_noop("Add text at the end of a page"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_append,
    undo=undo_append,
    timeout_s=40.0,
    usage_hint="Adds text at the end of a page.",
    when=("the student wants something added to a page that exists",),
    when_not=("all of the text is to be replaced", "it is a table"),
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

    Read the page first, so that what you add fits and is not there already.
    """
    notion = notion_of(context)
    found = find_target(context, lambda: find_text_page(notion, page))
    if is_card_stale(context, (_page_row(found),)):
        raise changed_error(gettext_noop("This page was renamed or moved"))
    before, earlier = notion.markdown(found.id), earlier_plan(context)
    if earlier is not None and _is_done(before["markdown"], content, earlier):
        return _append_result(found, context, undo=_append_undo_of_earlier(found, before, earlier))
    save_plan(context, {"before": text_hash(before["markdown"]), "length": len(before["markdown"])})
    after = _append(notion, found.id, before["markdown"], content)
    return _append_result(found, context, undo=_append_undo(found, before, after))


def _append(notion: NotionClient, page_id: str, before: str, content: str) -> Json:
    """Append once; the whole content after it. Raises `OutcomeUnknown` when it may have happened."""

    def find_appended() -> Json | None:
        now = notion.markdown(page_id)
        return now if now["markdown"] != before and ends_with(now["markdown"], content) else None

    def refuse_changed() -> Json | None:
        if (appended := find_appended()) is None and notion.markdown(page_id)["markdown"] != before:
            raise changed_error(gettext_noop("This page was changed"))
        return appended

    return send_once(
        notion,
        lambda: notion.append(page_id, content),
        find_appended,
        done=gettext_noop("the text was added"),
        after_conflict=refuse_changed,
    )


def _is_done(text: str, content: str, earlier: WritePlan) -> bool:
    """Whether the first try of a repeated append succeeded; raises `OutcomeUnknown` when it may have."""
    if text_hash(text) == earlier["before"]:
        return False
    if not set(normalised_lines(content)) <= set(normalised_lines(text)):
        return False
    if not ends_with(text, content):
        raise unknown_outcome_error(gettext_noop("the text was added"))
    return True


def _append_undo(page: NotionPage, before: Json, after: Json) -> dict[str, Any] | None:
    """Arguments of the undo, without the text itself; None when an undo would not be safe."""
    added = inserted_range(before["markdown"], after["markdown"])
    if added is None or before.get("truncated") or after.get("truncated"):
        return None
    return {
        "page_id": page.id,
        "before": text_hash(before["markdown"]),
        "after": text_hash(after["markdown"]),
        "start": added.start,
        "length": added.stop - added.start,
    }


def _append_undo_of_earlier(page: NotionPage, now: Json, earlier: WritePlan) -> dict[str, Any] | None:
    """Arguments of the undo of what an earlier try added, from the plan that it saved."""
    text = str(now["markdown"])
    former = text[: earlier["length"]]
    if text_hash(former) != earlier["before"]:
        return None
    return _append_undo(page, {"markdown": former}, now)


def _append_result(page: NotionPage, context: ToolExecutionContext, *, undo: dict[str, Any] | None) -> ToolResult:
    page = replace(page, edited_at=context.now())
    return ToolResult(
        output=gettext("Added to the end of “{title}” (Notion).", title=page.title) + f"\n{page_facts(page)}",
        data={"page": page_data(page)},
        sources=page_sources(page),
        undo=undo,
    )


def _append_rows(page: NotionPage, content: str) -> tuple[PreviewRow, ...]:
    return _page_row(page), PreviewRow(label=gettext_noop("Added at the end"), value=content)


def _page_row(page: NotionPage) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Page"), value=page.title, resolved={"page": page.id})

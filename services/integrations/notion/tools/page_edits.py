"""Edits of a page's text: the tools that append to it and that replace it, their cards and undos."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.kit.writes import WritePlan, earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import ID, find_page, notion_of, page_sources
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import LABEL, changed_error, not_shared_error, unknown_outcome_error
from services.integrations.notion.markdown import (
    NestedPage,
    ends_with,
    inserted_range,
    nested_pages,
    normalised_lines,
    text_hash,
    without_nested_pages,
)
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_line, read_page
from services.integrations.notion.tools.page_creation import Content
from services.integrations.notion.tools.pages import PageReference
from services.integrations.notion.writes import (
    ADDITION,
    CLOCK_SLACK,
    PAGE,
    Rewrite,
    operation_start,
    restore_passage,
    send_once,
)
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

MOST_SHOWN = 12_000
LOST = gettext_noop("Would be lost")
NOTHING = gettext_noop("(nothing: the page is empty)")


def preview_append(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the page, and the text that would be added."""
    given = notion_append_to_page.validate(arguments)
    return _append_rows(find_text_page(notion_of(context), given["page"]), given["content"])


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
    provenance=Provenance.PRIVATE,
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
    found = find_text_page(notion, page)
    if is_card_stale(context, (_page_row(found),)):
        raise changed_error(gettext_noop("This page was renamed or moved"))
    before = notion.markdown(found.id)
    if context.is_repeat and _is_done(found, before["markdown"], content, context):
        return _append_result(found, context, undo=_append_undo_of_earlier(found, before, earlier_plan(context)))
    save_plan(context, {"before": text_hash(before["markdown"]), "length": len(before["markdown"])})
    after = _append(notion, found.id, before["markdown"], content)
    return _append_result(found, context, undo=_append_undo(found, before, after))


def preview_replacement(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the page, all text that would be lost, what stays, and the new text."""
    given = notion_replace_content.validate(arguments)
    notion = notion_of(context)
    page = find_text_page(notion, given["page"])
    return _replacement_rows(page, _full_text(notion, page), given["content"])


def undo_replacement(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Restore the former text, unless the page was changed since."""
    notion = notion_of(context)
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared_error()
    now = str(notion.markdown(page.id)["markdown"])
    former = str(undo["text"])
    if normalised_lines(now) != normalised_lines(former):
        if text_hash(now) != undo["after"]:
            raise changed_error(PAGE.changed)
        _replace(notion, page.id, now, _with_nested_pages(without_nested_pages(former), nested_pages(now)))
    return ToolResult(output=gettext("“{title}” has its former text again.", title=page.title))


@tool(
    label=gettext_noop("Rewriting a page in Notion"),
    title=gettext_noop("Replace the text of a page in Notion"),
    summary=gettext_noop("Replace all text of a page by a new one"),
    provenance=Provenance.PRIVATE,
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_replacement,
    undo=undo_replacement,
    timeout_s=40.0,
    examples=(
        Example(
            description="Rewrite my essay outline with these three points",
            arguments={"page": "Essay outline", "content": "1. Claim\n2. Evidence\n3. Reply"},
        ),
    ),
)
def notion_replace_content(context: ToolExecutionContext, *, page: PageReference, content: Content) -> ToolResult:
    """Replace all text of a page in the student's Notion by new Markdown. What stood there is lost.

    The student sees what would be lost and approves it first. Use it only when the student wants the page rewritten;
    to add something use notion_append_to_page, which loses nothing. Pages inside the page stay: they move to its end.
    Read the page first and keep everything that the student did not ask to change.
    """
    notion = notion_of(context)
    found = find_text_page(notion, page)
    before = _full_text(notion, found)
    if context.is_repeat and normalised_lines(before) == normalised_lines(content):
        former = (earlier_plan(context) or {}).get("before")
        return _replace_result(context, found, before=former, after=before)
    if is_card_stale(context, _replacement_rows(found, before, content)):
        raise changed_error(PAGE.changed)
    save_plan(context, {"before": before})
    after = _replace(notion, found.id, before, _with_nested_pages(content, nested_pages(before)))
    return _replace_result(context, found, before=before, after=after)


def find_text_page(notion: Notion, reference: str, *, field: str = "page") -> NotionPage:
    """Look up a page; raises `RequestRefused` for a database."""
    page = find_page(notion, reference, field=field)
    if page.is_database:
        raise RequestRefused(
            LABEL,
            gettext("This is a database, and text can be added to pages only."),
            next_step=gettext("Create an entry in it, or choose one of its pages."),
        )
    return page


def _append(notion: Notion, page_id: str, before: str, content: str) -> Json:
    """Append once; the whole content after it. Raises `OutcomeUnknown` when it may have happened."""

    def find_appended() -> Json | None:
        now = notion.markdown(page_id)
        return now if now["markdown"] != before and ends_with(now["markdown"], content) else None

    def refuse_changed() -> Json | None:
        if notion.markdown(page_id)["markdown"] != before:
            raise changed_error(gettext_noop("This page was changed"))
        return None

    return send_once(
        notion,
        lambda: notion.append(page_id, content),
        find_appended,
        done=gettext_noop("the text was added"),
        after_conflict=refuse_changed,
    )


def _is_done(page: NotionPage, text: str, content: str, context: ToolExecutionContext) -> bool:
    """Whether the first try of a repeated append got through; raises `OutcomeUnknown` when that cannot be told."""
    if page.edited_at < operation_start(context) - CLOCK_SLACK:
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


def _append_undo_of_earlier(page: NotionPage, now: Json, earlier: WritePlan | None) -> dict[str, Any] | None:
    """Arguments of the undo of what an earlier try added, from the plan that it saved."""
    text = str(now["markdown"])
    former = text[: earlier["length"]] if earlier else None
    if former is None or earlier is None or text_hash(former) != earlier["before"]:
        return None
    return _append_undo(page, {"markdown": former}, now)


def _append_result(page: NotionPage, context: ToolExecutionContext, *, undo: dict[str, Any] | None) -> ToolResult:
    page = replace(page, edited_at=context.now())
    return ToolResult(
        output=gettext("Added to the end of “{title}” (Notion).", title=page.title)
        + f"\n{page_line(page, context.timezone)}",
        data={"page": page_data(page)},
        sources=page_sources(page),
        undo=undo,
    )


def _append_rows(page: NotionPage, content: str) -> tuple[PreviewRow, ...]:
    return _page_row(page), PreviewRow(label=gettext_noop("Added at the end"), value=content)


def _page_row(page: NotionPage) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Page"), value=page.title)


def _full_text(notion: Notion, page: NotionPage) -> str:
    """Whole text of a page; raises `RequestRefused` when Notion does not show all that would be lost."""
    answer = notion.markdown(page.id)
    if answer.get("truncated"):
        raise RequestRefused(
            LABEL,
            gettext("This page holds parts that are not shared with Homeroom, and they would be lost."),
            next_step=gettext("Share what stands inside it too, or add to the page instead of replacing it."),
        )
    return str(answer["markdown"])


def _with_nested_pages(content: str, inside: list[NestedPage]) -> str:
    """Text with the nested pages' tags at its end: a page whose tag is missing would go to the trash."""
    return "\n".join([content, *(child.tag for child in inside)]).strip("\n")


def _replace(notion: Notion, page_id: str, before: str, wanted: str) -> str:
    rewrite = Rewrite(page_id=page_id, before=before, wanted=wanted, target=PAGE)
    return rewrite.send(notion, lambda: notion.replace_all(page_id, wanted))


def _replace_result(context: ToolExecutionContext, page: NotionPage, *, before: str | None, after: str) -> ToolResult:
    undo: Json | None = None
    if before is not None:
        undo = {"page_id": page.id, "text": before, "after": text_hash(after)}
    return ToolResult(
        output=gettext("Replaced the text of “{title}” (Notion).", title=page.title)
        + f"\n{page_line(page, context.timezone)}",
        data={"page": page_data(page)},
        sources=page_sources(page),
        undo=undo,
    )


def _replacement_rows(page: NotionPage, before: str, content: str) -> tuple[PreviewRow, ...]:
    lost, inside = without_nested_pages(before).strip(), nested_pages(before)
    shown = lost
    if len(lost) > MOST_SHOWN:
        more = gettext("… and {n} more characters.", n=formats.number(len(lost) - MOST_SHOWN))
        shown = f"{lost[:MOST_SHOWN]}\n{more}"
    rows = [PreviewRow(label=gettext_noop("Page"), value=page.title)]
    if inside:
        names = ", ".join(f"“{child.title}”" for child in inside)
        rows.append(PreviewRow(label=gettext_noop("Stays"), value=_nested_pages_text(len(inside), names)))
    rows.append(PreviewRow(label=LOST, value=shown or gettext(NOTHING)))
    return (*rows, PreviewRow(label=gettext_noop("New text"), value=content))


def _nested_pages_text(number: int, names: str) -> str:
    return ngettext("{n} page inside: {names}", "{n} pages inside: {names}", number, names=names)

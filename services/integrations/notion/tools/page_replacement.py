"""Page replacement: the tool that replaces a page's text, the card that shows what would be lost, and its undo."""

from collections.abc import Mapping
from typing import Any

from services.errors import RequestRefused
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.kit.writes import earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import (
    ID,
    find_target,
    find_text_page,
    notion_of,
    page_sources,
    undo_when_settled,
)
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import LABEL, changed_error, not_shared_error
from services.integrations.notion.markdown import (
    NestedPage,
    nested_pages,
    normalised_lines,
    text_hash,
    without_nested_pages,
)
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_facts, read_page
from services.integrations.notion.tools.page_creation import Content
from services.integrations.notion.tools.pages import PageReference
from services.integrations.notion.writes import PAGE, Rewrite
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

MOST_SHOWN = 12_000
LOST = gettext_noop("Would be lost")
NOTHING = gettext_noop("(nothing: the page is empty)")


def preview_replacement(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the page, all text that would be lost, what stays, and the new text."""
    given = notion_replace_content.validate(arguments)
    notion = notion_of(context)
    page = find_target(context, lambda: find_text_page(notion, given["page"]))
    return _replacement_rows(page, _full_text(notion, page), given["content"])


@undo_when_settled
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
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_replacement,
    undo=undo_replacement,
    timeout_s=40.0,
    usage_hint="Replaces all text of a page by a new one.",
    when=("the student asks for a page to be written anew",),
    when_not=("something is only to be added", "a passage is to be changed"),
    examples=(
        Example(
            description="Rewrite my essay outline with these three points",
            arguments={"page": "Essay outline", "content": "1. Claim\n2. Evidence\n3. Reply"},
        ),
    ),
)
def notion_replace_content(context: ToolExecutionContext, *, page: PageReference, content: Content) -> ToolResult:
    """Replace all text of a page in the student's Notion by new Markdown. What stood there is lost.

    Only when the student wants the page rewritten: read it first and keep all that they did not ask to change.
    Pages inside it stay, at its end.
    """
    notion = notion_of(context)
    found = find_target(context, lambda: find_text_page(notion, page))
    before = _full_text(notion, found)
    if context.is_repeat and normalised_lines(before) == normalised_lines(content):
        former = (earlier_plan(context) or {}).get("before")
        return _replace_result(context, found, before=former, after=before)
    if is_card_stale(context, _replacement_rows(found, before, content)):
        raise changed_error(PAGE.changed)
    save_plan(context, {"before": before})
    after = _replace(notion, found.id, before, _with_nested_pages(content, nested_pages(before)))
    return _replace_result(context, found, before=before, after=after)


def _full_text(notion: NotionClient, page: NotionPage) -> str:
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


def _replace(notion: NotionClient, page_id: str, before: str, wanted: str) -> str:
    rewrite = Rewrite(page_id=page_id, before=before, wanted=wanted, target=PAGE)
    return rewrite.send(notion, lambda: notion.replace_all(page_id, wanted))


def _replace_result(context: ToolExecutionContext, page: NotionPage, *, before: str | None, after: str) -> ToolResult:
    undo: Json | None = None
    if before is not None:
        undo = {"page_id": page.id, "text": before, "after": text_hash(after)}
    return ToolResult(
        output=gettext("Replaced the text of “{title}” (Notion).", title=page.title) + f"\n{page_facts(page)}",
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
    rows = [PreviewRow(label=gettext_noop("Page"), value=page.title, resolved={"page": page.id})]
    if inside:
        names = ", ".join(f"“{child.title}”" for child in inside)
        rows.append(PreviewRow(label=gettext_noop("Stays"), value=_nested_pages_text(len(inside), names)))
    rows.append(PreviewRow(label=LOST, value=shown or gettext(NOTHING)))
    return (*rows, PreviewRow(label=gettext_noop("New text"), value=content))


def _nested_pages_text(number: int, names: str) -> str:
    return ngettext("{n} page inside: {names}", "{n} pages inside: {names}", number, names=names)

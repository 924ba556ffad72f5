"""The tool that replaces a page's text, the card that shows what would be lost, and its undo."""

from collections.abc import Mapping
from typing import Any

from services.errors import RequestRefused
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.kit.writes import earlier_plan, is_card_stale, save_plan
from services.integrations.notion.access import ID, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import LABEL, changed, not_shared
from services.integrations.notion.markdown import Child, children, hash_of, own_lines, without_children
from services.integrations.notion.payloads import Json, Page, as_data, line, read_page
from services.integrations.notion.rewriting import PAGE, Rewrite
from services.integrations.notion.tools.page_creation import Content
from services.integrations.notion.tools.page_edits import page_only
from services.integrations.notion.tools.pages import PageReference
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

MOST_SHOWN = 12_000
LOST = gettext_noop("Would be lost")
NOTHING = gettext_noop("(nothing: the page is empty)")


def preview_replacement(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The page, all text that would be lost, what stays, and what would be there instead."""
    given = notion_replace_content.validate(arguments)
    notion = notion_of(context)
    page = page_only(notion, given["page"])
    return _rows(page, _whole(notion, page), given["content"])


def undo_replacement(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the former text back, unless the page was changed since."""
    notion = notion_of(context)
    page = read_page(notion.page(undo["page_id"]))
    if page.in_trash:
        raise not_shared()
    now = str(notion.markdown(page.id)["markdown"])
    former = str(undo["text"])
    if own_lines(now) != own_lines(former):
        if hash_of(now) != undo["after"]:
            raise changed(PAGE.changed)
        _replace(notion, page.id, now, _with_children(without_children(former), children(now)))
    return ToolResult(output=gettext("“{title}” has its former text again.", title=page.title))


@tool(
    label=gettext_noop("Rewriting a page in Notion"),
    title=gettext_noop("Replace the text of a page in Notion"),
    summary=gettext_noop("Replace all text of a page by a new one"),
    told=Told.PRIVATE,
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
    found = page_only(notion, page)
    before = _whole(notion, found)
    if context.is_repeat and own_lines(before) == own_lines(content):
        former = (earlier_plan(context) or {}).get("before")
        return _replaced(context, found, before=former, after=before)
    if is_card_stale(context, _rows(found, before, content)):
        raise changed(PAGE.changed)
    save_plan(context, {"before": before})
    after = _replace(notion, found.id, before, _with_children(content, children(before)))
    return _replaced(context, found, before=before, after=after)


def _whole(notion: Notion, page: Page) -> str:
    """The page's whole text; raises `RequestRefused` when Notion does not show all that would be lost."""
    answer = notion.markdown(page.id)
    if answer.get("truncated"):
        raise RequestRefused(
            LABEL,
            gettext("This page holds parts that are not shared with Homeroom, and they would be lost."),
            next_step=gettext("Share what stands inside it too, or add to the page instead of replacing it."),
        )
    return str(answer["markdown"])


def _with_children(content: str, inside: list[Child]) -> str:
    """Pages inside go to the trash when their tags are missing: they are kept at the end."""
    return "\n".join([content, *(child.tag for child in inside)]).strip("\n")


def _replace(notion: Notion, page_id: str, before: str, wanted: str) -> str:
    rewrite = Rewrite(page_id=page_id, before=before, wanted=wanted, thing=PAGE)
    return rewrite.send(notion, lambda: notion.replace_all(page_id, wanted))


def _replaced(context: ToolExecutionContext, page: Page, *, before: str | None, after: str) -> ToolResult:
    undo: Json | None = None
    if before is not None:
        undo = {"page_id": page.id, "text": before, "after": hash_of(after)}
    return ToolResult(
        output=gettext("Replaced the text of “{title}” (Notion).", title=page.title)
        + f"\n{line(page, context.timezone)}",
        data={"page": as_data(page)},
        sources=sources(page),
        undo=undo,
    )


def _rows(page: Page, before: str, content: str) -> tuple[PreviewRow, ...]:
    lost, inside = without_children(before).strip(), children(before)
    shown = lost
    if len(lost) > MOST_SHOWN:
        more = gettext("… and {n} more characters.", n=formats.number(len(lost) - MOST_SHOWN))
        shown = f"{lost[:MOST_SHOWN]}\n{more}"
    rows = [PreviewRow(label=gettext_noop("Page"), value=page.title)]
    if inside:
        names = ", ".join(f"“{child.title}”" for child in inside)
        rows.append(PreviewRow(label=gettext_noop("Stays"), value=_inside(len(inside), names)))
    rows.append(PreviewRow(label=LOST, value=shown or gettext(NOTHING)))
    return (*rows, PreviewRow(label=gettext_noop("New text"), value=content))


def _inside(number: int, names: str) -> str:
    return ngettext("{n} page inside: {names}", "{n} pages inside: {names}", number, names=names)

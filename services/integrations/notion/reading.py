"""The two tools that look into Notion: search, and read one page or database."""

from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from services.integrations.notion.access import ID, find_page, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.pages import Json, Page, as_data, line, read_page
from services.integrations.notion.properties import in_words
from services.integrations.wording import clock, count, one_line, sentence
from services.safety.text import plain
from services.tools.base import ToolExecutionContext, ToolResult
from services.tools.decorator import tool

MOST_CHARACTERS = 16_000
MOST_ROWS = 50

PageReference = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="The id that notion_search gave, the page's address, or words of its title, like “Biology notes”.",
    ),
]


@tool(label="Searching Notion", category="notes", contexts=("notes", "study"), integration=ID)
def notion_search(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(max_length=200, description="Words of the title, like “biology”. Leave empty for what was edited last."),
    ] = "",
    limit: Annotated[int, Field(ge=1, le=50, description="How many results at most.")] = 10,
) -> ToolResult:
    """Find pages and databases in the student's Notion by words of their titles.

    Searches titles only, not what stands in the pages, and only what the student shared with Homeroom. Use it to find
    a page before reading it, adding to it, or creating a page under it.
    """
    found = [read_page(json) for json in notion_of(context).search(query, most=limit)]
    pages = [page for page in found if not page.in_trash]
    about = f" with “{one_line(query, 60)}” in the title" if query else ", the last edited first"
    heading = sentence(f"{count(len(pages), 'page or database' if len(pages) == 1 else 'result')}{about}")
    lines = [f"{heading} (Notion, as of {clock(context.now())}).", *(line(page, context.timezone) for page in pages)]
    if not pages:
        lines.append("Note: only pages that the student shared with Homeroom can be found.")
    return ToolResult(
        output="\n".join(lines), data={"results": [as_data(page) for page in pages]}, sources=sources(*pages)
    )


@tool(label="Reading in Notion", category="notes", contexts=("notes", "study"), integration=ID)
def notion_read_page(context: ToolExecutionContext, *, page: PageReference) -> ToolResult:
    """Read one page of the student's Notion as Markdown, or list the entries of a database with their properties.

    Use it before answering from a page or adding to it. Of a very long page only the beginning comes, with a note.
    """
    notion = notion_of(context)
    found = find_page(notion, page, field="page")
    body, note, data = _entries(notion, found, context.timezone) if found.is_database else _content(notion, found)
    heading = f"The {found.kind} “{found.title}” (Notion, as of {clock(context.now())})."
    return ToolResult(
        output="\n".join([heading, line(found, context.timezone), *([note] if note else []), "", body]),
        data={**as_data(found), **data},
        sources=sources(found),
    )


def _content(notion: Notion, page: Page) -> tuple[str, str, dict[str, Any]]:
    answer = notion.markdown(page.id)
    whole = plain(answer["markdown"]).strip()
    text = whole if len(whole) <= MOST_CHARACTERS else whole[:MOST_CHARACTERS].rsplit("\n", 1)[0]
    note = ""
    if len(text) < len(whole):
        note = f"Note: this page is long; here are the first {len(text)} of its {len(whole)} characters."
    elif answer.get("truncated"):
        note = (
            "Note: Notion left parts of this page out, because it is very long or parts are not shared with Homeroom."
        )
    return text or "(This page is empty.)", note, {"markdown": text}


def _entries(notion: Notion, database: Page, zone: ZoneInfo) -> tuple[str, str, dict[str, Any]]:
    found = notion.rows(database.id, most=MOST_ROWS + 1)
    shown = found[:MOST_ROWS]
    note = f"Note: only the {MOST_ROWS} newest entries are shown." if len(found) > MOST_ROWS else ""
    lines = [_entry(json, zone) for json in shown]
    entries = [{**as_data(read_page(json)), "properties": in_words(json, zone)} for json in shown]
    return "\n".join(lines) or "(This database is empty.)", note, {"entries": entries}


def _entry(json: Json, zone: ZoneInfo) -> str:
    page = read_page(json)
    facts = [f"{name}: {value}" for name, value in in_words(json, zone).items()]
    link = f" — [open]({page.url})" if page.url else ""
    return f"- {' — '.join([f'**{page.title}**', *facts])}{link} (id: {page.id})"

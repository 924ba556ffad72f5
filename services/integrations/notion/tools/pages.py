"""Pages and databases: the tools that search, list and read them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, ServiceError, ServiceUnavailable
from services.i18n import formats, gettext, gettext_noop
from services.i18n.english import clock, count, sentence
from services.integrations.notion.access import FRESH_S, ID, find_page, notion_of, page_sources
from services.integrations.notion.client import NotionClient
from services.integrations.notion.markdown import nested_pages, render_nested_pages
from services.integrations.notion.payloads import NotionPage, page_data, page_facts, page_line, read_page
from services.integrations.notion.schema import columns_line
from services.integrations.notion.values import entry_data, entry_line
from services.llm.citations import Source
from services.safety.text import one_line, plain
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Example

MOST_CHARACTERS = 16_000
MOST_ROWS = 50
MOST_LISTED = 100
MOST_LOOKED_AT = 300
MOST_SOURCES = 50
MOST_READ = 5

PageReference = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="The id that notion_search gave, its address, or words of its title.",
    ),
]


@tool(
    label=gettext_noop("Searching Notion"),
    title=gettext_noop("Search Notion"),
    summary=gettext_noop("Find pages and databases in your Notion by their titles"),
    category="notes",
    contexts=("notes",),
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Finds pages and databases by their titles.",
    when=("the student names a page", "a page must be found before it is read or changed"),
    when_not=("words inside of pages are searched",),
    examples=(Example(description="Find my notes on osmosis", arguments={"query": "osmosis"}),),
)
def notion_search(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(max_length=200, description="Words of the title; empty for what was edited last."),
    ] = "",
    limit: Annotated[int, Field(ge=1, le=50, description="How many at most.")] = 10,
) -> ToolResult:
    """Find pages and databases in the student's Notion by words of their titles.

    It does not look inside pages, and finds only what the student shared with Homeroom.
    """
    notion = notion_of(context)
    found = [read_page(json) for json in notion.search(query, most=limit)]
    pages = [page for page in found if not page.in_trash]
    about = f" with “{one_line(query, 60)}” in the title" if query else ", the last edited first"
    heading = sentence(f"{count(len(pages), 'page or database' if len(pages) == 1 else 'result')}{about}")
    parents, is_partial = _parent_titles(notion, pages)
    lines = [
        f"{heading} (Notion, as of {clock(context.now())}).",
        *(page_line(page, context.timezone, parent=parents.get(page.id, "")) for page in pages),
    ]
    if not pages:
        lines.append("Note: only pages that the student shared with Homeroom can be found.")
    if is_partial:
        lines.append("Note: where some of these stand could not be looked up just now; Notion did not answer.")
    results = [{**page_data(page), "parent": parents.get(page.id)} for page in pages]
    return ToolResult(
        output="\n".join(lines), data={"results": results}, sources=page_sources(*pages), is_partial=is_partial
    )


@tool(
    label=gettext_noop("Listing what is in Notion"),
    title=gettext_noop("List what is in Notion"),
    summary=gettext_noop("See what pages and databases you have in Notion"),
    category="notes",
    contexts=("notes",),
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Shows what pages and databases there are.",
    when=("the student asks what they have in Notion", "a place for a new page is wanted"),
    when_not=("a title is known: search for it",),
    examples=(Example(description="Which databases do I have?", arguments={"kind": "databases"}),),
)
def notion_list_pages(
    context: ToolExecutionContext,
    *,
    under: Annotated[
        str,
        Field(
            max_length=500,
            description="The page, by its id, address or title; empty for the top.",
        ),
    ] = "",
    kind: Annotated[Literal["all", "pages", "databases"], Field(description="What to list.")] = "all",
) -> ToolResult:
    """List the pages and databases in the student's Notion, from the top or right under one page.

    Use it to see what there is and how it is arranged.
    """
    notion = notion_of(context)
    place = find_page(notion, under, field="under", wanted="page") if under else None
    pages = _under(notion, place) if place else _at_the_top(notion)
    if kind != "all":
        pages = [page for page in pages if page.is_database == (kind == "databases")]
    where = f"under “{place.title}”" if place else "at the top of what is shared with Homeroom"
    what = {"all": "pages and databases", "pages": "pages", "databases": "databases"}[kind]
    heading = sentence(f"{count(len(pages), 'result')} for {what} {where}")
    lines = [
        f"{heading} (Notion, as of {clock(context.now())}).",
        *(page_line(page, context.timezone) for page in pages),
    ]
    if len(pages) >= MOST_LISTED:
        lines.append(f"Note: only the {MOST_LISTED} edited last are listed; there may be more.")
    return ToolResult(
        output="\n".join(lines), data={"results": [page_data(page) for page in pages]}, sources=page_sources(*pages)
    )


@tool(
    label=gettext_noop("Reading in Notion"),
    title=gettext_noop("Read in Notion"),
    summary=gettext_noop("Read a page or the entries of a database in your Notion"),
    category="notes",
    contexts=("notes",),
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Reads a page, or the entries of a database.",
    when=("the student asks what is on a page of theirs",),
    when_not=("it is not known which page is meant: search first",),
    examples=(Example(description="What do my notes on osmosis say?", arguments={"page": "Osmosis"}),),
)
def notion_read_page(
    context: ToolExecutionContext,
    *,
    page: PageReference,
    start: Annotated[int, Field(ge=0, description="From which character on; the note of a long page says where.")] = 0,
) -> ToolResult:
    """Read one page of the student's Notion as Markdown, or list the entries of a database with their properties.

    A very long page comes in parts; a note says how to read on.
    """
    notion = notion_of(context)
    found = find_page(notion, page, field="page")
    if found.is_database:
        body, note, data, inside = _entries(notion, found, context.timezone)
    else:
        body, note, data, inside = page_content(notion, found, start)
    heading = f"The {found.kind} “{found.title}” (Notion, as of {clock(context.now())})."
    return ToolResult(
        output="\n".join([heading, page_facts(found, context.timezone), *([note] if note else []), "", body]),
        data={**page_data(found), **data},
        sources=(*page_sources(found), *inside[:MOST_SOURCES]),
    )


def _parent_titles(notion: NotionClient, pages: Sequence[NotionPage]) -> tuple[dict[str, str], bool]:
    """Titles of what the pages stand in, by the pages' ids, as far as those are shared; and whether some are not known
    because Notion did not answer.
    """
    is_partial = False
    known = {page.url_id: page.title for page in pages}
    away = {page.parent_url_id: page for page in pages if page.parent_url_id and page.parent_url_id not in known}
    if len(away) > MOST_READ:
        known |= {page.url_id: page.title for page in _shared(notion)}
        away = {}
    for url_id, page in away.items():
        try:
            known[url_id] = _parent(notion, page).title
        except ServiceUnavailable:
            is_partial = True
            break
        except ServiceError:
            # It is not shared with Homeroom.
            continue
    return {page.id: known[page.parent_url_id] for page in pages if page.parent_url_id in known}, is_partial


def _parent(notion: NotionClient, page: NotionPage) -> NotionPage:
    if page.is_entry:
        return read_page(notion.data_source(page.json["parent"]["data_source_id"]))
    return read_page(notion.page(str(page.parent_url_id)))


def _under(notion: NotionClient, place: NotionPage) -> list[NotionPage]:
    """Pages and databases right under a page, in the page's order."""
    blocks = [block for block in notion.children(place.id) if block["type"] in ("child_page", "child_database")]
    shared = {page.url_id: page for page in _shared(notion)}
    return [shared[id] for block in blocks if (id := block["id"].replace("-", "")) in shared][:MOST_LISTED]


def _at_the_top(notion: NotionClient) -> list[NotionPage]:
    """Pages and databases whose parent is not shared."""
    shared = _shared(notion)
    known = {page.url_id for page in shared}
    return [page for page in shared if not page.is_entry and page.parent_url_id not in known][:MOST_LISTED]


def _shared(notion: NotionClient) -> list[NotionPage]:
    found = [read_page(json) for json in notion.search("", most=MOST_LOOKED_AT)]
    return [page for page in found if not page.in_trash]


def page_content(
    notion: NotionClient, page: NotionPage, start: int
) -> tuple[str, str, dict[str, Any], Sequence[Source]]:
    """Part of a page's text from a character on, a note on what is left out, data, and nested pages as sources."""
    answer = notion.markdown(page.id)
    inside = [Source(title=child.title, url=child.url) for child in nested_pages(answer["markdown"])][:MOST_SOURCES]
    whole = plain(render_nested_pages(answer["markdown"])).strip()
    text = _piece(whole, start)
    end = start + len(text)
    note = ""
    if len(text) < len(whole):
        note = f"Note: this page is long; here are the characters {start + 1:,} to {end:,} of its {len(whole):,}."
        note += f" Go on with start={end}." if end < len(whole) else " This is the end of it."
    elif answer.get("truncated"):
        note = (
            "Note: Notion left parts of this page out, because it is very long or parts are not shared with Homeroom."
        )
    data = {"markdown": text, "start": start, "total_characters": len(whole)}
    return text or "(This page is empty.)", note, data, inside


def _piece(whole: str, start: int) -> str:
    """Part of a text, cut between lines where there are any."""
    if start and start >= len(whole):
        raise BadArguments(gettext("The page has only {n} characters.", n=formats.number(len(whole))), field="start")
    piece = whole[start : start + MOST_CHARACTERS]
    is_last = start + len(piece) == len(whole)
    return piece if is_last or "\n" not in piece else piece[: piece.rfind("\n") + 1]


def _entries(
    notion: NotionClient, database: NotionPage, zone: ZoneInfo
) -> tuple[str, str, dict[str, Any], Sequence[Source]]:
    found = notion.rows(database.id, most=MOST_ROWS + 1)
    shown = found[:MOST_ROWS]
    cut = f"Note: only the {MOST_ROWS} newest entries are shown; notion_query_database finds all others."
    lines = [entry_line(json, zone) for json in shown]
    body = "\n".join([*lines, "", columns_line(database)]) if lines else "(This database is empty.)"
    entries = [entry_data(json, zone) for json in shown]
    inside = page_sources(*(read_page(json) for json in shown))
    return body, cut if len(found) > MOST_ROWS else "", {"entries": entries}, inside

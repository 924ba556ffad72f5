"""The tools that read a document: its text in parts, and an overview to sum it up from."""

from typing import Annotated

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock, count
from services.integrations.documents.creating import CATEGORY, CONTEXTS
from services.integrations.documents.outline import Section, count_words, opening, sections
from services.integrations.notion.access import FRESH_S, ID, notion_of, sources
from services.integrations.notion.client import Notion
from services.integrations.notion.markdown import readable
from services.integrations.notion.payloads import Page, as_data, line
from services.integrations.notion.tools.page_edits import page_only
from services.integrations.notion.tools.pages import content_of
from services.safety.text import one_line, plain
from services.tools.base import Example, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

WHOLE = 6_000
"""Characters up to which an overview holds the whole text."""
OPENING_WORDS = 60
MOST_SECTIONS = 60
LETTER = "Essay 4: ideas for the open letter"

DocumentReference = Annotated[
    str,
    Field(min_length=1, max_length=500, description="The document: words of its title, its address or its id."),
]


@tool(
    label=gettext_noop("Reading a document"),
    title=gettext_noop("Read a document"),
    summary=gettext_noop("Read one of your documents, a long one part by part"),
    told=Told.SHARED,
    category=CATEGORY,
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(Example(description="What does my open letter say so far?", arguments={"document": LETTER}),),
)
def documents_get(
    context: ToolExecutionContext,
    *,
    document: DocumentReference,
    start: Annotated[
        int, Field(ge=0, description="From which character on, to go on reading a long document; its note says where.")
    ] = 0,
) -> ToolResult:
    """Read one of the student's documents as Markdown, a long one part by part.

    Use it before changing a document or answering from it. For what a long one is about use documents_summarise.
    """
    notion = notion_of(context)
    page = page_only(notion, document, field="document")
    text, note, data, inside = content_of(notion, page, start)
    heading = f"The document “{page.title}” (Notion, as of {clock(context.now())})."
    return ToolResult(
        output="\n".join([heading, line(page, context.timezone), *([note] if note else []), "", text]),
        data={**as_data(page), **data},
        sources=(*sources(page), *inside),
    )


@tool(
    label=gettext_noop("Looking over a document"),
    title=gettext_noop("Look over a document"),
    summary=gettext_noop("See what parts a document has, to sum it up"),
    told=Told.SHARED,
    category=CATEGORY,
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(Example(description="Sum up my notes for essay 4", arguments={"document": LETTER}),),
)
def documents_summarise(context: ToolExecutionContext, *, document: DocumentReference) -> ToolResult:
    """Look over a document: its parts with their lengths, and the whole text, or of a long one how each part begins.

    Sum it up from that in your own words, and say what you have not read. To read a part use documents_get with the
    start that is given for it.
    """
    notion = notion_of(context)
    page = page_only(notion, document, field="document")
    text, is_cut = _text(notion, page)
    parts = sections(text)
    is_whole = len(text) <= WHOLE
    shown = parts[:MOST_SECTIONS]
    words = count_words(text)
    heading = (
        f"The document “{page.title}” has {count(words, 'word')} in {count(len(parts), 'part')} "
        f"(Notion, as of {clock(context.now())})."
    )
    notes = ["Note: Notion left parts of this page out."] if is_cut else []
    if not is_whole:
        notes.append(f"Note: of each part only the first {OPENING_WORDS} words are shown; read on with documents_get.")
    if len(parts) > len(shown):
        notes.append(f"Note: only the first {MOST_SECTIONS} parts are listed.")
    listed = [_line(section, with_opening=not is_whole) for section in shown]
    body = ["", text or "(This document is empty.)"] if is_whole else []
    return ToolResult(
        output="\n".join([heading, line(page, context.timezone), *notes, *listed, *body]),
        data={
            **as_data(page),
            "words": words,
            "parts": [{"title": s.title, "level": s.level, "start": s.start, "words": s.words} for s in shown],
        },
        sources=sources(page),
    )


def _text(notion: Notion, page: Page) -> tuple[str, bool]:
    answer = notion.markdown(page.id)
    return plain(readable(answer["markdown"])).strip(), bool(answer.get("truncated"))


def _line(section: Section, *, with_opening: bool) -> str:
    title = one_line(section.title) if section.level else "(before the first heading)"
    begins = f" — {opening(section.text, OPENING_WORDS)}" if with_opening and section.text.strip() else ""
    return (
        f"{'  ' * max(0, section.level - 1)}- {title} — {count(section.words, 'word')} (start={section.start}){begins}"
    )

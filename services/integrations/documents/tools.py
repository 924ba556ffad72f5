"""Tools that create and read documents: the text in parts, and an outline to sum it up from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import clock, count
from services.integrations.notion.access import FRESH_S, ID, ParentReference, find_text_page, notion_of, page_sources
from services.integrations.notion.client import NotionClient
from services.integrations.notion.markdown import render_nested_pages
from services.integrations.notion.payloads import NotionPage, page_data, page_facts
from services.integrations.notion.tools.page_creation import (
    Content,
    PageDraft,
    create_page,
    page_rows,
    undo_page_creation,
)
from services.integrations.notion.tools.pages import page_content
from services.safety.text import one_line, plain
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

CATEGORY = "documents"
CONTEXTS = ("documents", "writing")
LETTER = "Essay 4: ideas for the open letter"
WHOLE = 6_000
"""Characters up to which an outline holds the whole text."""
OPENING_WORDS = 60
MOST_SECTIONS = 60
_HEADING = re.compile(r"(#{1,6})\s+(.*\S)\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
DocumentReference = Annotated[
    str,
    Field(min_length=1, max_length=500, description="Its id, its address, or words of its title."),
]


@dataclass(frozen=True, kw_only=True)
class Section:
    """Part of a text under a heading. level: 1 to 6, 0 before the first heading. start: its first character's index."""

    title: str
    level: int
    start: int
    text: str = field(repr=False)

    @property
    def words(self) -> int:
        return count_words(self.text)


def preview_document(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: every field of the document, and its parent."""
    return page_rows(context, PageDraft(**documents_create.validate(arguments)))


@tool(
    label=gettext_noop("Beginning a document"),
    title=gettext_noop("Create a document in Notion"),
    summary=gettext_noop("Begin a longer text of your own, such as a report or a letter"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_document,
    undo=undo_page_creation,
    timeout_s=40.0,
    usage_hint="Begins a longer text of the student's own.",
    when=("the student wants to write a report, a letter or an essay plan",),
    when_not=("short notes are wanted", "graded work would be written in their place"),
    examples=(
        Example(
            description="Start a document for my open letter with the outline we made",
            arguments={"title": "Open letter: draft", "content": "## Claim\n\n## Evidence\n\n## What I ask for"},
        ),
    ),
)
def documents_create(
    context: ToolExecutionContext,
    *,
    title: Annotated[str, Field(min_length=1, max_length=300, description="Its title.")],
    content: Content = "",
    parent: ParentReference = "",
) -> ToolResult:
    """Create a document for a longer text of the student's own: an essay, a report,
    a letter. It is a page in Notion.

    Put in what the student said or wrote; do not write their graded work for them.
    """
    return create_page(context, PageDraft(title=title, parent=parent, content=content))


@tool(
    label=gettext_noop("Reading a document"),
    title=gettext_noop("Read a document"),
    summary=gettext_noop("Read one of your documents, a long one part by part"),
    category=CATEGORY,
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Reads one document, a long one part by part.",
    when=("the student asks about their own document", "a passage must be known before it is changed"),
    when_not=("its parts alone are needed",),
    examples=(Example(description="What does my open letter say so far?", arguments={"document": LETTER}),),
)
def documents_get(
    context: ToolExecutionContext,
    *,
    document: DocumentReference,
    start: Annotated[
        int, Field(ge=0, description="From which character on; the note of a long document says where.")
    ] = 0,
) -> ToolResult:
    """Read one of the student's documents as Markdown, a long one part by part."""
    notion = notion_of(context)
    page = find_text_page(notion, document, field="document")
    text, note, data, inside = page_content(notion, page, start)
    heading = f"The document “{page.title}” (Notion, as of {clock(context.now())})."
    return ToolResult(
        output="\n".join([heading, page_facts(page, context.timezone), *([note] if note else []), "", text]),
        data={**page_data(page), **data},
        sources=(*page_sources(page), *inside),
    )


@tool(
    label=gettext_noop("Looking over a document"),
    title=gettext_noop("Look over a document"),
    summary=gettext_noop("See what parts a document has, to sum it up"),
    category=CATEGORY,
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    usage_hint="Shows the parts of a document, to sum it up.",
    when=("the student wants an overview of a long document",),
    when_not=("one passage is asked for",),
    examples=(Example(description="Sum up my notes for essay 4", arguments={"document": LETTER}),),
)
def documents_summarise(context: ToolExecutionContext, *, document: DocumentReference) -> ToolResult:
    """Look over a document: its parts with their lengths, and the whole text, or
    of a long one how each part begins.

    Sum it up from that in your own words, and say what you have not read. To read a part use documents_get with the
    start that is given for it.
    """
    notion = notion_of(context)
    page = find_text_page(notion, document, field="document")
    text, is_cut = _text(notion, page)
    parts = split_sections(text)
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
    listed = [_section_line(section, with_opening=not is_whole) for section in shown]
    body = ["", text or "(This document is empty.)"] if is_whole else []
    return ToolResult(
        output="\n".join([heading, page_facts(page, context.timezone), *notes, *listed, *body]),
        data={
            **page_data(page),
            "words": words,
            "parts": [{"title": s.title, "level": s.level, "start": s.start, "words": s.words} for s in shown],
        },
        sources=page_sources(page),
    )


def split_sections(markdown: str) -> list[Section]:
    """Split Markdown at its headings; headings inside fenced code do not count."""
    marks = [(0, 0, 0, "")]
    at, is_code = 0, False
    for line in markdown.splitlines(keepends=True):
        is_code = is_code != bool(_FENCE.match(line))
        heading = None if is_code else _HEADING.match(line.rstrip("\n"))
        if heading:
            marks.append((at, at + len(line), len(heading[1]), heading[2]))
        at += len(line)
    ends = [start for start, *_ in marks[1:]] + [len(markdown)]
    found = [
        Section(title=title, level=level, start=start, text=markdown[body:end])
        for (start, body, level, title), end in zip(marks, ends, strict=True)
    ]
    return [section for section in found if section.level or section.text.strip()]


def count_words(text: str) -> int:
    """Count words: letters and digits, with apostrophes and hyphens inside."""
    return len(re.findall(r"\w+(?:['’-]\w+)*", text))


def first_words(text: str, words: int) -> str:
    """Beginning of a text on one line, cut after so many words."""
    found = text.split()
    return " ".join(found[:words]) + (" …" if len(found) > words else "")


def _text(notion: NotionClient, page: NotionPage) -> tuple[str, bool]:
    answer = notion.markdown(page.id)
    return plain(render_nested_pages(answer["markdown"])).strip(), bool(answer.get("truncated"))


def _section_line(section: Section, *, with_opening: bool) -> str:
    title = one_line(section.title) if section.level else "(before the first heading)"
    begins = f" — {first_words(section.text, OPENING_WORDS)}" if with_opening and section.text.strip() else ""
    return (
        f"{'  ' * max(0, section.level - 1)}- {title} — {count(section.words, 'word')} (start={section.start}){begins}"
    )

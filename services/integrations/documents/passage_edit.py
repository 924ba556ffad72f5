"""Passage edit: the tool that changes a passage of a document or appends to it, its card and its undo."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.documents.tools import CATEGORY, CONTEXTS, LETTER, DocumentReference, split_sections
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
from services.integrations.notion.errors import changed_error, unknown_outcome_error
from services.integrations.notion.markdown import NESTED_TAG, changed_range, normalised_lines, text_hash
from services.integrations.notion.payloads import Json, NotionPage, page_data, page_facts
from services.integrations.notion.tools.page_append import notion_append_to_page, preview_append, undo_append
from services.integrations.notion.writes import DOCUMENT, Rewrite, restore_passage
from services.safety.text import one_line, plain
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

MOST_HEADINGS = 3


def preview_edit(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the document, and the passage before and after; or what would be appended."""
    given = documents_edit.validate(arguments)
    if not given["passage"]:
        rows = preview_append(context, _append_arguments(given["document"], given["text"]))
        return tuple(replace(row, resolved={"document": row.resolved["page"]}) if row.resolved else row for row in rows)
    notion = notion_of(context)
    page = find_target(context, lambda: find_text_page(notion, given["document"], field="document"))
    _require_unique(str(notion.markdown(page.id)["markdown"]), given["passage"])
    return (
        _document_row(page),
        PreviewRow(
            label=gettext_noop("Passage"), value=given["text"] or gettext("(taken out)"), before=given["passage"]
        ),
    )


@undo_when_settled
def undo_edit(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Restore the passage, unless the document was changed since."""
    if "old" not in undo:
        return undo_append(context, undo)
    page, _ = restore_passage(notion_of(context), undo, undo["old"], DOCUMENT)
    return ToolResult(output=gettext("“{title}” is as it was before.", title=page.title))


@tool(
    label=gettext_noop("Changing a document"),
    title=gettext_noop("Change a document in Notion"),
    summary=gettext_noop("Change a passage of a document, or add to its end"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_edit,
    undo=undo_edit,
    timeout_s=40.0,
    usage_hint="Changes a passage of a document, or adds to its end.",
    when=("the student asks for other words in their document",),
    when_not=("the exact words are not known: read it first",),
    examples=(
        Example(
            description="In my letter ideas, say that the night bus stops at midnight",
            arguments={
                "document": LETTER,
                "passage": "the night bus that stops at eleven",
                "text": "the night bus that stops at midnight",
            },
        ),
        Example(description="Add a closing sentence", arguments={"document": LETTER, "text": "Thank you."}),
    ),
)
def documents_edit(
    context: ToolExecutionContext,
    *,
    document: DocumentReference,
    text: Annotated[str, Field(max_length=20_000, description="The new words, Markdown; empty takes passage out.")],
    passage: Annotated[
        str,
        Field(
            max_length=10_000,
            description="The old words, as documents_get gave them to the letter, enough to stand there only once; "
            "empty adds text at the end.",
        ),
    ] = "",
) -> ToolResult:
    """Change a passage in one of the student's documents, or add to its end.

    Read the document first and change only what the student asked for.
    """
    if not passage:
        given = notion_append_to_page.validate(_append_arguments(document, text))
        return notion_append_to_page.function(context, **given)
    notion = notion_of(context)
    page = find_target(context, lambda: find_text_page(notion, document, field="document"))
    if is_card_stale(context, (_document_row(page),)):
        raise changed_error(gettext_noop("This document was renamed or moved"))
    before = str(notion.markdown(page.id)["markdown"])
    earlier = earlier_plan(context)
    if earlier is not None and (former := _text_before(str(earlier["before"]), before, passage, text)) is not None:
        return _result(context, page, former, before)
    _require_unique(before, passage)
    save_plan(context, {"before": before})
    after = _replace(notion, page.id, before, passage, text, before.replace(passage, text))
    return _result(context, page, before, after)


def _replace(notion: NotionClient, page_id: str, before: str, old: str, new: str, wanted: str) -> str:
    rewrite = Rewrite(page_id=page_id, before=before, wanted=wanted, target=DOCUMENT)
    return rewrite.send(notion, lambda: notion.replace(page_id, old=old, new=new))


def _text_before(former: str, now: str, passage: str, text: str) -> str | None:
    """Text to which an undo goes back, if the first try of a repeated edit got through, else None.

    former: the text that the first try read. What somebody else changed since then stays. Raises `OutcomeUnknown`.
    """
    if now == former:
        return None
    if normalised_lines(now) == normalised_lines(former.replace(passage, text)):
        return former
    if passage not in now and (not text or now.count(text) == 1):
        return now.replace(text, passage) if text else now
    if text and now.count(text) == 1 and passage in text:
        return now.replace(text, passage)
    if passage in now and now.count(passage) == 1 and (not text or text not in now):
        return None
    raise unknown_outcome_error(gettext_noop("the document was changed"))


def _require_unique(markdown: str, passage: str) -> None:
    """Raise `BadArguments` unless the passage stands in the text exactly once, and is not a page inside."""
    if any(NESTED_TAG.match(part.strip()) for part in passage.splitlines()):
        raise BadArguments(gettext("This is a page inside, and no text."), field="passage")
    times = markdown.count(passage)
    if times != 1:
        sentence = (
            " ".join([gettext("These words do not stand in the document."), *_closest_headings(markdown, passage)])
            if times == 0
            else gettext("These words stand in the document {n} times: take more of them.", n=times)
        )
        step = "Read the document with documents_get and give the exact words, as many as make them unique."
        raise BadArguments(sentence, field="passage", next_step=step)


def _closest_headings(markdown: str, passage: str) -> list[str]:
    """Sentence with the headings under which most of a passage's words stand,
    the nearest first; none without headings.
    """
    words = _words(passage)
    titled = [section for section in split_sections(markdown) if section.title]
    near = sorted(titled, key=lambda section: -len(words & _words(f"{section.title} {section.text}")))
    names = ", ".join(f"“{one_line(plain(section.title))}”" for section in near[:MOST_HEADINGS])
    return [gettext("The closest headings: {names}.", names=names)] if names else []


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _result(context: ToolExecutionContext, page: NotionPage, before: str, after: str) -> ToolResult:
    page = replace(page, edited_at=context.now())
    return ToolResult(
        output=gettext("Changed the document “{title}” (Notion).", title=page.title) + f"\n{page_facts(page)}",
        data={"page": page_data(page)},
        sources=page_sources(page),
        undo=_undo(page, before, after),
    )


def _undo(page: NotionPage, before: str, after: str) -> Json | None:
    """Arguments of the undo; None when there is nothing to restore, or what is not known."""
    if before == after:
        return None
    start, end_before, end_after = changed_range(before, after)
    hashes = {"before": text_hash(before), "after": text_hash(after)}
    return {
        "page_id": page.id,
        **hashes,
        "old": before[start:end_before],
        "start": start,
        "length": end_after - start,
    }


def _append_arguments(document: str, text: str) -> dict[str, str]:
    return {"page": document, "content": text}


def _document_row(page: NotionPage) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Document"), value=page.title, resolved={"document": page.id})

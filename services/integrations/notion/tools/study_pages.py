"""Study pages: the tools that create study notes and study plans in a fixed form."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.errors import BadArguments
from services.i18n import formats, get_locale, gettext, gettext_noop, locale_scope, negotiate_locale, ngettext
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.localized import duration
from services.integrations.notion.access import ID, ParentReference
from services.integrations.notion.tools.page_creation import (
    PageDraft,
    Title,
    create_page,
    page_rows,
    undo_page_creation,
)
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

Line = Annotated[str, Field(min_length=1, max_length=1_000)]
Language = Annotated[
    Literal["", "en", "es"],
    Field(description="Of the headings: that of the words given; empty for the language of the student's settings."),
]


class Term(BaseModel):
    """A word to know, and what it means."""

    model_config = ConfigDict(extra="forbid")

    term: Annotated[str, Field(min_length=1, max_length=200)]
    meaning: Line


class Session(BaseModel):
    """One time to study."""

    model_config = ConfigDict(extra="forbid")

    day: date
    what: Line
    minutes: Annotated[int, Field(ge=5, le=600)] = 45


def preview_notes(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the whole page, and its parent."""
    return page_rows(context, _notes(**notion_create_study_notes.validate(arguments)))


def preview_plan(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the whole page, and its parent; raises `BadArguments` for a day that is over."""
    given, errors = notion_create_study_plan.validate(arguments), ArgumentErrorCollector()
    if over := sorted({session.day for session in given["sessions"] if session.day < context.now().date()}):
        days = ", ".join(formats.day(day) for day in over)
        sentence = gettext("These days of the plan are over already: {days}. Plan from today on.", days=days)
        errors.add(BadArguments(sentence, field="sessions"))
    rows = errors.read(page_rows, context, _plan(**given))
    errors.raise_found()
    return rows or ()


@tool(
    label=gettext_noop("Writing study notes in Notion"),
    title=gettext_noop("Create study notes in Notion"),
    summary=gettext_noop("Write study notes with key points, terms and questions to tick off"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_notes,
    undo=undo_page_creation,
    timeout_s=40.0,
    usage_hint="Writes study notes: key points, terms, questions to tick off.",
    when=("the student wants notes to learn from",),
    when_not=("plain text is to be kept as it is",),
    examples=(
        Example(
            description="Make study notes about mitosis from what we just went through",
            arguments={
                "title": "BIOL 201: Mitosis",
                "summary": "How one cell becomes two equal ones.",
                "key_points": ["Chromosomes line up in metaphase."],
                "terms": [{"term": "Spindle", "meaning": "Fibres that pull chromosomes apart."}],
                "questions": ["What would happen without the checkpoint?"],
            },
        ),
    ),
)
def notion_create_study_notes(
    context: ToolExecutionContext,
    *,
    title: Title,
    summary: Annotated[str, Field(max_length=4_000, description="What it is about, in a few sentences.")] = "",
    key_points: Annotated[list[Line], Field(max_length=60, description="What to remember, one point each.")] = [],  # noqa: B006
    terms: Annotated[list[Term], Field(max_length=60, description="Words to know, and their meanings.")] = [],  # noqa: B006
    questions: Annotated[
        list[Line], Field(max_length=40, description="For testing oneself, without the answers.")
    ] = [],  # noqa: B006
    parent: ParentReference = "",
    language: Language = "",
) -> ToolResult:
    """Create a page of study notes in the student's Notion: summary, key points, terms, and questions to tick off.

    Fill it from what the student or their courses said, not from guesses.
    """
    page = _notes(title, summary, key_points, terms, questions, parent, language)
    return create_page(context, page)


@tool(
    label=gettext_noop("Writing a study plan in Notion"),
    title=gettext_noop("Create a study plan in Notion"),
    summary=gettext_noop("Write a study plan, day by day, with boxes to tick"),
    category="notes",
    contexts=("notes",),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_plan,
    undo=undo_page_creation,
    timeout_s=40.0,
    usage_hint="Writes a study plan day by day, with boxes to tick.",
    when=("the student wants their plan as a page",),
    when_not=("the sessions belong into the calendar", "no plan is made yet"),
    examples=(
        Example(
            description="A plan for the biology final, two evenings",
            arguments={
                "title": "Study plan: BIOL 201 final",
                "goal": "Ready for the final on 15 December",
                "sessions": [{"day": "2026-12-10", "what": "Chapters 12 and 13", "minutes": 60}],
            },
        ),
    ),
)
def notion_create_study_plan(
    context: ToolExecutionContext,
    *,
    title: Title,
    sessions: Annotated[list[Session], Field(min_length=1, max_length=60, description="What to study when.")],
    goal: Annotated[str, Field(max_length=1_000, description="What the plan is for.")] = "",
    parent: ParentReference = "",
    language: Language = "",
) -> ToolResult:
    """Create a study plan as a page in the student's Notion: each day with what to do, as boxes to tick.

    Look up due dates and free time first. It puts nothing into calendar or planner.
    """
    return create_page(context, _plan(title, sessions, goal, parent, language))


def _notes(
    title: str,
    summary: str,
    key_points: Sequence[str],
    terms: Sequence[Term],
    questions: Sequence[str],
    parent: str,
    language: str,
) -> PageDraft:
    if not (summary or key_points or terms or questions):
        raise BadArguments(gettext("Notes need a summary, points, terms or questions."), field="summary")
    with _written_in(language):
        parts = [
            _section(gettext("Summary"), [summary] if summary else []),
            _section(gettext("Key points"), [f"- {_single_line(point)}" for point in key_points]),
            _section(
                gettext("Terms"), [f"- **{_single_line(term.term)}**: {_single_line(term.meaning)}" for term in terms]
            ),
            _section(gettext("Test yourself"), [f"- [ ] {_single_line(question)}" for question in questions]),
        ]
    return PageDraft(title=title, parent=parent, content="\n".join(part for part in parts if part))


def _plan(title: str, sessions: Sequence[Session], goal: str, parent: str, language: str) -> PageDraft:
    with _written_in(language):
        content = _plan_content(sessions, goal)
    return PageDraft(title=title, parent=parent, content=content)


def _plan_content(sessions: Sequence[Session], goal: str) -> str:
    days = sorted({session.day for session in sessions})
    total = duration(sum(session.minutes for session in sessions))
    head = [gettext("**Goal:** {goal}", goal=_single_line(goal))] if goal else []
    time = ngettext("**Time:** {total} on {n} day", "**Time:** {total} on {n} days", len(days), total=total)
    parts = ["\n".join([*head, time])]
    for on in days:
        of_day = [session for session in sessions if session.day == on]
        parts.append(
            _section(formats.day(on), [f"- [ ] {_single_line(s.what)} ({duration(s.minutes)})" for s in of_day])
        )
    return "\n".join(parts)


def _written_in(language: str) -> AbstractContextManager[None]:
    """Scope of the locale in which a page is written: the student's, or the one for another language of the chat."""
    return locale_scope(negotiate_locale(get_locale(), language=language or None))


def _section(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {heading}", *lines]) if lines else ""


def _single_line(text: str) -> str:
    return " ".join(text.split())

"""Tools that make a quiz or flashcards from what a student reads, with their card and undo."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import ItemNotFound
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.materials.access import CourseFilter
from services.integrations.study.access import study_tool
from services.integrations.study.quiz_requests import FoundRequest, cards_request, quiz_request
from services.integrations.study.sources import (
    FoundSources,
    FromChat,
    MaterialNames,
    Module,
    NotePages,
    Pages,
    PastedText,
    Topic,
)
from services.llm.citations import Source
from services.navigation import quiz_address
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.study.flashcard import FlashcardState
from services.study.question import Difficulty, QuestionKind
from services.study.quiz import MOST_QUESTIONS, GenerationEstimate, Quiz, QuizRequest
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import CallRate, Effect, Example

_RATE = CallRate(calls=20, seconds=600.0)
Count = Annotated[int | None, Field(ge=1, le=MOST_QUESTIONS, description="How many.")]
Language = Annotated[str, Field(max_length=20, description='Like "es"; left out, the student\'s.')]


def preview_quiz(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows of a large making, with what it takes."""
    return _preview(context, quiz_request(context, **study_make_quiz.validate(arguments)))


def preview_cards(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    return _preview(context, cards_request(context, **study_make_cards.validate(arguments)))


def undo_making(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete the quiz with its questions, or the cards that were made and not kept yet."""
    refuse_in_dry_run()
    study, student = context.container.study, context.student
    try:
        made = study.quizzes.quiz(student, undo["quiz_id"])
        study.quizzes.delete(student, made.id)
    except ItemNotFound:
        return ToolResult(output=gettext("This was deleted already."))
    if made.request.product == "cards":
        cards = study.cards.cards_by_id(student, made.question_ids)
        study.cards.drop(student, [card.id for card in cards if card.state is FlashcardState.DRAFT])
    return ToolResult(output=gettext("What was made is deleted again."))


@study_tool(
    label=gettext_noop("Making a quiz"),
    title=gettext_noop("Make a quiz for you"),
    summary=gettext_noop("Make a quiz or a mock exam from a lecture, a topic, your notes or a text"),
    effect=Effect.RECORD,
    preview=preview_quiz,
    undo=undo_making,
    usage_hint="Makes a quiz or mock exam of a topic, lecture, chapter, notes, chat or text.",
    when=("the student wants to be quizzed or tested, or wants practice questions or a mock exam",),
    when_not=("something is to be explained", "it asks what to review today: list that"),
    examples=(
        Example(
            description="Quiz me on chapter 3 for ten minutes", arguments={"materials": ["chapter 3"], "minutes": 10}
        ),
        Example(description="Quiz me on osmosis", arguments={"topic": "osmosis"}),
        Example(
            description="Mock exam of 30 minutes on unit 2 in bio",
            arguments={"module": "unit 2", "course": "bio", "minutes": 30, "mock_exam": True},
        ),
        Example(
            description="Five hard true-or-false questions from the study guide",
            arguments={"materials": ["study guide"], "count": 5, "kinds": ["true_false"], "difficulty": "hard"},
        ),
    ),
    rate=_RATE,
    timeout_s=60.0,
)
def study_make_quiz(
    context: ToolExecutionContext,
    *,
    topic: Topic = "",
    materials: MaterialNames = [],  # noqa: B006 - never changed
    pages: Pages = "",
    module: Module = "",
    course: CourseFilter = None,
    notes: NotePages = [],  # noqa: B006 - never changed
    text: PastedText = "",
    this_chat: FromChat = False,
    count: Count = None,
    minutes: Annotated[int | None, Field(ge=3, le=240, description="How long it may take.")] = None,
    mock_exam: Annotated[bool, Field(description="Against a clock of these minutes.")] = False,
    kinds: Annotated[list[QuestionKind], Field(max_length=6, description="Left out: a mixture.")] = [],  # noqa: B006
    difficulty: Annotated[Difficulty, Field(description="How hard.")] = "medium",
    language: Language = "",
) -> ToolResult:
    """Make a quiz for the student from their course materials, notes, this chat or a text.

    They take it below the answer: do not write its questions out.
    """
    return _made(
        context,
        quiz_request(
            context,
            topic=topic,
            materials=materials,
            pages=pages,
            module=module,
            course=course,
            notes=notes,
            text=text,
            this_chat=this_chat,
            count=count,
            minutes=minutes,
            mock_exam=mock_exam,
            kinds=kinds,
            difficulty=difficulty,
            language=language,
        ),
    )


@study_tool(
    label=gettext_noop("Making cards"),
    title=gettext_noop("Make flashcards for you"),
    summary=gettext_noop("Make flashcards from a lecture, a topic, your notes or a text"),
    effect=Effect.RECORD,
    preview=preview_cards,
    undo=undo_making,
    usage_hint="Makes flashcards from a lecture, topic, notes, chat or text.",
    when=("the student wants flashcards or study cards",),
    when_not=("they want to review those that there are", "they want them as a page of their notes"),
    examples=(
        Example(
            description="10 flashcards from the study guide", arguments={"materials": ["study guide"], "count": 10}
        ),
        Example(description="Make cards out of this chat", arguments={"this_chat": True}),
    ),
    rate=_RATE,
    timeout_s=60.0,
)
def study_make_cards(
    context: ToolExecutionContext,
    *,
    topic: Topic = "",
    materials: MaterialNames = [],  # noqa: B006 - never changed
    pages: Pages = "",
    module: Module = "",
    course: CourseFilter = None,
    notes: NotePages = [],  # noqa: B006 - never changed
    text: PastedText = "",
    this_chat: FromChat = False,
    count: Count = None,
    language: Language = "",
) -> ToolResult:
    """Make flashcards for the student from their course materials, notes, this chat or a text.

    They look them over on the page Study: do not write them out.
    """
    return _made(
        context,
        cards_request(
            context,
            topic=topic,
            materials=materials,
            pages=pages,
            module=module,
            course=course,
            notes=notes,
            text=text,
            this_chat=this_chat,
            count=count,
            language=language,
        ),
    )


def _preview(context: ToolExecutionContext, made: FoundRequest) -> tuple[PreviewRow, ...]:
    estimate = context.container.study.quizzes.estimate(context.student, made.request)
    cost = PreviewRow(label=gettext_noop("What it takes"), value=_cost(estimate))
    return (*_rows(made.request, made.found), cost)


def _made(context: ToolExecutionContext, made: FoundRequest) -> ToolResult:
    """Ask for it at once; what is large is the student's to decide first."""
    quizzes, student, request = context.container.study.quizzes, context.student, made.request
    refuse_in_dry_run()
    key = context.operation_id or _call_key(context)
    quiz = quizzes.make(student, request, key=key, is_agreed=context.operation_id is not None)
    url = declared(quiz_address(context.container.settings.public_url, quiz.id), Provenance.SERVICE)
    declared([request.title, request.topic], Provenance.ASSISTANT)
    return ToolResult(
        output="\n".join([_told(quiz), *made.found.notes, f"- [{_link_text(quiz)}]({url}) (id: {quiz.id})"]),
        data={
            "quiz_id": quiz.id,
            "title": quiz.request.title,
            "state": str(quiz.state),
            "count": quiz.request.count,
            "product": quiz.request.product,
            "minutes": quiz.request.minutes,
            "url": url,
        },
        sources=(Source(title=quiz.request.title, url=url),),
        undo={"quiz_id": quiz.id},
        rows=tuple(_rows(quiz.request, made.found)),
    )


def _link_text(quiz: Quiz) -> str:
    return one_line(quiz.request.title, 120).replace("[", "(").replace("]", ")")


def _call_key(context: ToolExecutionContext) -> str:
    """Idempotency key of a call in a chat: what is repeated after a crash is made once. "" for a program's."""
    return f"{context.turn_id}/{context.call_id}" if context.turn_id and context.call_id else ""


def _told(quiz: Quiz) -> str:
    request = quiz.request
    if request.product == "cards":
        return ngettext(
            "{n} card on “{title}” is being made. It can be looked over on the page Study.",
            "{n} cards on “{title}” are being made. They can be looked over on the page Study.",
            request.count,
            title=one_line(request.title),
        )
    return ngettext(
        "The quiz “{title}” with {n} question is being made.",
        "The quiz “{title}” with {n} questions is being made.",
        request.count,
        title=one_line(request.title),
    )


def _rows(request: QuizRequest, found: FoundSources) -> list[PreviewRow]:
    number = ngettext("{n} card", "{n} cards", request.count)
    if request.product == "quiz":
        number = ngettext("{n} question", "{n} questions", request.count)
    clock = ngettext("{n} minute", "{n} minutes", request.minutes) if request.minutes else ""
    rows = [PreviewRow(label=gettext_noop("How many"), value=number)]
    rows += [PreviewRow(label=gettext_noop("Clock"), value=clock)] if clock else []
    return [*found.rows(), *rows]


def _cost(estimate: GenerationEstimate) -> str:
    passages = ngettext("{n} passage", "{n} passages", estimate.passages)
    return gettext(
        "{passages} to read, about {cost} of the assistant's budget",
        passages=passages,
        cost=f"${formats.number(max(0.01, estimate.cost_usd), 2)}",
    )

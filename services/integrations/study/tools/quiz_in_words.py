"""Tools that ask a quiz in words, one question at a time, where the student has no screen of it or wants it so."""

from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ItemNotFound
from services.i18n import gettext, gettext_noop
from services.integrations.study.access import study_tool
from services.integrations.study.given_answers import given_answer
from services.integrations.study.question_text import (
    asked_data,
    asked_lines,
    mark_data,
    marked_lines,
    result_line,
    sources_of,
)
from services.integrations.study.quiz_names import find_quiz, when_made
from services.study.assessment.option_order import option_order
from services.study.assessment.progress import next_number, result_of
from services.study.attempt import Attempt, Mark
from services.study.question import Question
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import ToolResult
from services.tools.tool import Effect, Example

LONGEST_ANSWER = 2_000
QuizName = Annotated[
    str, Field(max_length=200, description="Its id, or words of its title. Left out: the one under way, or the newest.")
]


@study_tool(
    label=gettext_noop("Asking the next question"),
    title=gettext_noop("Ask the next question of a quiz"),
    summary=gettext_noop("Be asked your quiz in words, one question at a time"),
    effect=Effect.RECORD,
    usage_hint="Gives the next question of a quiz, to ask in words.",
    when=("the student wants to be asked a quiz one question at a time, go on with it, or repeat what they missed",),
    when_not=("there is no quiz on it yet: make one",),
    examples=(
        Example(description="Ask me the osmosis quiz one question at a time", arguments={"quiz": "osmosis"}),
        Example(description="Ask me again what I got wrong", arguments={"only_wrong": True}),
    ),
    timeout_s=60.0,
)
def study_next_question(
    context: ToolExecutionContext,
    *,
    quiz: QuizName = "",
    only_wrong: Annotated[bool, Field(description="Only what was not right the last time.")] = False,
) -> ToolResult:
    """Give the next question of a quiz, without its key. Ask it, and wait for the student's own answer."""
    refuse_in_dry_run()
    found = when_made(context, find_quiz(context, quiz))
    attempt = context.container.study.attempts.start(context.student, found.id, only_wrong=only_wrong)
    question = _asked(context, attempt)
    if question is None:
        return _finished(context, attempt, [])
    ends = [f"The clock ends at {attempt.ends_at.astimezone(context.timezone):%H:%M}."] if attempt.ends_at else []
    lines = [f"Quiz “{found.request.title}” (id: {found.id}).", *asked_lines(attempt, question), *ends]
    return ToolResult(
        output="\n".join(lines), data={"quiz_id": found.id, "question": asked_data(attempt, question), "mark": None}
    )


@study_tool(
    label=gettext_noop("Marking your answer"),
    title=gettext_noop("Answer a question of a quiz"),
    summary=gettext_noop("Answer a question of your quiz, and see the page that it is from"),
    effect=Effect.RECORD,
    usage_hint="Marks the student's answer to a question of a quiz and gives the next one.",
    when=("the student has just answered a question that was asked, does not know it, or disagrees with a mark",),
    when_not=("the student has not answered yet: never answer for them",),
    examples=(
        Example(description="B", arguments={"answer": "B"}),
        Example(description="I don't know", arguments={"answer": ""}),
        Example(
            description="No, my answer to 3 is right as well", arguments={"number": 3, "disagree": "It says so too."}
        ),
    ),
    timeout_s=40.0,
)
def study_answer(
    context: ToolExecutionContext,
    *,
    answer: Annotated[
        str, Field(max_length=LONGEST_ANSWER, description="In the student's words, or letters; empty to skip.")
    ] = "",
    number: Annotated[
        int | None, Field(ge=1, le=200, description="That of the question, where it is not the one asked now.")
    ] = None,
    quiz: QuizName = "",
    disagree: Annotated[
        str, Field(max_length=500, description="Why the student thinks their answer to it was right.")
    ] = "",
    hand_in: Annotated[bool, Field(description="End the quiz here, instead of an answer.")] = False,
) -> ToolResult:
    """Mark the student's answer to a question, with the page it is from, and give the next question.

    One answer for each message of the student, theirs alone.
    """
    refuse_in_dry_run()
    attempts, student = context.container.study.attempts, context.student
    attempt = _latest(context, find_quiz(context, quiz).id)
    if hand_in:
        return _finished(context, attempts.finish(student, attempt.id), [])
    number = number or (_number_now(attempt) if not disagree else len(attempt.answers))
    question = _numbered(context, attempt, number)
    if disagree.strip():
        attempt = attempts.disagree(student, attempt.id, question.id, disagree)
        return _next(context, attempt, question, attempt.answer_to(question.id), ["Their own word counts now."])
    answer_id = _answer_id(context, attempt, number)
    given = given_answer(question, option_order(attempt.id, question), answer)
    attempt, mark = attempts.answer(student, attempt.id, question.id, given, answer_id=answer_id, number=number - 1)
    return _next(context, attempt, question, mark, [])


def _latest(context: ToolExecutionContext, quiz_id: str) -> Attempt:
    there = context.container.study.attempts.all(context.student, quiz_id)
    if not there:
        raise ItemNotFound(
            "Homeroom", gettext("This quiz has not been begun."), next_step=gettext("Ask for its first question.")
        )
    return there[-1]


def _number_now(attempt: Attempt) -> int:
    """Number of the question that is asked now; the last one where none is left."""
    at = next_number(attempt)
    return len(attempt.question_ids) if at is None else at + 1


def _numbered(context: ToolExecutionContext, attempt: Attempt, number: int) -> Question:
    if number > len(attempt.question_ids):
        raise BadArguments(
            f"number: this quiz has {len(attempt.question_ids)} questions.",
            field="number",
            said=gettext("There is no question with this number."),
        )
    return context.container.study.quizzes.question(context.student, attempt.question_ids[number - 1])


def _answer_id(context: ToolExecutionContext, attempt: Attempt, number: int) -> str:
    """Idempotency key of an answer: the same place of the same attempt counts once, and one answer a message.

    Raises `BadArguments` for a second answer in the same turn of a chat, which no student can have given.
    """
    turn = context.turn_id or ""
    id = f"words/{number}/{turn}"
    if turn and any(given.answer_id.endswith(f"/{turn}") and given.answer_id != id for given in attempt.answers):
        raise BadArguments(
            "The student has not answered this one yet: ask it, and wait for their next message.",
            next_step="",
            said=gettext("One question at a time."),
        )
    before = next((given for given in attempt.answers if given.answer_id.startswith(f"words/{number}/")), None)
    return before.answer_id if before and not attempt.is_exam else id


def _asked(context: ToolExecutionContext, attempt: Attempt) -> Question | None:
    at = next_number(attempt)
    if at is None:
        return None
    return context.container.study.quizzes.question(context.student, attempt.question_ids[at])


def _next(
    context: ToolExecutionContext, attempt: Attempt, question: Question, mark: Mark | Any, lines: list[str]
) -> ToolResult:
    """Result of an answer: its mark, and the next question or the end."""
    mark = getattr(mark, "mark", mark)
    lines = [*lines, *marked_lines(attempt, question, mark)]
    following = _asked(context, attempt)
    told = mark_data(attempt, question, mark)
    if following is None:
        return _finished(context, attempt, lines, question, told)
    return ToolResult(
        output="\n".join([*lines, "", *asked_lines(attempt, following)]),
        data={"quiz_id": attempt.quiz_id, "mark": told, "question": asked_data(attempt, following)},
        sources=sources_of([question]) if told else (),
    )


def _finished(
    context: ToolExecutionContext,
    attempt: Attempt,
    lines: list[str],
    question: Question | None = None,
    told: dict[str, Any] | None = None,
) -> ToolResult:
    found = {each.id: each for each in context.container.study.quizzes.questions(context.student, attempt.quiz_id)}
    if attempt.finished_at is None:
        # A mock exam whose questions are all answered may be looked over until it is handed in.
        lines = [*lines, "All are answered. The student can change answers, or have it handed in."]
        return ToolResult(output="\n".join(lines), data={"quiz_id": attempt.quiz_id, "mark": told, "question": None})
    result = result_of(attempt, found)
    lines = [*lines, result_line(result.count, result.score, result.verdicts)]
    missed = [found[id] for id in result.missed if id in found] if attempt.is_exam else []
    for each in missed:
        answered = attempt.answer_to(each.id)
        if answered:
            lines += ["", f"> {each.prompt}", *marked_lines(attempt, each, answered.mark)]
    data = {"score": result.score, "of": result.count, "missed": len(result.missed)}
    return ToolResult(
        output="\n".join(lines),
        data={"quiz_id": attempt.quiz_id, "mark": told, "question": None, "result": data},
        sources=sources_of([*([question] if question and told else []), *missed]),
    )

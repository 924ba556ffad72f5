"""Quizzes that a student's words mean: by id, by words of a title, or the one that they were at last."""

import time

from services.errors import BadArguments, ItemNotFound
from services.i18n import gettext
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.study.quiz import ACTIVE, Quiz
from services.tools.context import ToolExecutionContext

WAIT_S = 25.0
"""How long a call waits for the questions of a quiz that is just being made."""
_LOOK_S = 0.5


def find_quiz(context: ToolExecutionContext, wanted: str) -> Quiz:
    """Find the quiz that is meant; "" is the one under way, else the newest. Raises `BadArguments` with the choices."""
    study, student = context.container.study, context.student
    quizzes = [_declared(quiz) for quiz in study.quizzes.all(student) if quiz.request.product == "quiz"]
    if not quizzes:
        raise ItemNotFound(
            "Homeroom", gettext("There is no quiz yet."), next_step=gettext("Say what the quiz should be about.")
        )
    if not wanted.strip():
        begun = {attempt.quiz_id for attempt in study.attempts.all(student) if attempt.finished_at is None}
        return next((quiz for quiz in quizzes if quiz.id in begun), quizzes[0])
    if by_id := [quiz for quiz in quizzes if quiz.id == wanted.strip()]:
        return by_id[0]
    found = best_matches(quizzes, wanted, lambda quiz: (quiz.request.title, quiz.request.topic))
    choices = [_choice(quiz, context) for quiz in (found or quizzes)]
    if not found:
        raise none_fits("quiz", wanted, choices)
    if len({quiz.request.title for quiz in found}) > 1:
        raise several_fit("quiz", wanted, choices)
    return found[0]


def when_made(context: ToolExecutionContext, quiz: Quiz) -> Quiz:
    """Wait until a quiz is made, for some seconds; raises `BadArguments` where it is not, and never will be."""
    ends = time.monotonic() + WAIT_S
    while quiz.state in ACTIVE and time.monotonic() < ends and not context.is_stopped:
        time.sleep(_LOOK_S)
        quiz = context.container.study.quizzes.quiz(context.student, quiz.id)
    if quiz.state in ACTIVE:
        raise BadArguments(
            "This quiz is still being written. Call again in a moment, or tell the student so.",
            next_step="",
            said=quiz.trouble or gettext("This quiz is still being written."),
        )
    if not quiz.question_ids:
        said = quiz.trouble or gettext("No question could be made of it.")
        raise BadArguments(f"This quiz has no questions: {said}", next_step="Make another one.", said=said)
    return quiz


def _choice(quiz: Quiz, context: ToolExecutionContext) -> NameChoice:
    return NameChoice(name=quiz.request.title, id=quiz.id, at=quiz.made_at.astimezone(context.timezone))


def _declared(quiz: Quiz) -> Quiz:
    declared([quiz.request.title, quiz.request.topic], Provenance.ASSISTANT)
    declared(quiz.id, Provenance.SERVICE)
    return quiz

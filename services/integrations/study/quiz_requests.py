"""Requests for quizzes and cards from the arguments of tools: their sources, and how many questions fit a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.i18n.english import sentence
from services.integrations.study.sources import FoundSources, Wanted, find_sources
from services.study.question import Difficulty, QuestionKind
from services.study.quiz import MOST_QUESTIONS, QuizRequest
from services.tools.context import ToolExecutionContext

USUAL_COUNT = 8
_SECONDS_EACH: Mapping[Difficulty, int] = {"easy": 45, "medium": 60, "hard": 90}
_LONG_KINDS = (QuestionKind.SHORT_ANSWER, QuestionKind.ORDERING)
"""Kinds that take half as long again."""


@dataclass(frozen=True, kw_only=True)
class FoundRequest:
    """Request for a quiz or cards, with the sources as they were found."""

    found: FoundSources
    request: QuizRequest = field(repr=False)


def quiz_request(
    context: ToolExecutionContext,
    *,
    count: int | None,
    minutes: int | None,
    mock_exam: bool,
    kinds: Sequence[QuestionKind],
    difficulty: Difficulty,
    language: str,
    **wanted: Any,
) -> FoundRequest:
    """Build the request for a quiz; raises `BadArguments` with the choices where a source is not clear."""
    found = find_sources(context, Wanted(**wanted))
    fitting = questions_in(minutes, kinds, difficulty) if minutes else USUAL_COUNT
    request = QuizRequest(
        title=sentence(found.topic) or found.title,
        course_key=found.course_key,
        topic=found.topic,
        sources=found.choices,
        count=count or fitting,
        kinds=tuple(kinds),
        difficulty=difficulty,
        locale=language or context.student.locale,
        minutes=(minutes or minutes_for(count or fitting, kinds, difficulty)) if mock_exam else 0,
    )
    return FoundRequest(found=found, request=request)


def cards_request(context: ToolExecutionContext, *, count: int | None, language: str, **wanted: Any) -> FoundRequest:
    """Build the request for cards; raises as `quiz_request` does."""
    found = find_sources(context, Wanted(**wanted))
    request = QuizRequest(
        product="cards",
        title=sentence(found.topic) or found.title,
        course_key=found.course_key,
        topic=found.topic,
        sources=found.choices,
        count=count or USUAL_COUNT,
        locale=language or context.student.locale,
    )
    return FoundRequest(found=found, request=request)


def questions_in(minutes: int, kinds: Sequence[QuestionKind], difficulty: Difficulty) -> int:
    """How many questions fit into so many minutes."""
    return max(1, min(MOST_QUESTIONS, round(60 * minutes / _seconds_each(kinds, difficulty))))


def minutes_for(count: int, kinds: Sequence[QuestionKind], difficulty: Difficulty) -> int:
    """Minutes of a clock for so many questions."""
    return max(3, -(-count * _seconds_each(kinds, difficulty) // 60))


def _seconds_each(kinds: Sequence[QuestionKind], difficulty: Difficulty) -> int:
    is_long = bool(kinds) and all(kind in _LONG_KINDS for kind in kinds)
    return _SECONDS_EACH[difficulty] * 3 // 2 if is_long else _SECONDS_EACH[difficulty]

"""Open quizzes: what counts for a grade and is open now is no source of practice, in whatever text it stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import formats, gettext
from services.i18n.search_tokens import search_tokens
from services.identity.students import Student
from services.study.generation.source_passage import SourcePassage
from services.study.question import SourceKind

RUN = 8
"""Words in a row that two texts share only where one was copied."""
MOST_SHARED = 2
"""Such runs that a passage may share with a quiz, as with a common sentence."""
_ITEM = re.compile(r"^[^\S\n]*+(?:question|pregunta|q|p)?\.?[^\S\n]*+#?\d{1,2}(?:\s*[.):]\s+|\s+)\S", re.I | re.M)
_OPTION = re.compile(r"^[^\S\n]*+(?:[(\[]?[a-h][.)\]]|[○◯☐□◻●])\s+\S", re.I | re.M)
_POINTS = re.compile(r"\b\d+(?:[.,]\d+)?\s*(?:pts?|points?|puntos?)\b", re.I)


@dataclass(frozen=True, kw_only=True)
class OpenQuiz:
    """Quiz that this student can take for a grade now. text: what its page says. material_id: of the same thing in
    their library, "" for none. closes_at: None while no date is set.
    """

    title: str = field(repr=False)
    text: str = field(default="", repr=False)
    material_id: str = ""
    closes_at: datetime | None = None


class OpenQuizzes(Protocol):
    """Lists of what is open for a grade, from where the student takes quizzes."""

    def of(self, student: Student, course_key: str) -> Sequence[OpenQuiz]:
        """Quizzes of a course that are open for this student now; "" for all of their courses.

        Raises `ServiceUnavailable` where nobody can tell just now.
        """


def without_open_quizzes(
    passages: Sequence[SourcePassage], quizzes: Sequence[OpenQuiz], student: Student, now: datetime
) -> list[SourcePassage]:
    """Leave out pages that are, or copy, a quiz that is open; raises `BadArguments` with the time from which on it can
    be practised where nothing else is left, or where the student's own text holds one.
    """
    kept: list[SourcePassage] = []
    met: OpenQuiz | None = None
    for passage in passages:
        found = next((quiz for quiz in quizzes if _is_of(passage, quiz)), None)
        if found is None:
            kept.append(passage)
        elif passage.source is SourceKind.MATERIAL:
            met = found
        else:
            raise _refusal(found, student, now)
    if met is not None and not kept:
        raise _refusal(met, student, now)
    return kept


def _is_of(passage: SourcePassage, quiz: OpenQuiz) -> bool:
    if quiz.material_id and passage.source_id == quiz.material_id:
        return True
    text = search_tokens(passage.text)
    if _shared_runs(text, search_tokens(quiz.text)) > MOST_SHARED:
        return True
    name = search_tokens(re.split(r"[(\[:–—]", quiz.title)[0])
    is_named = bool(name) and f" {' '.join(name)} " in f" {' '.join([*search_tokens(passage.place), *text])} "
    return looks_like_quiz(passage.text) and (is_named or bool(_POINTS.search(passage.text)))


def looks_like_quiz(text: str) -> bool:
    """Whether a text has the form of a quiz: questions with a number and options to choose from."""
    return len(_ITEM.findall(text)) >= 1 and len(_OPTION.findall(text)) >= 3 and "?" in text


def _shared_runs(words: Sequence[str], others: Sequence[str]) -> int:
    return len(_runs(words) & _runs(others))


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def _refusal(quiz: OpenQuiz, student: Student, now: datetime) -> BadArguments:
    if quiz.closes_at is not None and quiz.closes_at > now:
        at = quiz.closes_at.astimezone(ZoneInfo(student.timezone))
        until = gettext(
            "You can practise with it from {when} on.", when=f"{formats.day(at.date())}, {formats.clock(at)}"
        )
    else:
        until = gettext("You can practise with it once you have handed it in.")
    pages = gettext("Until then, take the pages that it is about.")
    return BadArguments(
        gettext("“{title}” is open for a grade now, so no questions are made from it.", title=quiz.title),
        field="sources",
        next_step=f"{until} {pages}",
    )

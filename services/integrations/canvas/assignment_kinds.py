"""Kinds of assignments, and the time that such work usually takes; the rules stand in docs/canvas.md."""

import re
from collections.abc import Iterable
from enum import StrEnum

from services.integrations.kit.name_words import without_accents

_PEER_REVIEW = re.compile(r"\bpeer[- ]?reviews?\b|\brevision entre pares\b")
_QUIZ = re.compile(r"\b(quiz(zes)?|cuestionarios?|prueba corta)\b")
_EXAM = re.compile(r"\b(exams?|examen(es)?|midterms?|parcial(es)?|klausur|prufung)\b|^(\w+ )?test\b|\btest \d")
_FINAL = re.compile(r"\bfinals?\b")
_NOTHING_ONLINE = frozenset({"none", "not_graded"})
_SMALL_POINTS = 5
_PIECE_POINTS = 20
_PIECE_NAMES = (
    r"(topics?|outlines?|proposals?|drafts?|prospectus|abstract|annotated bibliography|bibliography|milestones?|"
    r"tema|esquema|propuesta|borrador|gliederung|entwurf)"
)
_PIECE = re.compile(rf"(^|[:(\-–—,] *)(?!the |an? )([\w-]{{1,60}} )?{_PIECE_NAMES}\b|\b{_PIECE_NAMES}( \d+)?\)?$")
"""Titles of a step towards a paper or project: "Essay 4: topic and addressee", "Draft of essay 2"."""
TIME_RULE = (
    "Time estimates are Homeroom's rule of thumb by kind: exam or project 6 hours, essay 5 hours, lab 2½ hours, "
    "homework 2 hours, quiz 1 hour, discussion or peer review 45 minutes, anything else 30 minutes; half of that for "
    "work of at most 5 points. A topic, outline, proposal or draft, and an essay or project of at most 20 points, "
    "count as homework; a quiz with a time limit takes that long. Pages and words are not looked at."
)


class AssignmentKind(StrEnum):
    """Kind of work; its values are those of the tools' `kind` argument."""

    EXAM = "exam"
    QUIZ = "quiz"
    DISCUSSION = "discussion"
    ESSAY = "essay"
    PROJECT = "project"
    LAB = "lab"
    HOMEWORK = "homework"
    PEER_REVIEW = "peer_review"
    OTHER = "other"

    @property
    def label(self) -> str:
        """Name for a line of output; "" for kinds that the title tells."""
        return (
            self.value.replace("_", " ")
            if self in (AssignmentKind.QUIZ, AssignmentKind.DISCUSSION, AssignmentKind.PEER_REVIEW)
            else ""
        )


_BY_WORDS = (
    (AssignmentKind.PROJECT, re.compile(r"\b(projects?|proyectos?|projekt|capstone)\b")),
    (AssignmentKind.ESSAY, re.compile(r"\b(essays?|papers?|drafts?|ensayos?|aufsatz|redaccion|term paper|thesis)\b")),
    (AssignmentKind.LAB, re.compile(r"\b(labs?|laboratorios?|practicum)\b")),
    (AssignmentKind.DISCUSSION, re.compile(r"\b(discussions?|forums?|foros?|section post)\b")),
)
_MINUTES = {
    AssignmentKind.EXAM: 360,
    AssignmentKind.PROJECT: 360,
    AssignmentKind.ESSAY: 300,
    AssignmentKind.LAB: 150,
    AssignmentKind.HOMEWORK: 120,
    AssignmentKind.QUIZ: 60,
    AssignmentKind.DISCUSSION: 45,
    AssignmentKind.PEER_REVIEW: 45,
    AssignmentKind.OTHER: 30,
}


def kind_of(
    title: str, submission_types: Iterable[str] = (), *, plannable: str = "", is_quiz: bool = False
) -> AssignmentKind:
    """Classify by the way Canvas takes the work where that tells, else by the words of its title.

    is_quiz: Canvas calls it a quiz, one of its own or a New Quiz, which is taken in an external tool.
    """
    types, words = set(submission_types), without_accents(title)
    if plannable == "assessment_request" or _PEER_REVIEW.search(words):
        return AssignmentKind.PEER_REVIEW
    if plannable == "quiz" or is_quiz or "online_quiz" in types or _QUIZ.search(words):
        return AssignmentKind.EXAM if _EXAM.search(words) and not _QUIZ.search(words) else AssignmentKind.QUIZ
    if plannable == "discussion_topic" or "discussion_topic" in types:
        return AssignmentKind.DISCUSSION
    if types and types <= _NOTHING_ONLINE:
        return AssignmentKind.OTHER
    if _EXAM.search(words):
        return AssignmentKind.EXAM
    named = next((kind for kind, pattern in _BY_WORDS if pattern.search(words)), None)
    return named or (AssignmentKind.EXAM if _FINAL.search(words) else AssignmentKind.HOMEWORK)


def estimated_minutes(
    kind: AssignmentKind, points: float | None, *, title: str = "", time_limit: int | None = None
) -> int:
    """Estimate the duration of such work in minutes; see `TIME_RULE`. time_limit: minutes that Canvas allows a quiz."""
    if kind is AssignmentKind.QUIZ and time_limit:
        return min(time_limit, _MINUTES[AssignmentKind.EXAM])
    if kind in (AssignmentKind.ESSAY, AssignmentKind.PROJECT) and _is_piece(title, points):
        kind = AssignmentKind.HOMEWORK
    minutes = _MINUTES[kind]
    return minutes // 2 if points is not None and 0 < points <= _SMALL_POINTS else minutes


def _is_piece(title: str, points: float | None) -> bool:
    is_small = points is not None and 0 < points <= _PIECE_POINTS
    return is_small or _PIECE.search(without_accents(title)) is not None


def rough_hours(minutes: int) -> str:
    """Format a rough duration: "about 2½ hours", "about 45 minutes"."""
    if minutes < 60:
        return f"about {minutes} minutes"
    whole, half = divmod(round(minutes / 30), 2)
    return f"about {whole}{'½' if half else ''} hour{'' if (whole, half) == (1, 0) else 's'}"

"""`Exam`: an exam that a student prepares for, and the sessions that its plan is made of."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from services.i18n import gettext
from services.safety.text import one_line

LONGEST_TITLE = 120


class SessionKind(StrEnum):
    READ = "read"
    PRACTISE = "practise"
    REVIEW = "review"
    MOCK = "mock"


@dataclass(frozen=True, kw_only=True)
class PlannedSession:
    """Session of an exam's plan. what: for people, such as "Chapter 3, pages 40–58". material_ids: what it is about.

    card: id of the approval that put it into the calendar, "" before. done_at: when it was done; None before.
    """

    id: str
    kind: SessionKind
    what: str = field(default="", repr=False)
    start: datetime
    minutes: int
    material_ids: tuple[str, ...] = ()
    topic: str = field(default="", repr=False)
    card: str = ""
    done_at: datetime | None = None

    def is_missed(self, now: datetime) -> bool:
        """Whether its time is over and it was not done."""
        return self.done_at is None and self.start.timestamp() + self.minutes * 60 < now.timestamp()


@dataclass(frozen=True, kw_only=True)
class Exam:
    """Exam. source: where it is from, such as "canvas:101.assignment-7" or "student". material_ids: what it covers,
    none for the whole course. weak_topics: those to begin with. version: counts its changes.
    """

    id: str
    course_key: str
    title: str = field(repr=False)
    at: datetime
    source: str = "student"
    material_ids: tuple[str, ...] = ()
    sessions: tuple[PlannedSession, ...] = ()
    made_at: datetime
    version: int = 1


def session_title(session: PlannedSession, exam: Exam) -> str:
    """Title of a session in the current language: "Practise: Osmosis"."""
    what = one_line(session.what, LONGEST_TITLE)
    match session.kind:
        case SessionKind.READ:
            return gettext("Read: {what}", what=what)
        case SessionKind.PRACTISE:
            return gettext("Practise: {what}", what=what)
        case SessionKind.MOCK:
            return gettext("Mock exam: {what}", what=one_line(exam.title, LONGEST_TITLE))
        case _:
            return gettext("Review your cards")

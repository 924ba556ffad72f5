"""Titles of planned sessions, for pages, messages and the calendar."""

from services.i18n import gettext
from services.safety.text import one_line
from services.study.exam import Exam, PlannedSession, SessionKind

LONGEST = 120


def session_title(session: PlannedSession, exam: Exam) -> str:
    """Title of a session in the current language: "Practise: Osmosis"."""
    what = one_line(session.what, LONGEST)
    match session.kind:
        case SessionKind.READ:
            return gettext("Read: {what}", what=what)
        case SessionKind.PRACTISE:
            return gettext("Practise: {what}", what=what)
        case SessionKind.MOCK:
            return gettext("Mock exam: {what}", what=one_line(exam.title, LONGEST))
        case _:
            return gettext("Review your cards")

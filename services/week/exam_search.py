"""Exam search: exams that the student's courses and calendars tell of, and free time until one; nothing is stored."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from services.i18n import gettext_noop
from services.identity.students import Student
from services.study.exam_plans.session_planner import SHORTEST, FreeStretch
from services.tools import result_contracts
from services.week.loader import without_duplicates
from services.week.part_calls import ToolGatewayPort, call_parts, free_gaps, is_there
from services.week.tool_results import Json, week_entries
from services.week.week import WeekEntry

ASKED_BY = gettext_noop("Study")
"""Caller's name in the activity and on an approval's card."""
AHEAD = timedelta(days=90)
MOST_AHEAD = timedelta(days=60)
"""Of free time: what lies further off is planned when it comes nearer."""
_EXAM_WORDS = re.compile(
    r"\b(?:exams?|midterms?|mid-terms?|finals?|test|ex[áa]me(?:n|nes)|parcial(?:es)?|prueba|evaluaci[óo]n)\b",
    re.IGNORECASE,
)
_ABOUT_EXAMS = re.compile(
    r"\b(?:stud(?:y|ies|ying)|review|prep|prepare|practi[cs]e|sheet|guide|notes|flashcards|repas\w+|estudi\w+|gu[íi]a"
    r"|apuntes|preparar)\b",
    re.IGNORECASE,
)
"""Words of what is done for an exam, and is none."""
_USUAL = ((16, 19), (10, 17))
"""Hours of working days, and of weekends, that are offered where no calendar tells of free time."""
_SATURDAY = 5


class _ExamPart(StrEnum):
    DUE = "due"
    EVENTS = "events"
    FREE = "free"


_TOOLS = {
    _ExamPart.DUE: ("courses", result_contracts.ASSIGNMENTS),
    _ExamPart.EVENTS: ("calendar", result_contracts.EVENTS),
    _ExamPart.FREE: ("calendar", result_contracts.FREE_TIME),
}


@dataclass(frozen=True, kw_only=True)
class FoundExam:
    """Exam as a service tells of it. source: key by which it is known again. course: its name there, "" for none."""

    source: str
    title: str = field(repr=False)
    at: datetime
    course: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class FreeTime:
    """is_known: a calendar told of it; else these are usual hours, which the student looks over."""

    stretches: Sequence[FreeStretch]
    is_known: bool


def find_exams(gateway: ToolGatewayPort, student: Student, now: datetime) -> list[FoundExam]:
    """Exams of the next months, the next first. A service that fails is left out."""
    zone = ZoneInfo(student.timezone)
    today = now.astimezone(zone).date()
    span = {"start": today.isoformat(), "end": (today + AHEAD).isoformat()}
    asked: dict[_ExamPart, Json] = {
        _ExamPart.DUE: {"window": "range", "kind": "exam", **span},
        _ExamPart.EVENTS: span,
    }
    found: dict[_ExamPart, list[WeekEntry]] = {part: [] for part in _ExamPart}
    for part, tool, result in call_parts(gateway, student, _TOOLS, asked, asked_by=ASKED_BY):
        if result.success:
            found[part] += week_entries(tool, result, zone)
    due = [entry for entry in found[_ExamPart.DUE] if entry.is_exam and not entry.is_done and not entry.is_taught]
    events = [entry for entry in found[_ExamPart.EVENTS] if _is_exam(entry.title)]
    entries = [*due, *(event for event in without_duplicates(events, due) if not _is_told(event, due))]
    ahead = [entry for entry in entries if not entry.is_past(now.astimezone(zone)) and not entry.is_sample]
    exams = [_exam(entry, zone) for entry in sorted(ahead, key=lambda entry: entry.start)]
    return list({exam.source: exam for exam in exams}.values())


def _is_exam(title: str) -> bool:
    return _EXAM_WORDS.search(title) is not None and _ABOUT_EXAMS.search(title) is None


def _is_told(event: WeekEntry, due: Sequence[WeekEntry]) -> bool:
    """Whether a calendar's event is an exam that a course tells of, too."""
    return any(
        event.start.date() == work.start.date()
        and (work.title.casefold() in event.title.casefold() or event.title.casefold() in work.title.casefold())
        for work in due
    )


def _exam(entry: WeekEntry, zone: ZoneInfo) -> FoundExam:
    at = entry.start.replace(hour=9, minute=0) if entry.is_whole_day else entry.start
    return FoundExam(source=f"{entry.kind}:{entry.id}", title=entry.title, at=at.astimezone(zone), course=entry.course)


def find_free_time(gateway: ToolGatewayPort, student: Student, now: datetime, until: datetime) -> FreeTime:
    """Free stretches until a moment; usual hours where no calendar is connected or none answers."""
    zone = ZoneInfo(student.timezone)
    last = min(until, now + MOST_AHEAD)
    days = {"start": f"{now.astimezone(zone):%Y-%m-%d}", "end": f"{last.astimezone(zone):%Y-%m-%d}"}
    answers = call_parts(gateway, student, _TOOLS, {_ExamPart.FREE: {**days, "minutes": SHORTEST}}, asked_by=ASKED_BY)
    gaps = [gap for _, _, result in answers if is_there(result) and result.success for gap in free_gaps(result, zone)]
    is_known = any(result.success for _, _, result in answers)
    stretches = [FreeStretch(start=gap.start, end=gap.end) for gap in gaps] if is_known else _usual(now, last, zone)
    return FreeTime(stretches=stretches, is_known=is_known)


def _usual(now: datetime, last: datetime, zone: ZoneInfo) -> list[FreeStretch]:
    day, found = now.astimezone(zone), list[FreeStretch]()
    while day <= last:
        opens, closes = _USUAL[day.weekday() >= _SATURDAY]
        start = day.replace(hour=opens, minute=0, second=0, microsecond=0)
        found.append(FreeStretch(start=start, end=start.replace(hour=closes)))
        day += timedelta(days=1)
    return found

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
from services.week.course_tones import course_code
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
_COURSE_CODE = re.compile(r"\b([a-z]{2,5})[ -]?(\d{2,4}[a-z]?)\b")
_NO_SUBJECTS = frozenset({"room", "hall", "aula", "sala", "salon", "exam", "test", "part", "unit", "week", "final"})
_USUAL_WORDS = frozenset({"exam", "exams", "examen", "test", "the", "of", "de", "del", "in", "en", "for", "para"})
SAME_TIME = timedelta(minutes=90)
"""Two exams of one course do not begin within this."""
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
    # An exam of which a course and calendars tell is the course's, which knows most of it.
    ahead = [entry for entry in [*due, *events] if not entry.is_past(now.astimezone(zone)) and not entry.is_sample]
    exams: list[FoundExam] = []
    for entry in ahead:
        exam = _exam(entry, zone)
        if not any(is_same_exam(exam, other) for other in exams):
            exams.append(exam)
    return sorted(exams, key=lambda exam: exam.at)


def _is_exam(title: str) -> bool:
    return _EXAM_WORDS.search(title) is not None and _ABOUT_EXAMS.search(title) is None


def is_same_exam(exam: FoundExam, other: FoundExam) -> bool:
    """Whether both tell of one exam: of one day and, as far as they say, of one course, and named alike or at one time.

    Titles differ from service to service: "Midterm 2" of Canvas is "BIOL 201: midterm 2 (Halvorsen 112)" in a calendar.
    """
    if exam.source == other.source:
        return True
    is_same_course = _is_same_course(exam, other)
    if exam.at.date() != other.at.astimezone(exam.at.tzinfo).date() or is_same_course is False:
        return False
    words, others = _title_words(exam), _title_words(other)
    # Of three digits it is a room.
    numbers, other_numbers = ({word for word in each if word.isdigit() and len(word) < 3} for each in (words, others))
    if numbers and other_numbers and not numbers & other_numbers:
        return False
    return words <= others or others <= words or (bool(is_same_course) and abs(exam.at - other.at) <= SAME_TIME)


def _is_same_course(exam: FoundExam, other: FoundExam) -> bool | None:
    """None where one of them says nothing of its course that could be compared."""
    codes, other_codes = _course_codes(exam), _course_codes(other)
    if codes and other_codes:
        return bool(codes & other_codes)
    names = exam.course.casefold(), other.course.casefold()
    return names[0] == names[1] if all(names) else None


def _course_codes(exam: FoundExam) -> set[str]:
    """Codes of the courses that an exam names: {"biol201"}."""
    written = _COURSE_CODE.findall(f"{course_code(exam.course)} {exam.title}".casefold())
    return {f"{letters}{digits}" for letters, digits in written if letters not in _NO_SUBJECTS}


def _title_words(exam: FoundExam) -> set[str]:
    """Words of its title without the course's, and without those that every exam has."""
    title = exam.title.casefold().replace(course_code(exam.course).casefold(), " ")
    title = _COURSE_CODE.sub(lambda code: code[0] if code[1] in _NO_SUBJECTS else " ", title)
    return set(re.findall(r"\w+", title)) - _USUAL_WORDS


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

"""Tones of courses: which colour of the calendar each course of a student has, the same in every week."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from services.safety.text import one_line
from services.storage.store import Store
from services.week.week import WeekEntry

COLLECTION = "course_tones"
TONES = 10
"""Colours of `components/homeroom_calendar/homeroom_calendar/assets/calendar.css`."""
MOST_COURSES = 200
_ID = "courses"


def course_tones(store: Store, student_id: str, courses: Iterable[str]) -> Mapping[str, int]:
    """Tone of each of these courses, from 0 on. A new course gets the tone that fewest of these, and then fewest of all
    others, have; it is stored and stays. One read, and one write when there is a new course.
    """
    documents, wanted = store.for_student(student_id), sorted({one_line(course): course for course in courses}.items())
    known = known_tones(store, student_id)
    new = [name for name, _ in wanted if name not in known]
    for name in new:
        shown, ever = Counter(known[other] for other, _ in wanted if other in known), Counter(known.values())
        known[name] = min(range(TONES), key=lambda tone: (shown[tone], ever[tone], tone))
    if new:
        rows = [{"course": name, "tone": tone} for name, tone in known.items()][-MOST_COURSES:]
        documents.put(COLLECTION, {"id": _ID, "rows": rows})
    return {course: known[name] for name, course in wanted}


def known_tones(store: Store, student_id: str) -> dict[str, int]:
    """Tones of the student's courses, as they are; one read."""
    document = store.for_student(student_id).get(COLLECTION, _ID) or {"rows": []}
    return {row["course"]: row["tone"] for row in document["rows"]}


def tone_of(entry: WeekEntry, tones: Mapping[str, int]) -> int | None:
    """Tone of an entry's course, which a class in the calendar names in its title; None for what is of no course."""
    if entry.course:
        return tones.get(entry.course)
    codes = ((course_code(course), tone) for course, tone in tones.items())
    return next((tone for code, tone in codes if code and _names(entry.title, code)), None)


def course_code(course: str) -> str:
    """Course as students say it: "BIOL 201" of "BIOL 201: Cell Biology"."""
    return course.partition(":")[0].strip()


def _names(title: str, code: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(code)}(?!\w)", title, re.IGNORECASE) is not None

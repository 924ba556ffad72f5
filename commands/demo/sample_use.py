"""Sample use of a demo's class: figures of the weeks before, as if the class had been there since."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from services.classes.figures.counted_answer import CountedAnswer
from services.classes.figures.disclosure import LEAST_GROUP
from services.classes.figures.figure_week import week_of
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.identity.students import Student
from services.materials.material import Material
from services.runtime.clock import utc_now
from services.wiring.container import ServiceContainer

WEEKS = 3
MOST_ANSWERS = 4
"""Of one student and week."""
TOPICS = ("courses", "courses", "courses", "study", "study", "calendar", "notes", "planner")
HOURS_UTC = (15, 17, 20, 22, 25, 27)
"""Of a school's day in America/Chicago, the evening too."""
MICROS = 9_000
"""What an answer costs at least, in millionths of a dollar; at most twice as much."""
PAGES = 3
"""Of the material, from its first one: those that are asked about."""


class SetClock:
    """Clock that can be set back, so that what is written is of another day."""

    def __init__(self) -> None:
        self._behind = timedelta(0)

    def __call__(self) -> datetime:
        return utc_now() - self._behind

    def set(self, now: datetime) -> None:
        """Make it this time."""
        self._behind = utc_now() - now

    def go_on(self) -> None:
        """Make it the true time again."""
        self._behind = timedelta(0)


def write_figures(
    services: ServiceContainer,
    clock: SetClock,
    school_class: SchoolClass,
    students: Sequence[Student],
    material: Material,
) -> None:
    """Let the students ask in the last weeks, make the figures of these, and let them leave as if they never came."""
    classroom = services.classroom
    for student in students:
        classroom.memberships.join(student, school_class.join_code)
    # Figures name a material as so many have it in their libraries.
    for student in students[:LEAST_GROUP]:
        with suppress(HomeroomError):
            services.materials.courses(student)
            services.materials.materials(student, material.course_key)
    monday = week_of(utc_now().date()).monday
    for week in range(1, WEEKS + 1):
        for student in students:
            seed = f"{student.email}/{week}"
            for number in range(_drawn(seed, MOST_ANSWERS + 1)):
                clock.set(_time_of(f"{seed}/{number}", monday - timedelta(weeks=week)))
                answer = _answer(f"{seed}/{number}", material)
                classroom.figure_counters.record(student, school_class.id, answer)
    clock.go_on()
    classroom.figures.close_due()
    for student in students:
        classroom.memberships.leave(student, school_class.id)


def _time_of(seed: str, monday: date) -> datetime:
    hour = HOURS_UTC[_drawn(f"{seed}/hour", len(HOURS_UTC))]
    return datetime.combine(monday, time(), UTC) + timedelta(days=_drawn(f"{seed}/day", 5), hours=hour)


def _answer(seed: str, material: Material) -> CountedAnswer:
    is_cited = _drawn(f"{seed}/cites", 2) == 0
    return CountedAnswer(
        is_question=True,
        contexts=(TOPICS[_drawn(f"{seed}/topic", len(TOPICS))],),
        pages=((material.id, 1 + _drawn(f"{seed}/page", PAGES)),) if is_cited else (),
        micros=MICROS + _drawn(f"{seed}/cost", MICROS),
    )


def _drawn(seed: str, count: int) -> int:
    """A number below `count`, the same for the same seed."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big") % count

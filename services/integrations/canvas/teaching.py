"""Courses that the asker teaches: what is due there and what waits for a grade; nothing there is theirs to hand in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from services.i18n.english import count
from services.integrations.canvas import assignment_queries
from services.integrations.canvas.assignment_queries import Found
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course, read_courses
from services.integrations.canvas.date_ranges import Period, Window

_SHOWN_IN = (Window.UPCOMING, Window.RANGE, Window.PAST, Window.ALL, Window.WAITING)
_MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Teaching:
    """courses: those that the asker teaches, of all or of those that are meant. takes_others: whether they take any."""

    courses: tuple[Course, ...] = ()
    takes_others: bool = True
    ids: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", frozenset(course.id for course in self.courses))

    @property
    def names(self) -> str:
        named = [course.name for course in self.courses[:_MOST_NAMED]]
        more = len(self.courses) - len(named)
        return ", ".join(named) + (f" and {more} more" if more else "")

    def work(self, client: CanvasClient, window: Window, now: datetime, search: str = "") -> Found:
        """What may belong to a window; a request for each course."""
        if window not in _SHOWN_IN or not self.courses:
            return Found(items=[], notes=[])
        return assignment_queries.of_courses(client, self.courses, now, search)

    def remark(self) -> str:
        """A line for those who may think that the courses they teach were looked at for work of their own."""
        return f"You teach {self.names}: nothing there is yours to hand in." if self.courses else ""


def teaching_of(client: CanvasClient, courses: Sequence[Course]) -> Teaching:
    """Of these courses, or of all active ones where none are given."""
    known = courses or read_courses(client.taught(), client.origin)[0]
    taught = tuple(course for course in known if course.is_taught)
    return Teaching(courses=taught, takes_others=not taught or len(taught) < len(known))


def is_shown(assignment: Assignment, window: Window, period: Period | None) -> bool:
    """Whether the work of a taught course belongs to a window; what waits is what there is to grade."""
    if window is Window.WAITING:
        return bool(assignment.to_grade)
    if assignment.due_at is None:
        return period is None or bool(assignment.due_text)
    return period is None or period.contains(assignment.due_at)


def to_grade(found: Sequence[Assignment]) -> str:
    """How much waits for a grade in these."""
    waiting = sum(assignment.to_grade or 0 for assignment in found)
    return f"{count(waiting, 'submission')} to grade" if waiting else "nothing to grade"

"""Queries for assignments, of students and of those who teach, with as few requests as each question allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.i18n.english import count
from services.integrations.canvas.access import course_members, gap_notes
from services.integrations.canvas.assignment_details import remark_of
from services.integrations.canvas.assignment_kinds import AssignmentKind
from services.integrations.canvas.assignments import Assignment, from_assignment, from_planner, from_taught_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course, read_courses
from services.integrations.canvas.date_ranges import DateRange, WorkWindow
from services.integrations.canvas.payloads import Json, is_id, number_of, object_of, read_rows, safe_line
from services.integrations.kit.name_matcher import contains_words
from services.safety.html import html_to_text

_LONGEST_SEARCHED = 20_000
CourseLoader = Callable[[], Sequence[Course]]
_TAUGHT_WINDOWS = (WorkWindow.UPCOMING, WorkWindow.RANGE, WorkWindow.PAST, WorkWindow.ALL, WorkWindow.WAITING)
_MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class AssignmentList:
    """Assignments, and a note for everything that is missing from them."""

    items: list[Assignment]
    notes: list[str]


def assignments_due_in(
    client: CanvasClient, period: DateRange, courses: Sequence[Course], now: datetime, load_courses: CourseLoader
) -> AssignmentList:
    """List what is due in a period, peer reviews included, of all courses or of these: one request.

    Where the planner is closed to us, each course is read by itself; `load_courses` then says which.
    """
    try:
        rows = client.planner_items(period.start, period.end, [course.id for course in courses])
    except PermissionMissing:
        found = assignments_of_courses(client, courses or load_courses(), now)
        due = [assignment for assignment in found.items if assignment.due_at and period.contains(assignment.due_at)]
        return AssignmentList(items=due, notes=found.notes)
    items, note = read_rows(rows, lambda row: from_planner(row, origin=client.origin, now=now))
    inside = [assignment for assignment in items if assignment.due_at is None or period.contains(assignment.due_at)]
    return AssignmentList(items=inside, notes=[note])


def with_time_limits(client: CanvasClient, items: Sequence[Assignment]) -> list[Assignment]:
    """Add the time limit to each open quiz, where Canvas shows one: a request for each course with open quizzes."""
    quizzes = [item for item in items if item.quiz_id and item.minutes and item.kind is AssignmentKind.QUIZ]
    rows, _ = client.try_each(list(dict.fromkeys(item.course_id for item in quizzes)), client.quizzes)
    limits = {
        row.get("id"): int(number_of(row.get("time_limit")) or 0)
        for listed in rows
        for row in listed
        if is_id(row.get("id"))
    }
    return [
        replace(item, time_limit=limits[item.quiz_id]) if item in quizzes and limits.get(item.quiz_id, 0) > 0 else item
        for item in items
    ]


def overdue_assignments(
    client: CanvasClient, courses: Sequence[Course], now: datetime, load_courses: CourseLoader
) -> AssignmentList:
    """List what is past due and not handed in: one request, or one for each course where that list is closed to us."""
    ids = {course.id for course in courses}
    try:
        rows = client.missing_submissions()
    except PermissionMissing:
        found = assignments_of_courses(client, courses or load_courses(), now)
        missing = [assignment for assignment in found.items if assignment.is_missing]
        return AssignmentList(items=missing, notes=found.notes)

    def read(row: Json) -> Assignment:
        row = {**row, "submission": {"missing": True}}
        course = safe_line(object_of(row.get("course")).get("name"))
        return from_assignment(row, course=course, origin=client.origin, now=now)

    items, note = read_rows([row for row in rows if not ids or row.get("course_id") in ids], read)
    return AssignmentList(items=items, notes=[note])


def assignments_of_courses(
    client: CanvasClient, courses: Sequence[Course], now: datetime, search: str = ""
) -> AssignmentList:
    """List every assignment of these courses: one request for a hundred assignments of ten courses.

    search: words in title or instructions. A course that the list leaves out costs a request of its own.
    """

    def read(course: Course) -> tuple[list[Assignment], str]:
        rows = listed[course.id] if course.id in listed else client.assignments(course.id)
        fitting = [row for row in rows if not search or _is_about(row, search)]
        told = from_taught_assignment if course.is_taught else from_assignment
        return read_rows(fitting, lambda row: told(row, course=course.name, origin=client.origin, now=now))

    own = [course for course in courses if not course.is_taught]
    listed = assignments_in_one_list(client, own) if len(own) > 1 else {}
    return _read_all(client, courses, read, "The assignments")


def assignments_in_one_list(client: CanvasClient, courses: Sequence[Course]) -> dict[int, list[Json]]:
    """Read the assignments of several courses in one list, by course, without courses it is unreliable for.

    A course without rows may be one that Canvas hides there, and rows without submissions would all read as open.
    """
    try:
        rows = client.assignments_of([course.id for course in courses])
    except (PermissionMissing, ItemNotFound, RequestRefused):
        return {}
    by_course: dict[int, list[Json]] = {}
    for row in rows:
        if is_id(row.get("course_id")):
            by_course.setdefault(int(row["course_id"]), []).append(row)
    return {id: listed for id, listed in by_course.items() if any(object_of(row.get("submission")) for row in listed)}


def graded_assignments(
    client: CanvasClient, courses: Sequence[Course], since: datetime, now: datetime
) -> AssignmentList:
    """List what was graded since then, with the teacher's last comment: one request for each course."""

    courses = [course for course in courses if not course.is_taught]

    def read(course: Course) -> tuple[list[Assignment], str]:
        people = course_members(course)

        def read_row(row: Json) -> Assignment | None:
            row = {**object_of(row.get("assignment")), "submission": row}
            remark = remark_of(row["submission"], people)
            return from_assignment(row, course=course.name, origin=client.origin, now=now, remark=remark)

        return read_rows(client.graded_submissions(course.id, since), read_row)

    return _read_all(client, courses, read, "The grades")


def _read_all(
    client: CanvasClient, courses: Sequence[Course], read: Callable[[Course], tuple[list[Assignment], str]], what: str
) -> AssignmentList:
    parts, gaps = client.read_each(courses, read)
    notes = [*dict.fromkeys(note for _, note in parts if note), *gap_notes(gaps, what)]
    return AssignmentList(items=[assignment for assignments, _ in parts for assignment in assignments], notes=notes)


def _is_about(row: Json, search: str) -> bool:
    title, description = safe_line(row.get("name")), row.get("description")
    text = html_to_text(description, limit=_LONGEST_SEARCHED) if isinstance(description, str) else ""
    return contains_words(title, search) or contains_words(f"{title} {text}", search, typos=False)


@dataclass(frozen=True, kw_only=True)
class TaughtCourses:
    """Courses that the user teaches: nothing there is theirs to hand in. takes_others: they also take courses."""

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

    def list_assignments(
        self, client: CanvasClient, window: WorkWindow, now: datetime, search: str = ""
    ) -> AssignmentList:
        """List the assignments that may belong to a window; one request for each course."""
        if window not in _TAUGHT_WINDOWS or not self.courses:
            return AssignmentList(items=[], notes=[])
        return assignments_of_courses(client, self.courses, now, search)

    def remark(self) -> str:
        """Remark that the taught courses were not searched for work of their own; "" when they teach none."""
        return f"The student teaches {self.names}: nothing there is theirs to hand in." if self.courses else ""


def taught_courses(client: CanvasClient, courses: Sequence[Course]) -> TaughtCourses:
    """Select the taught courses among these, or among all active ones when none are given."""
    known = courses or read_courses(client.taught_courses(), client.origin)[0]
    taught = tuple(course for course in known if course.is_taught)
    return TaughtCourses(courses=taught, takes_others=not taught or len(taught) < len(known))


def is_in_taught_window(assignment: Assignment, window: WorkWindow, period: DateRange | None) -> bool:
    """Check whether an assignment of a taught course belongs to a window; "waiting" means work to grade."""
    if window is WorkWindow.WAITING:
        return bool(assignment.to_grade)
    if assignment.due_at is None:
        return period is None or bool(assignment.due_text)
    return period is None or period.contains(assignment.due_at)


def to_grade_text(found: Sequence[Assignment]) -> str:
    """Count the submissions that wait for a grade."""
    waiting = sum(assignment.to_grade or 0 for assignment in found)
    return f"{count(waiting, 'submission')} to grade" if waiting else "nothing to grade"

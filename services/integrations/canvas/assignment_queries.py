"""Finding a student's work in Canvas with as few requests as each question allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.i18n.english import count
from services.integrations.canvas.access import course_members, gap_notes
from services.integrations.canvas.assignment_details import remark_of
from services.integrations.canvas.assignments import Assignment, from_assignment, from_planner, from_taught_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course, read_courses
from services.integrations.canvas.date_ranges import AssignmentWindow, DateRange
from services.integrations.canvas.name_matching import contains_words
from services.integrations.canvas.payloads import Json, is_id, object_of, read_rows, safe_line
from services.safety.html import to_text

_LONGEST_SEARCHED = 20_000
AllCourses = Callable[[], Sequence[Course]]


@dataclass(frozen=True, kw_only=True)
class AssignmentList:
    """Work, and a line for everything that is missing from it."""

    items: list[Assignment]
    notes: list[str]


def assignments_due_in(
    client: CanvasClient, period: DateRange, courses: Sequence[Course], now: datetime, everything: AllCourses
) -> AssignmentList:
    """What is due in a period, peer reviews too, over all courses or these: one request.

    Where the planner is closed to us, the courses one by one; `everything` then says which.
    """
    try:
        rows = client.planner_items(period.start, period.end, [course.id for course in courses])
    except PermissionMissing:
        found = assignments_of_courses(client, courses or everything(), now)
        return AssignmentList(
            items=[
                assignment for assignment in found.items if assignment.due_at and period.contains(assignment.due_at)
            ],
            notes=found.notes,
        )
    items, note = read_rows(rows, lambda row: from_planner(row, origin=client.origin, now=now))
    inside = [assignment for assignment in items if assignment.due_at is None or period.contains(assignment.due_at)]
    return AssignmentList(items=inside, notes=[note])


def overdue_assignments(
    client: CanvasClient, courses: Sequence[Course], now: datetime, everything: AllCourses
) -> AssignmentList:
    """What is past due and not handed in: one request, or the courses one by one where that is closed to us."""
    ids = {course.id for course in courses}
    try:
        rows = client.missing_submissions()
    except PermissionMissing:
        found = assignments_of_courses(client, courses or everything(), now)
        return AssignmentList(
            items=[assignment for assignment in found.items if assignment.is_missing], notes=found.notes
        )
    missing = [{**row, "submission": {"missing": True}} for row in rows if not ids or row.get("course_id") in ids]
    items, note = read_rows(
        missing, lambda row: from_assignment(row, course=_course_name(row), origin=client.origin, now=now)
    )
    return AssignmentList(items=items, notes=[note])


def assignments_of_courses(
    client: CanvasClient, courses: Sequence[Course], now: datetime, search: str = ""
) -> AssignmentList:
    """Every assignment of these courses: a request for a hundred of ten courses. search: in title or instructions.

    A course that this does not answer for costs a request of its own.
    """

    def read(course: Course) -> tuple[list[Assignment], str]:
        rows = listed[course.id] if course.id in listed else client.assignments(course.id)
        fitting = [row for row in rows if not search or _is_about(row, search)]
        told = from_taught_assignment if course.is_taught else from_assignment
        return read_rows(fitting, lambda row: told(row, course=course.name, origin=client.origin, now=now))

    own = [course for course in courses if not course.is_taught]
    listed = assignments_in_one_list(client, own) if len(own) > 1 else {}
    return _joined(client, courses, read, "The assignments")


def assignments_in_one_list(client: CanvasClient, courses: Sequence[Course]) -> dict[int, list[Json]]:
    """The assignments of those courses for which one list for all can be relied on, by course.

    A course without any may be one that Canvas keeps to itself, and rows without submissions would all read as open.
    """
    try:
        rows = client.work_of([course.id for course in courses])
    except (PermissionMissing, ItemNotFound, RequestRefused):
        return {}
    by_course: dict[int, list[Json]] = {}
    for row in rows:
        if is_id(row.get("course_id")):
            by_course.setdefault(int(row["course_id"]), []).append(row)
    return {id: some for id, some in by_course.items() if any(object_of(row.get("submission")) for row in some)}


def graded_assignments(
    client: CanvasClient, courses: Sequence[Course], since: datetime, now: datetime
) -> AssignmentList:
    """What was graded since then, with the teacher's last comment: one request for each course."""

    courses = [course for course in courses if not course.is_taught]

    def read(course: Course) -> tuple[list[Assignment], str]:
        people = course_members(course)

        def read_row(row: Json) -> Assignment | None:
            row = {**object_of(row.get("assignment")), "submission": row}
            remark = remark_of(row["submission"], people)
            return from_assignment(row, course=course.name, origin=client.origin, now=now, remark=remark)

        return read_rows(client.graded(course.id, since), read_row)

    return _joined(client, courses, read, "The grades")


def _joined(
    client: CanvasClient, courses: Sequence[Course], read: Callable[[Course], tuple[list[Assignment], str]], what: str
) -> AssignmentList:
    parts, gaps = client.each(courses, read)
    notes = [*dict.fromkeys(note for _, note in parts if note), *gap_notes(gaps, what)]
    return AssignmentList(items=[assignment for assignments, _ in parts for assignment in assignments], notes=notes)


def _is_about(row: Json, search: str) -> bool:
    title, description = safe_line(row.get("name")), row.get("description")
    text = to_text(description, limit=_LONGEST_SEARCHED) if isinstance(description, str) else ""
    return contains_words(title, search) or contains_words(f"{title} {text}", search, typos=False)


def _course_name(row: Json) -> str:
    return safe_line(object_of(row.get("course")).get("name"))


_SHOWN_IN = (
    AssignmentWindow.UPCOMING,
    AssignmentWindow.RANGE,
    AssignmentWindow.PAST,
    AssignmentWindow.ALL,
    AssignmentWindow.WAITING,
)


_MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class TaughtCourses:
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

    def work(self, client: CanvasClient, window: AssignmentWindow, now: datetime, search: str = "") -> AssignmentList:
        """What may belong to a window; a request for each course."""
        if window not in _SHOWN_IN or not self.courses:
            return AssignmentList(items=[], notes=[])
        return assignments_of_courses(client, self.courses, now, search)

    def remark(self) -> str:
        """A line for those who may think that the courses they teach were looked at for work of their own."""
        return f"You teach {self.names}: nothing there is yours to hand in." if self.courses else ""


def taught_courses(client: CanvasClient, courses: Sequence[Course]) -> TaughtCourses:
    """Of these courses, or of all active ones where none are given."""
    known = courses or read_courses(client.taught(), client.origin)[0]
    taught = tuple(course for course in known if course.is_taught)
    return TaughtCourses(courses=taught, takes_others=not taught or len(taught) < len(known))


def taught_work_belongs(assignment: Assignment, window: AssignmentWindow, period: DateRange | None) -> bool:
    """Whether the work of a taught course belongs to a window; what waits is what there is to grade."""
    if window is AssignmentWindow.WAITING:
        return bool(assignment.to_grade)
    if assignment.due_at is None:
        return period is None or bool(assignment.due_text)
    return period is None or period.contains(assignment.due_at)


def to_grade_text(found: Sequence[Assignment]) -> str:
    """How much waits for a grade in these."""
    waiting = sum(assignment.to_grade or 0 for assignment in found)
    return f"{count(waiting, 'submission')} to grade" if waiting else "nothing to grade"

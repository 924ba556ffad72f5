"""Finding a student's work in Canvas with as few requests as each question allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.integrations.canvas.access import gap_notes, members
from services.integrations.canvas.assignments import Assignment, from_assignment, from_planner, taught
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.date_ranges import Period
from services.integrations.canvas.feedback import remark_of
from services.integrations.canvas.name_matching import contains
from services.integrations.canvas.payloads import Json, flat, is_id, part, read_rows
from services.safety.html import to_text

_LONGEST_SEARCHED = 20_000
AllCourses = Callable[[], Sequence[Course]]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Work, and a line for everything that is missing from it."""

    items: list[Assignment]
    notes: list[str]


def planned(
    client: CanvasClient, period: Period, courses: Sequence[Course], now: datetime, everything: AllCourses
) -> Found:
    """What is due in a period, peer reviews too, over all courses or these: one request.

    Where the planner is closed to us, the courses one by one; `everything` then says which.
    """
    try:
        rows = client.planner_items(period.start, period.end, [course.id for course in courses])
    except PermissionMissing:
        found = of_courses(client, courses or everything(), now)
        return Found(
            items=[
                assignment for assignment in found.items if assignment.due_at and period.contains(assignment.due_at)
            ],
            notes=found.notes,
        )
    items, note = read_rows(rows, lambda row: from_planner(row, origin=client.origin, now=now))
    inside = [assignment for assignment in items if assignment.due_at is None or period.contains(assignment.due_at)]
    return Found(items=inside, notes=[note])


def overdue(client: CanvasClient, courses: Sequence[Course], now: datetime, everything: AllCourses) -> Found:
    """What is past due and not handed in: one request, or the courses one by one where that is closed to us."""
    ids = {course.id for course in courses}
    try:
        rows = client.missing_submissions()
    except PermissionMissing:
        found = of_courses(client, courses or everything(), now)
        return Found(items=[assignment for assignment in found.items if assignment.is_missing], notes=found.notes)
    missing = [{**row, "submission": {"missing": True}} for row in rows if not ids or row.get("course_id") in ids]
    items, note = read_rows(
        missing, lambda row: from_assignment(row, course=_course_name(row), origin=client.origin, now=now)
    )
    return Found(items=items, notes=[note])


def of_courses(client: CanvasClient, courses: Sequence[Course], now: datetime, search: str = "") -> Found:
    """Every assignment of these courses: a request for a hundred of ten courses. search: in title or instructions.

    A course that this does not answer for costs a request of its own.
    """

    def read(course: Course) -> tuple[list[Assignment], str]:
        rows = listed[course.id] if course.id in listed else client.assignments(course.id)
        fitting = [row for row in rows if not search or _is_about(row, search)]
        told = taught if course.is_taught else from_assignment
        return read_rows(fitting, lambda row: told(row, course=course.name, origin=client.origin, now=now))

    own = [course for course in courses if not course.is_taught]
    listed = together(client, own) if len(own) > 1 else {}
    return _joined(client, courses, read, "The assignments")


def together(client: CanvasClient, courses: Sequence[Course]) -> dict[int, list[Json]]:
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
    return {id: some for id, some in by_course.items() if any(part(row.get("submission")) for row in some)}


def graded(client: CanvasClient, courses: Sequence[Course], since: datetime, now: datetime) -> Found:
    """What was graded since then, with the teacher's last comment: one request for each course."""

    courses = [course for course in courses if not course.is_taught]

    def read(course: Course) -> tuple[list[Assignment], str]:
        people = members(course)

        def read_row(row: Json) -> Assignment | None:
            row = {**part(row.get("assignment")), "submission": row}
            remark = remark_of(row["submission"], people)
            return from_assignment(row, course=course.name, origin=client.origin, now=now, remark=remark)

        return read_rows(client.graded(course.id, since), read_row)

    return _joined(client, courses, read, "The grades")


def _joined(
    client: CanvasClient, courses: Sequence[Course], read: Callable[[Course], tuple[list[Assignment], str]], what: str
) -> Found:
    parts, gaps = client.each(courses, read)
    notes = [*dict.fromkeys(note for _, note in parts if note), *gap_notes(gaps, what)]
    return Found(items=[assignment for assignments, _ in parts for assignment in assignments], notes=notes)


def _is_about(row: Json, search: str) -> bool:
    title, description = flat(row.get("name")), row.get("description")
    text = to_text(description, limit=_LONGEST_SEARCHED) if isinstance(description, str) else ""
    return contains(title, search) or contains(f"{title} {text}", search, typos=False)


def _course_name(row: Json) -> str:
    return flat(part(row.get("course")).get("name"))

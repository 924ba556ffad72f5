"""Open quizzes of Canvas: those that this student can take for a grade now."""

from collections.abc import Sequence
from datetime import datetime

from services.errors import ItemNotFound, PermissionMissing
from services.integrations.canvas.assignment_kinds import AssignmentKind
from services.integrations.canvas.assignments import from_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.locks import is_published, lock_reason
from services.integrations.canvas.materials.rows import html_of, is_quiz, parse_course_key
from services.integrations.canvas.payloads import Row, read_time, texts_of
from services.runtime.clock import utc_now
from services.safety.field_log import field_log
from services.safety.html import html_to_text
from services.study.generation.open_quizzes import OpenQuiz

_TOTAL_S = 15.0
_LONGEST = 40_000
_ON_PAPER = frozenset({"none", "on_paper", "not_graded"})


def open_quizzes(client: CanvasClient, course_key: str) -> Sequence[OpenQuiz]:
    """List the quizzes of a course, or of all that the student takes (""), that are open for them and not handed in.

    One request for each course, and one for the courses. A course that is closed to the student has none.
    https://developerdocs.instructure.com/services/canvas/resources/assignments
    """
    now = utc_now()
    with field_log():
        requests = client.successor(MaterialsClient, total_s=_TOTAL_S)
        rows = requests.map_each(_course_ids(requests, course_key), lambda id: _assignments(requests, id))
        return [_read(row, client.origin, now) for course in rows for row in course if is_open(row, client.origin, now)]


def _course_ids(client: CanvasClient, course_key: str) -> list[int]:
    if course_key:
        try:
            return [parse_course_key(course_key)]
        except ItemNotFound:
            # A shelf of the student's own: what they put there may be of any course.
            pass
    courses, _ = read_courses(client.courses(), client.origin)
    return [course.id for course in courses if not course.is_taught]


def _assignments(client: MaterialsClient, course_id: int) -> Sequence[Row]:
    try:
        return client.assignment_texts(course_id, with_submissions=True)
    except (ItemNotFound, PermissionMissing):
        return []


def is_open(row: Row, origin: str, now: datetime) -> bool:
    """Whether it is a quiz that can be taken now: unlocked, not closed, and neither handed in nor past its due date,
    unless Canvas still takes it late.
    """
    work = from_assignment(row, course="", origin=origin, now=now)
    types = set(texts_of(row.get("submission_types")))
    if not (is_quiz(row) or work.kind is AssignmentKind.QUIZ) or (types and types <= _ON_PAPER):
        return False
    if not is_published(row) or lock_reason(row, now) or work.is_closed or work.is_handed_in:
        return False
    closes_at, _ = read_time(row.get("lock_at"))
    return work.due_at is None or work.due_at > now or (closes_at is not None and closes_at > now)


def _read(row: Row, origin: str, now: datetime) -> OpenQuiz:
    work = from_assignment(row, course="", origin=origin, now=now)
    closes_at, _ = read_time(row.get("lock_at"))
    return OpenQuiz(
        title=work.title,
        text=html_to_text(html_of(row, "description"), limit=_LONGEST),
        material_id=f"canvas-{work.course_id}.assignment-{work.id}",
        closes_at=closes_at or work.due_at,
    )

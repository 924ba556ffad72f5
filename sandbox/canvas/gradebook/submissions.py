"""Submissions (Canvas API: Submissions): a student sees their own, a teacher everyone's."""

from sandbox.canvas.answers import not_allowed, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.assignments import assignment_json
from sandbox.canvas.gradebook.submission_json import submission_json
from sandbox.canvas.school import Row, moment

INCLUDE = (
    "submission_history",
    "submission_comments",
    "submission_html_comments",
    "rubric_assessment",
    "full_rubric_assessment",
    "assignment",
    "total_scores",
    "visibility",
    "course",
    "user",
    "group",
    "read_status",
    "student_entered_score",
)


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    listing: dict[str, tuple[str, ...] | None] = {
        "student_ids": None,
        "assignment_ids": None,
        "grouped": None,
        "post_to_sis": None,
        "submitted_since": None,
        "graded_since": None,
        "grading_period_id": None,
        "workflow_state": ("submitted", "unsubmitted", "graded", "pending_review"),
        "enrollment_state": ("active", "concluded"),
        "state_based_on_date": None,
        "order": ("id", "graded_at"),
        "order_direction": ("ascending", "descending"),
        "include": INCLUDE,
    }
    return [
        Endpoint(path="/courses/{course_id}/students/submissions", read=list_submissions, parameters=listing),
        Endpoint(
            path="/courses/{course_id}/assignments/{assignment_id}/submissions/{user_id}",
            read=show_submission,
            parameters={"include": INCLUDE},
        ),
    ]


def list_submissions(call: Call) -> list[Row]:
    """Submissions of the asker, or of the students that a teacher names."""
    course = call.course()
    students = _students(call, course["id"])
    wanted = call.values("assignment_ids")
    assignments = [row for row in call.school.assignments(course["id"]) if not wanted or str(row["id"]) in wanted]
    by_student = {student: [_full(call, row, student) for row in assignments] for student in students}
    if call.flag("grouped"):
        return [
            {"user_id": student, "section_id": course["id"], "submissions": _filtered(call, rows)}
            for student, rows in by_student.items()
        ]
    return _filtered(call, [row for rows in by_student.values() for row in rows])


def show_submission(call: Call) -> Row:
    """One student's submission for one assignment."""
    assignment = call.assignment()
    number = str(call.user_id) if call.is_self(call.path("user_id")) else call.path("user_id")
    if number != str(call.user_id) and not call.is_teacher_of(assignment["course_id"]):
        raise not_allowed()
    if not call.school.enrollments(course_id=assignment["course_id"], user_id=int(number) if number.isdecimal() else 0):
        raise not_found()
    return _full(call, assignment, int(number))


def _full(call: Call, assignment: Row, user_id: int) -> Row:
    answer = submission_json(call, assignment, user_id)
    if call.includes("submission_comments"):
        answer["submission_comments"] = _comments(call, assignment, call.school.submission(assignment["id"], user_id))
    row = call.school.submission(assignment["id"], user_id)
    if call.includes("rubric_assessment") and row and row["rubric_assessment"]:
        answer["rubric_assessment"] = row["rubric_assessment"]
    if call.includes("assignment"):
        answer["assignment"] = assignment_json(call, assignment)
    return answer


def _comments(call: Call, assignment: Row, row: Row | None) -> list[Row]:
    course = call.school.course(assignment["course_id"])
    teacher = call.school.user(course["teacher_id"]) if course else None
    if row is None or teacher is None:
        return []
    said = [(teacher, row["comment"])] if row["comment"] else []
    said += [(author, text) for number, text in row["peer_comments"] if (author := call.school.user(number))]
    return [
        {
            "id": row["id"] * 10 + index,
            "comment": text,
            "created_at": row["graded_at"] or row["submitted_at"],
            "author_id": author["id"],
            "author_name": author["name"],
            "author": {"id": author["id"], "display_name": author["name"]},
            "attempt": row["attempt"],
        }
        for index, (author, text) in enumerate(said)
    ]


def _students(call: Call, course_id: int) -> list[int]:
    enrolled = [row["user_id"] for row in call.school.enrollments(course_id=course_id, type="StudentEnrollment")]
    wanted = call.values("student_ids")
    if call.is_teacher_of(course_id):
        return [number for number in enrolled if "all" in wanted or str(number) in wanted]
    if any(number != "all" and not call.is_self(number) for number in wanted):
        raise not_allowed()
    return [call.user_id]


def _filtered(call: Call, rows: list[Row]) -> list[Row]:
    if state := call.value("workflow_state"):
        rows = [row for row in rows if row["workflow_state"] == state]
    for name, field in (("submitted_since", "submitted_at"), ("graded_since", "graded_at")):
        if since := call.moment(name):
            rows = [row for row in rows if row[field] and moment(row[field]) >= since]
    if call.value("order") == "graded_at":
        rows = sorted(rows, key=lambda row: row["graded_at"] or "")
    return rows[::-1] if call.value("order_direction") == "descending" else rows

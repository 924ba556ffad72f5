"""A course's quizzes (Canvas API: Quizzes); nothing but these tells their time limits."""

from sandbox.canvas.answers import not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.assignments import lock_json
from sandbox.canvas.school import Row


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    return [
        Endpoint(path="/courses/{course_id}/quizzes", read=list_quizzes, parameters={"search_term": None}),
        Endpoint(path="/courses/{course_id}/quizzes/{quiz_id}", read=show_quiz),
    ]


def list_quizzes(call: Call) -> list[Row]:
    """A course's quizzes whose title has the words of `search_term`."""
    words = (call.value("search_term") or "").lower()
    rows = [row for row in call.school.assignments(call.course()["id"]) if row["quiz_id"]]
    return [_quiz_json(call, row) for row in rows if words in row["name"].lower()]


def show_quiz(call: Call) -> Row:
    """One quiz of a course; raises Refused (404) for any other."""
    id = call.path("quiz_id")
    quizzes = (row for row in call.school.assignments(call.course()["id"]) if row["quiz_id"])
    row = next((row for row in quizzes if str(row["quiz_id"]) == id), None)
    if row is None:
        raise not_found()
    return _quiz_json(call, row)


def _quiz_json(call: Call, row: Row) -> Row:
    """A quiz as a student sees it; the time limit is in minutes, or null."""
    return {
        "id": row["quiz_id"],
        "title": row["name"],
        "html_url": f"{call.school.web}/courses/{row['course_id']}/quizzes/{row['quiz_id']}",
        "description": call.school.html(row["description"]),
        "quiz_type": "assignment",
        "assignment_id": row["id"],
        "assignment_group_id": row["group_id"],
        "time_limit": row["time_limit"],
        "allowed_attempts": row["allowed_attempts"],
        "points_possible": float(row["points_possible"]),
        "due_at": row["due_at"],
        "lock_at": row["lock_at"],
        "unlock_at": row["unlock_at"],
        "published": True,
        **lock_json(call, row),
    }

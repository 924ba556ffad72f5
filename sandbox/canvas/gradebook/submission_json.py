"""A submission as Canvas writes it; the same in lists of submissions and inside assignments."""

from datetime import timedelta

from sandbox.canvas.api import Call
from sandbox.canvas.school import Row, is_late, moment

TYPES = {
    "online_upload": "online_upload",
    "online_text_entry": "online_text_entry",
    "online_url": "online_url",
    "online_quiz": "online_quiz",
    "discussion_topic": "discussion_topic",
    "external_tool": "basic_lti_launch",
}


def submission_json(call: Call, assignment: Row, user_id: int) -> Row:
    """A submission; Canvas has one for every student, "unsubmitted" until something is handed in."""
    row = call.school.submission(assignment["id"], user_id)
    web = f"{call.school.web}/courses/{assignment['course_id']}/assignments/{assignment['id']}"
    return {
        "id": assignment["id"] * 10000 + user_id,
        "user_id": user_id,
        "assignment_id": assignment["id"],
        "workflow_state": "unsubmitted",
        "submitted_at": None,
        "submission_type": None,
        "attempt": None,
        "score": None,
        "grade": None,
        "entered_score": None,
        "entered_grade": None,
        "graded_at": None,
        "grader_id": None,
        "posted_at": None,
        "excused": False,
        "late": False,
        "missing": call.school.is_missing(assignment, row),
        "late_policy_status": None,
        "points_deducted": None,
        "seconds_late": 0,
        "grade_matches_current_submission": True,
        "body": None,
        "url": None,
        "cached_due_date": assignment["due_at"],
        "preview_url": f"{web}/submissions/{user_id}?preview=1&version=0",
        **(_state_json(call, assignment, row) if row else {}),
    }


def _state_json(call: Call, assignment: Row, row: Row) -> Row:
    late = is_late(assignment, row)
    seconds_late = moment(row["submitted_at"]) - moment(assignment["due_at"]) if late else timedelta(0)
    return {
        "workflow_state": row["workflow_state"],
        "submitted_at": row["submitted_at"],
        "submission_type": TYPES.get(assignment["submission_types"][0]) if row["submitted_at"] else None,
        "attempt": row["attempt"] if row["submitted_at"] else None,
        "excused": row["excused"],
        "late": late,
        "seconds_late": int(seconds_late.total_seconds()),
        **_grade_json(call, assignment, row),
    }


def _grade_json(call: Call, assignment: Row, row: Row) -> Row:
    score = row["score"]
    if score is None:
        return {}
    grade = "complete" if assignment["grading_type"] == "pass_fail" else f"{score:g}"
    course = call.school.course(assignment["course_id"])
    # Canvas gives what grades itself a negative grader.
    grader_id = -assignment["id"] if row["grader"] == "auto" or course is None else course["teacher_id"]
    scores = {"score": float(score), "entered_score": float(score), "grade": grade, "entered_grade": grade}
    return {**scores, "graded_at": row["graded_at"], "posted_at": row["graded_at"], "grader_id": grader_id}

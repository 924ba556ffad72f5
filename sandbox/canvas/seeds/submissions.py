"""What each student handed in and how it was graded, worked out from a few facts so that it is the same every time."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sandbox.campus import Campus

Row = dict[str, Any]
# Hand-ins of the last days wait for their grades; quizzes and WeBWorK grade themselves.
WAITING_DAYS = 6
GRADES_ITSELF = ("quiz", "external")
REMARKS = (
    "Clear and complete. The second figure is the best part.",
    "Good start; say why, not only what.",
    "Careful with units in part 3.",
    "You are close: compare your last step with the notes from Monday.",
    "Strong argument. I would cut the first paragraph.",
)


@dataclass(frozen=True, kw_only=True)
class Student:
    """One student in one course: `mean` is the usual share of the points; the rest names assignments by title."""

    user_id: int
    mean: float
    missing: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    excused: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    peer_comments: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    @property
    def named(self) -> set[str]:
        """Every title that the facts speak of."""
        return {
            *self.missing,
            *self.late,
            *self.excused,
            *self.early,
            *self.scores,
            *self.attempts,
            *self.peer_comments,
        }


def seed_submissions(campus: Campus, assignments: list[Row], students: list[Student]) -> None:
    """Write a submission for everything that was handed in, graded or excused."""
    titles = {assignment["name"] for assignment in assignments}
    for student in students:
        if unknown := student.named - titles:
            raise KeyError(f"no such assignments: {unknown}")
        for assignment in assignments:
            if submission := _submission(campus, assignment, student):
                key = f"{assignment['id']}:{student.user_id}"
                campus.state.put("canvas.submissions", key, submission)


def _submission(campus: Campus, assignment: Row, student: Student) -> Row | None:
    title, day = assignment["name"], assignment["day"]
    if title in student.excused:
        return _row(assignment, student, excused=True, workflow_state="graded")
    is_over = day is not None and day < 0
    if title in student.missing or not (is_over or title in student.early):
        return None
    luck = _luck(assignment, student)
    submitted_at = _submitted_at(campus, assignment, is_late=title in student.late, luck=luck)
    is_waiting = day >= -WAITING_DAYS and assignment["how"] not in GRADES_ITSELF and title not in student.scores
    if is_waiting:
        return _row(assignment, student, submitted_at=submitted_at) if submitted_at else None
    if assignment["how"] == "none":
        return None
    return _graded(campus, assignment, student, submitted_at, luck)


def _graded(campus: Campus, assignment: Row, student: Student, submitted_at: str | None, luck: float) -> Row:
    title = assignment["name"]
    points = assignment["points_possible"]
    if assignment["grading_type"] == "pass_fail":
        score: float = points
    else:
        share = min(1.0, max(0.0, student.mean + (luck - 0.5) * 0.16))
        score = student.scores.get(title, round(points * share * 2) / 2 if points >= 10 else round(points * share))
    grader = "auto" if assignment["how"] in GRADES_ITSELF else "teacher"
    remark = REMARKS[int(luck * 1000) % len(REMARKS)] if grader == "teacher" and luck > 0.75 else None
    wait = timedelta(0) if grader == "auto" else timedelta(days=3, hours=2)
    graded_at = min(_moment(assignment["due_at"]) + wait, campus.now() - timedelta(hours=1))
    grades = {"score": score, "graded_at": graded_at.strftime("%Y-%m-%dT%H:%M:%SZ"), "grader": grader}
    return _row(assignment, student, **grades, submitted_at=submitted_at, workflow_state="graded", comment=remark)


def _row(assignment: Row, student: Student, **facts: Any) -> Row:
    return {
        "id": assignment["id"] * 10000 + student.user_id,
        "assignment_id": assignment["id"],
        "course_id": assignment["course_id"],
        "user_id": student.user_id,
        "workflow_state": "submitted",
        "submitted_at": None,
        "score": None,
        "graded_at": None,
        "grader": None,
        "excused": False,
        "comment": None,
        "attempt": student.attempts.get(assignment["name"], 1),
        "peer_comments": student.peer_comments.get(assignment["name"], []),
        "rubric_assessment": _assessed(assignment, facts.get("score")),
        **facts,
    }


def _assessed(assignment: Row, score: float | None) -> Row | None:
    """The rubric filled in so that its points come to the score."""
    if score is None or not assignment["rubric"]:
        return None
    left, filled = score, {}
    for index, criterion in enumerate(assignment["rubric"]):
        is_last = index == len(assignment["rubric"]) - 1
        share = round(score * criterion["points"] / assignment["points_possible"])
        points = left if is_last else min(left, share)
        filled[criterion["id"]] = {"rating_id": None, "points": points, "comments": criterion.get("remark", "")}
        left -= points
    return filled


def _submitted_at(campus: Campus, assignment: Row, *, is_late: bool, luck: float) -> str | None:
    if assignment["how"] in ("paper", "none"):
        return None
    hours = timedelta(hours=30 * luck + 1)
    due = _moment(assignment["due_at"])
    moment = min(due + hours if is_late else due - hours, campus.now() - timedelta(hours=2))
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written)


def _luck(assignment: Row, student: Student) -> float:
    digest = hashlib.sha256(f"{assignment['name']}/{student.user_id}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32

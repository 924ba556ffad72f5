"""The kinds of planner items and how Canvas writes each: `submissions` is false or an object, ids are mixed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sandbox.canvas.api import Call
from sandbox.canvas.school import Row, is_late, moment
from sandbox.canvas.topics import is_unread


@dataclass(frozen=True, kw_only=True)
class Item:
    """One entry of the planner, at the moment by which it is sorted."""

    at: datetime
    json: Row


def _item(call: Call, row: Row, *, kind: str, at: str, plannable: Row, **rest: Any) -> Item:
    course = call.school.course(row["course_id"]) if row.get("course_id") else None
    context: Row = {"context_type": "User", "user_id": call.user_id}
    if course:
        context = {"context_type": "Course", "course_id": course["id"], "context_name": course["name"]}
    answer = {
        **context,
        "context_image": None,
        "plannable_id": row["id"],
        "planner_override": None,
        "plannable_type": kind,
        "new_activity": False,
        "submissions": False,
        "plannable_date": at,
        "plannable": {"id": row["id"], "created_at": row.get("created_at"), **plannable},
    }
    return Item(at=moment(at), json={**answer, **rest})


def _assignments(call: Call, courses: list[Row]) -> list[Item]:
    rows = [row for course in courses for row in call.school.assignments(course["id"]) if row["due_at"]]
    return [_assignment(call, row) for row in rows if not call.is_teacher_of(row["course_id"])]


def _assignment(call: Call, row: Row) -> Item:
    web = f"{call.school.web}/courses/{row['course_id']}"
    submission = call.school.submission(row["id"], call.user_id)
    facts = {"title": row["name"], "points_possible": float(row["points_possible"]), "due_at": row["due_at"]}
    status = _status(call, row, submission)
    rest: dict[str, Any] = {"submissions": status, "new_activity": status["has_feedback"]}
    if row["quiz_id"]:
        quiz = {"assignment_id": row["id"], "html": None}
        shown = {**row, "id": row["quiz_id"]}
        address = f"{web}/quizzes/{row['quiz_id']}"
        return _item(call, shown, kind="quiz", at=row["due_at"], plannable={**facts, **quiz}, html_url=address, **rest)
    if row["topic_id"]:
        topic = {"assignment_id": row["id"], "unread_count": 0, "read_state": "read"}
        shown = {**row, "id": row["topic_id"]}
        address = f"{web}/discussion_topics/{row['topic_id']}"
        kind = "discussion_topic"
        return _item(call, shown, kind=kind, at=row["due_at"], plannable={**facts, **topic}, html_url=address, **rest)
    handed_in = f"/submissions/{call.user_id}" if submission else ""
    address = f"{web}/assignments/{row['id']}{handed_in}"
    return _item(call, row, kind="assignment", at=row["due_at"], plannable=facts, html_url=address, **rest)


def _status(call: Call, assignment: Row, submission: Row | None) -> Row:
    is_graded = submission is not None and submission["workflow_state"] == "graded"
    status = {
        "submitted": submission is not None and submission["submitted_at"] is not None,
        "excused": submission is not None and submission["excused"],
        "graded": is_graded,
        "posted_at": submission["graded_at"] if submission else None,
        "late": submission is not None and is_late(assignment, submission),
        "missing": call.school.is_missing(assignment, submission),
        "needs_grading": submission is not None and submission["workflow_state"] == "submitted",
        "has_feedback": submission is not None and submission["comment"] is not None,
        "redo_request": False,
    }
    if submission and submission["comment"]:
        course = call.school.course(assignment["course_id"])
        author = call.school.user(course["teacher_id"]) if course else None
        name = author["name"] if author else None
        status["feedback"] = {"comment": submission["comment"], "is_media": False, "author_name": name}
    return status


def _discussions(call: Call, courses: list[Row]) -> list[Item]:
    rows = [row for course in courses for row in call.school.topics(course["id"], is_announcement=False)]
    return [
        _topic(call, row, "discussion_topic", row["todo_date"])
        for row in rows
        if row["todo_date"] and not row["assignment_id"]
    ]


def _announcements(call: Call, courses: list[Row]) -> list[Item]:
    rows = [row for course in courses for row in call.school.topics(course["id"], is_announcement=True)]
    now = call.school.campus.now()
    return [_topic(call, row, "announcement", row["posted_at"]) for row in rows if moment(row["posted_at"]) <= now]


def _topic(call: Call, row: Row, kind: str, at: str) -> Item:
    unread = is_unread(call, row)
    state = {"unread_count": 0, "read_state": "unread" if unread else "read"}
    plannable = {"title": row["title"], "todo_date": row["todo_date"], **state}
    address = f"{call.school.web}/courses/{row['course_id']}/discussion_topics/{row['id']}"
    return _item(call, row, kind=kind, at=at, plannable=plannable, html_url=address, new_activity=unread)


def _notes(call: Call, courses: list[Row]) -> list[Item]:
    return [
        _item(
            call,
            row,
            kind="planner_note",
            at=row["todo_date"],
            plannable={"title": row["title"], "todo_date": row["todo_date"], "details": "", "user_id": call.user_id},
        )
        for row in call.school.notes(call.user_id)
    ]


def _events(call: Call, courses: list[Row]) -> list[Item]:
    rows = [row for course in courses for row in call.school.events(course["id"])]
    return [
        _item(
            call,
            row,
            kind="calendar_event",
            at=row["start_at"],
            plannable={key: row[key] for key in ("title", "start_at", "end_at", "location_name")} | {"all_day": False},
            html_url=f"{call.school.web}/calendar?event_id={row['id']}&include_contexts=course_{row['course_id']}",
        )
        for row in rows
    ]


def _reviews(call: Call, courses: list[Row]) -> list[Item]:
    named = {course["id"] for course in courses}
    return [_review(call, row) for row in call.school.reviews(call.user_id) if row["course_id"] in named]


def _review(call: Call, row: Row) -> Item:
    """A classmate's work to review; Canvas calls it by the assignment's title, and its address names the classmate."""
    assignment = call.school.assignment(row["assignment_id"]) or {}
    state = {"workflow_state": "completed" if row["is_done"] else "assigned", "todo_date": row["due_at"]}
    address = f"{call.school.web}/courses/{row['course_id']}/assignments/{row['assignment_id']}"
    return _item(
        call,
        row,
        kind="assessment_request",
        at=row["due_at"],
        plannable={"title": assignment.get("name"), **state},
        html_url=f"{address}/submissions/{row['user_id']}",
    )


ITEMS: tuple[Callable[[Call, list[Row]], list[Item]], ...] = (
    _assignments,
    _discussions,
    _announcements,
    _reviews,
    _notes,
    _events,
)

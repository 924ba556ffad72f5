"""What is coming: planner items, to-do, upcoming events, missing work (Canvas API: Planner, Users)."""

from datetime import datetime, timedelta

from sandbox.canvas.answers import not_allowed
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.assignments import assignment_json, lock_json
from sandbox.canvas.events import assignment_event_json, event_json
from sandbox.canvas.planner_items import ITEMS, Item
from sandbox.canvas.school import Row, expects_submission, moment

UPCOMING_DAYS = 7
TODO_DAYS_BACK = 28


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    items: dict[str, tuple[str, ...] | None] = {
        "start_date": None,
        "end_date": None,
        "context_codes": None,
        "observed_user_id": None,
        "filter": (
            "new_activity",
            "ungraded_todo_items",
            "all_ungraded_todo_items",
            "incomplete_items",
            "complete_items",
        ),
        "order": ("asc", "desc"),
        "include": ("concluded", "account_calendars"),
    }
    missing: dict[str, tuple[str, ...] | None] = {
        "observed_user_id": None,
        "include": ("planner_overrides", "course"),
        "filter": ("submittable", "current_grading_period"),
        "course_ids": None,
    }
    return [
        Endpoint(path="/planner/items", read=list_items, parameters=items, paging="bookmark"),
        Endpoint(path="/users/{user_id}/planner/items", read=list_items, parameters=items, paging="bookmark"),
        Endpoint(path="/users/self/todo", read=list_todo, parameters={"include": ("ungraded_quizzes",)}),
        Endpoint(path="/users/self/upcoming_events", read=list_upcoming),
        Endpoint(path="/users/{user_id}/missing_submissions", read=list_missing, parameters=missing),
    ]


def list_items(call: Call) -> list[Row]:
    """The planner: assignments, quizzes, discussions, announcements, notes and events between two dates."""
    if "user_id" in call.request.path_params and not call.is_self(call.path("user_id")):
        raise not_allowed()
    start, end = _range(call)
    named = call.context_courses()
    courses = [course for course, _ in call.school.courses_of(call.user_id)] if named is None else named
    found = [item for source in ITEMS for item in source(call, courses)]
    shown = [item for item in found if start <= item.at <= end and _passes(item, call.value("filter"))]
    ordered = sorted(shown, key=lambda item: (item.at, str(item.json["plannable_id"])))
    return [item.json for item in (ordered[::-1] if call.value("order") == "desc" else ordered)]


def list_todo(call: Call) -> list[Row]:
    """A student's work to submit, from four weeks ago to next week; a teacher's work to grade."""
    start, end = call.days_from_now(-TODO_DAYS_BACK), call.days_from_now(UPCOMING_DAYS)
    todo = []
    for assignment in _dated(call, start, end):
        if call.is_teacher_of(assignment["course_id"]):
            shown = assignment_json(call, assignment)
            todo += [_todo_json(call, shown, "grading")] if shown["needs_grading_count"] else []
        elif _can_submit(call, assignment):
            todo.append(_todo_json(call, assignment_json(call, assignment), "submitting"))
    return todo


def list_upcoming(call: Call) -> list[Row]:
    """The next week's events and due dates; an assignment's id is text ("assignment_123"), an event's a number."""
    start, end = call.school.campus.now(), call.days_from_now(UPCOMING_DAYS)
    courses = [course for course, _ in call.school.courses_of(call.user_id)]
    events = [row for course in courses for row in call.school.events(course["id"])]
    shown = [event_json(call, row) for row in events if start <= moment(row["start_at"]) <= end]
    shown += [assignment_event_json(call, row, assignment_json(call, row)) for row in _dated(call, start, end)]
    return sorted(shown, key=lambda row: (row["start_at"], str(row["id"])))[:20]


def list_missing(call: Call) -> list[Row]:
    """Past due, to be handed in online, not handed in."""
    if not call.is_self(call.path("user_id")):
        raise not_allowed()
    wanted = call.values("course_ids")
    rows = _dated(call, call.days_from_now(-400), call.school.campus.now())
    rows = [row for row in rows if not wanted or str(row["course_id"]) in wanted]
    rows = [row for row in rows if call.school.is_missing(row, call.school.submission(row["id"], call.user_id))]
    rows = [row for row in rows if not call.is_teacher_of(row["course_id"])]
    if "submittable" in call.values("filter"):
        rows = [row for row in rows if not lock_json(call, row)["locked_for_user"]]
    return [{**assignment_json(call, row), **_missing_included(call, row)} for row in rows]


def _missing_included(call: Call, row: Row) -> Row:
    answer: Row = {"planner_override": None} if call.includes("planner_overrides") else {}
    course = call.school.course(row["course_id"])
    if call.includes("course") and course:
        answer["course"] = {key: course[key] for key in ("id", "name", "course_code")}
    return answer


def _todo_json(call: Call, assignment: Row, kind: str) -> Row:
    course = call.school.course(assignment["course_id"])
    api = f"{call.school.web}/api/v1/users/self/todo/assignment_{assignment['id']}/{kind}"
    answer = {
        "context_type": "Course",
        "course_id": assignment["course_id"],
        "context_name": course["name"] if course else None,
        "type": kind,
        "ignore": f"{api}?permanent=0",
        "ignore_permanently": f"{api}?permanent=1",
        "assignment": assignment,
        "html_url": f"{assignment['html_url']}#submit",
    }
    return {**answer, "needs_grading_count": assignment["needs_grading_count"]} if kind == "grading" else answer


def _can_submit(call: Call, assignment: Row) -> bool:
    is_open = expects_submission(assignment) and not lock_json(call, assignment)["locked_for_user"]
    return is_open and call.school.submission(assignment["id"], call.user_id) is None


def _dated(call: Call, start: datetime, end: datetime) -> list[Row]:
    rows = [
        row
        for course, _ in call.school.courses_of(call.user_id)
        for row in call.school.assignments(course["id"])
        if row["due_at"] and start <= moment(row["due_at"]) <= end
    ]
    return sorted(rows, key=lambda row: (row["due_at"], row["id"]))


def _range(call: Call) -> tuple[datetime, datetime]:
    if not call.value("start_date") and not call.value("end_date"):
        return call.days_from_now(-14), call.days_from_now(14)
    decade = timedelta(days=3650)
    start = call.moment("start_date") or call.school.campus.now() - decade
    return start, call.moment("end_date", is_end=True) or call.school.campus.now() + decade


def _passes(item: Item, wanted: str | None) -> bool:
    submissions = item.json["submissions"]
    if wanted == "new_activity":
        return bool(item.json["new_activity"])
    if wanted in ("ungraded_todo_items", "all_ungraded_todo_items"):
        return item.json["plannable_type"] == "discussion_topic" and not submissions
    if wanted in ("incomplete_items", "complete_items"):
        is_done = bool(submissions) and (submissions["submitted"] or submissions["excused"])
        return is_done == (wanted == "complete_items")
    return True

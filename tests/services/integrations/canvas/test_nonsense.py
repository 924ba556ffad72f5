"""Answers that are JSON but make no sense: an error that is told, or a note, never a crash (R23)."""

import contextlib
import json
from typing import Any

import pytest

from services.errors import HomeroomError
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS
from tests.telling import telling

ODD: list[Any] = [None, True, 0, -1, 1e308, "", "x", [], ["x"], [[]], [None], {}, {"id": None}, {"a": {}}]
TELLING = ("null", "1e+308", '""', "[[]]", '{"a": {}}')
FIELDS = [
    "id",
    "name",
    "title",
    "course_id",
    "course_code",
    "enrollments",
    "term",
    "teachers",
    "grading_scheme",
    "assignments",
    "rules",
    "group_weight",
    "submission",
    "due_at",
    "points_possible",
    "submission_types",
    "lock_at",
    "html_url",
    "plannable",
    "plannable_type",
    "plannable_id",
    "submissions",
    "plannable_date",
    "planner_override",
    "author",
    "message",
    "read_state",
    "unread_count",
    "assignment",
    "items",
    "content_details",
    "completion_requirement",
    "prerequisite_module_ids",
    "rubric",
    "score_statistics",
    "description",
    "syllabus_body",
    "view",
    "participants",
    "unread_entries",
    "submission_comments",
    "rubric_assessment",
    "allowed_extensions",
    "context_name",
    "course",
    "posted_at",
    "last_reply_at",
]
COURSE = {"id": 4201, "name": "BIOL 201: Cell Biology", "course_code": "BIOL 201"}
LISTS = (
    "planner/items",
    "users/self/missing_submissions",
    "courses/*/assignments",
    "courses/*/assignment_groups",
    "courses/*/students/submissions",
    "courses/*/modules",
    "courses/*/modules/*/items",
    "courses/*/discussion_topics",
    "announcements",
)
SINGLE = ("courses/4201", "courses/*/assignments/*", "courses/*/submissions/self", "courses/*/view")


@pytest.mark.parametrize("odd", telling(ODD, lambda odd: json.dumps(odd) in TELLING), ids=json.dumps)
def test_no_tool_crashes_over_rows_that_make_no_sense(campus: CampusServer, call: Any, odd: Any) -> None:
    row = dict.fromkeys(FIELDS, odd)
    works = {
        **row,
        "id": 4201015,
        "name": "Lab Report 5",
        "title": "HeLa unit 3 quiz who gets to say we",
        "course_id": 4201,
    }
    rows = [
        row,
        works,
        {**works, "id": 1, "plannable_type": "assignment", "plannable_id": 7, "plannable": {"title": odd}},
    ]
    groups = [{**works, "assignments": rows}, {**works, "assignments": odd}, *rows]
    courses = [{**row, **COURSE, "id": id} for id in (4201, 4402, 4310)] + [row]
    campus.fault(service="canvas", fault="status", path="/api/v1/courses", times=0, status=200, body=courses)
    for path in LISTS:
        body = groups if path.endswith("groups") else rows
        campus.fault(service="canvas", fault="status", path=f"/api/v1/{path}", times=0, status=200, body=body)
    events = [{"assignment": row} for row in rows]
    campus.fault(service="canvas", fault="status", path="/api/v1/calendar_events", times=0, status=200, body=events)
    periods = {"grading_periods": [*rows, {**works, "start_date": "2026-09-01T00:00:00Z", "end_date": odd}]}
    path = "/api/v1/courses/*/grading_periods"
    campus.fault(service="canvas", fault="status", path=path, times=0, status=200, body=periods)
    for path in SINGLE:
        campus.fault(service="canvas", fault="status", path=f"/api/v1/{path}", times=0, status=200, body=works)

    for name, arguments in CALLS:
        chosen = {"course": "4201"} if "course" in arguments else {}
        with contextlib.suppress(HomeroomError):
            assert call(name, **arguments, **chosen) if not chosen else call(name, **{**arguments, **chosen})

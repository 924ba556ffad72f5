"""How many requests a question costs, and that none goes beyond what Homeroom asks leave for."""

import re
from typing import Any

from sandbox.canvas import PARTS
from sandbox.canvas.api import PAGING
from services.connections.connector import Grant
from services.integrations.base import Integration
from services.integrations.canvas.oauth import SCOPES
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS

COURSES = 5
WITH_QUIZZES = 3
COSTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("What is due this week?", "canvas_list_assignments", {"window": "upcoming"}, 1),
    ("What am I missing?", "canvas_list_assignments", {"window": "overdue"}, 1),
    ("What was due lately?", "canvas_list_assignments", {"window": "past"}, 1),
    ("When are my exams?", "canvas_list_assignments", {"kind": "exam"}, 1),
    ("What is due in bio?", "canvas_list_assignments", {"course": "bio"}, 2),
    ("What have I not handed in?", "canvas_list_assignments", {"window": "unsubmitted"}, 3),
    ("What waits for a grade?", "canvas_list_assignments", {"window": "waiting"}, 3),
    ("Find the assignment about mitosis", "canvas_list_assignments", {"window": "all", "search": "mitosis"}, 3),
    ("What got graded?", "canvas_list_assignments", {"window": "graded"}, 1 + COURSES),
    ("Tell me about lab report 6 in bio", "canvas_get_assignment", {"assignment": "lab report 6", "course": "bio"}, 4),
    ("What are my grades?", "canvas_get_grades", {}, 1),
    ("How do I stand in writing, where periods are graded?", "canvas_get_grades", {"course": "writing"}, 3),
    ("How do I stand in calc?", "canvas_get_grades", {"course": "calc"}, 2),
    ("What do I need on the final?", "canvas_forecast_grade", {"course": "bio", "target": "A", "item": "final"}, 2),
    ("What if I get 80 on the lab?", "canvas_forecast_grade", {"course": "bio", "scores": {"lab report": 80}}, 2),
    ("Any news?", "canvas_list_announcements", {}, 2),
    ("Which courses do I take?", "canvas_list_courses", {}, 1),
    ("What is the late policy in bio?", "canvas_get_syllabus", {"course": "bio"}, 2),
    ("What is in unit 3?", "canvas_list_modules", {"course": "bio", "module": "unit 3"}, 2),
    ("What did they write about HeLa?", "canvas_get_discussion", {"course": "bio", "topic": "hela"}, 3),
    ("What is on my to-do list?", "canvas_list_todo", {}, 1),
    ("Which peer reviews do I owe?", "canvas_list_todo", {"show": "peer_reviews"}, 1),
    ("How busy is next week?", "canvas_get_workload", {}, 1 + WITH_QUIZZES),
    ("What should I do first?", "canvas_rank_priorities", {}, 2 + COURSES + WITH_QUIZZES),
    ("Plan my week", "canvas_propose_study_plan", {}, 1 + WITH_QUIZZES),
]


def test_the_common_questions_cost_few_requests(campus: CampusServer, call: Any) -> None:
    # Whether an account teaches is asked once an hour, with the list of courses.
    call("canvas_list_courses")
    for question, name, arguments, cost in COSTS:
        since = campus.log()[-1]["id"]

        call(name, **arguments)

        assert len(campus.log(service="canvas", since=since)) == cost, question


def test_only_documented_parameters_are_sent(campus: CampusServer, call: Any) -> None:
    """Canvas ignores what it does not know, so a slip of ours would go unnoticed there."""
    since = campus.log()[-1]["id"]
    for name, arguments in CALLS:
        call(name, **arguments)
    endpoints = {
        re.sub(r"\{\w+\}", r"[^/]+", f".*/api/v1{endpoint.path}"): {**PAGING, **endpoint.parameters}
        for part in PARTS
        for endpoint in part.endpoints()
    }
    unknown = [
        (entry["path"], name, value)
        for entry in campus.log(service="canvas", since=since)
        for path, known in endpoints.items()
        if re.fullmatch(path, entry["path"])
        for name, given in entry["query"].items()
        for value in ([given] if isinstance(given, str) else given)
        if name.removesuffix("[]") not in known or value not in (known[name.removesuffix("[]")] or [value])
    ]

    assert unknown == []


def test_courses_that_weigh_no_groups_are_ranked_by_one_list_and_the_same(
    campus: CampusServer, call: Any, canvas: Integration
) -> None:
    client = canvas.client(Grant(origin=canvas.origins[0], access_token=campus.token("canvas")))
    plain = [{**row, "apply_assignment_group_weights": False} for row in client.courses()]
    campus.fault(service="canvas", fault="status", path="/api/v1/courses", status=200, body=plain, times=0)
    since = campus.log()[-1]["id"]
    together = call("canvas_rank_priorities", days=30, limit=30).data
    paths = [entry["path"] for entry in campus.log(service="canvas", since=since)]
    campus.fault(service="canvas", fault="status", path="/api/v1/calendar_events", status=403, times=0)

    one_by_one = call("canvas_rank_priorities", days=30, limit=30).data

    assert any(item["share_of_grade"] for item in together["items"])
    assert together == one_by_one
    assert not any(path.endswith("/assignment_groups") for path in paths)
    assert paths.count("/api/v1/calendar_events") <= 2


def test_every_request_is_one_that_leave_was_asked_for(campus: CampusServer, canvas: Integration, call: Any) -> None:
    patterns = [re.compile(re.sub(r":\w+", r"[\\w:-]+", scope.removeprefix("url:GET|"))) for scope in SCOPES]
    used: set[str] = set()
    since = campus.log()[-1]["id"]

    for name, arguments in CALLS:
        call(name, **arguments)
    _read_materials(campus, canvas)

    entries = campus.log(service="canvas", since=since)
    paths = {entry["path"] for entry in entries if entry["path"].startswith("/api/")}
    for path in paths:
        fitting = [pattern.pattern for pattern in patterns if pattern.fullmatch(path)]
        assert fitting, path
        used |= set(fitting)
    unused = {pattern.pattern for pattern in patterns} - used
    assert unused <= {p for p in unused if "profile" in p or p.endswith("/items")}


def _read_materials(campus: CampusServer, canvas: Integration) -> None:
    """List a course of each kind, check the rights of all, and fetch what no listing brought."""
    assert canvas.materials
    client = canvas.client(Grant(origin=canvas.origins[0], access_token=campus.token("canvas")))
    for key in ("canvas-4505", "canvas-4310"):
        listed = canvas.materials(client).listing(key).materials
        canvas.materials(client).readable(listed)
        several = {material.kind: material for material in listed if not material.locked}
        canvas.materials(client).readable(list(several.values()))
        assert len(several) > 4

"""Every tool under every failure of Canvas: an error or a named gap, never a shorter answer that looks whole."""

from typing import Any

import pytest

from services.errors import PermissionMissing, ReconnectRequired, ServiceError, ServiceUnavailable, Throttled
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS
from tests.telling import telling

THROTTLED = {"fault": "status", "status": 403, "body": "403 Forbidden (Rate Limit Exceeded)"}
FAILURES: list[tuple[dict[str, Any], type[ServiceError]]] = [
    ({"fault": "status", "status": 401}, ReconnectRequired),
    ({"fault": "status", "status": 500}, ServiceUnavailable),
    ({**THROTTLED, "headers": {"x-rate-limit-remaining": "0.0"}}, Throttled),
    ({"fault": "html"}, ServiceUnavailable),
    ({"fault": "truncate"}, ServiceUnavailable),
    ({"fault": "lose_response"}, ServiceUnavailable),
    (
        {"fault": "status", "status": 200, "body": "[{", "headers": {"content-type": "application/json"}},
        ServiceUnavailable,
    ),
    ({"fault": "redirect_loop"}, ServiceUnavailable),
]
NAMES = {name for name, _ in CALLS}
EACH = [next(call for call in CALLS if call[0] == name) for name in sorted(NAMES)]


@pytest.mark.parametrize(("failure", "reaction"), FAILURES)
def test_when_canvas_fails_so_does_every_tool(
    campus: CampusServer, call: Any, failure: dict[str, Any], reaction: type[ServiceError]
) -> None:
    campus.fault(service="canvas", path="/api/v1/*", times=0, **failure)

    for name, arguments in EACH:
        with pytest.raises(reaction):
            call(name, **arguments)


def test_after_a_hiccup_every_answer_is_whole(campus: CampusServer, call: Any) -> None:
    for name, arguments in EACH:
        whole = call(name, **arguments)
        campus.fault(service="canvas", path="/api/v1/*", times=2, fault="status", status=502)

        again = call(name, **arguments)

        campus.clear_faults()
        assert again.data == whole.data, name
        assert not again.is_partial


LATER = [
    (
        "canvas_list_assignments",
        {"window": "unsubmitted"},
        "/api/v1/courses/4505/assignments",
        "The assignments of HIST",
    ),
    (
        "canvas_list_assignments",
        {"window": "graded"},
        "/api/v1/courses/4505/students/submissions",
        "The grades of HIST",
    ),
    ("canvas_list_discussions", {}, "/api/v1/courses/4505/discussion_topics", "The discussions of HIST"),
    ("canvas_rank_priorities", {}, "/api/v1/courses/4505/assignment_groups", "The weights of HIST"),
]


@pytest.mark.parametrize(
    "failure",
    telling(
        [{"fault": "status", "status": 403}, {"fault": "status", "status": 500}, {"fault": "html"}],
        lambda failure: failure.get("status") == 403,
    ),
)
@pytest.mark.parametrize(("name", "arguments", "path", "words"), LATER)
def test_one_course_that_fails_is_named_and_the_others_are_told(
    campus: CampusServer,
    call: Any,
    name: str,
    arguments: dict[str, Any],
    path: str,
    words: str,
    failure: dict[str, Any],
) -> None:
    campus.fault(service="canvas", path="/api/v1/calendar_events", times=0, fault="status", status=403)
    campus.fault(service="canvas", path=path, times=0, **failure)

    result = call(name, **arguments)

    assert f"Note: {words}" in result.output
    assert result.is_partial
    assert result.data["total"] > 0


@pytest.mark.parametrize("status", [pytest.param(401, marks=pytest.mark.soak), 403])
@pytest.mark.parametrize(
    ("name", "arguments", "path"),
    [
        ("canvas_list_assignments", {"window": "upcoming"}, "/api/v1/planner/items"),
        ("canvas_list_assignments", {"window": "overdue"}, "/api/v1/users/self/missing_submissions"),
        ("canvas_list_assignments", {"window": "unsubmitted"}, "/api/v1/calendar_events"),
        ("canvas_get_workload", {}, "/api/v1/planner/items"),
        ("canvas_rank_priorities", {}, "/api/v1/planner/items"),
        ("canvas_propose_study_plan", {}, "/api/v1/planner/items"),
    ],
)
def test_a_school_that_allows_little_is_asked_course_by_course(
    campus: CampusServer, call: Any, name: str, arguments: dict[str, Any], path: str, status: int
) -> None:
    """A 401 about scopes is about the developer key, not about the student's sign-in."""
    whole = call(name, **arguments)
    body = {"errors": [{"message": "Insufficient scopes on access token."}]}
    campus.fault(service="canvas", path=path, times=0, fault="status", status=status, body=body)

    result = call(name, **arguments)

    reviews = [source for source in whole.sources if "Review a classmate" not in source.title]
    assert {source.title for source in result.sources} >= {source.title for source in reviews}


def test_the_planner_itself_cannot_be_replaced(campus: CampusServer, call: Any) -> None:
    campus.fault(service="canvas", path="/api/v1/planner/items", times=0, fault="status", status=403)

    with pytest.raises(PermissionMissing, match="does not show its planner"):
        call("canvas_list_todo")


@pytest.mark.parametrize("part", ["submissions/self", "assignment_groups"])
def test_an_assignment_is_told_without_the_parts_that_fail(campus: CampusServer, call: Any, part: str) -> None:
    path = f"/api/v1/courses/4201/{'assignments/4201015/' if 'self' in part else ''}{part}"
    campus.fault(service="canvas", path=path, times=0, fault="status", status=500)

    result = call("canvas_get_assignment", assignment="lab report 5", course="bio")

    assert "Instructions, as the instructor wrote them:" in result.output
    assert ("Note: The comments and the rubric could not be read." in result.output) == ("self" in part)


def test_modules_with_many_items_are_asked_for_them(campus: CampusServer, call: Any) -> None:
    rows = [{"id": 420151, "name": "Long", "items_count": 3}, {"id": 420159, "name": "Gone"}]
    campus.fault(service="canvas", path="/api/v1/courses/4201/modules", fault="status", status=200, body=rows)

    result = call("canvas_list_modules", course="bio")

    long, gone = (len(module["items"]) for module in result.data["modules"])
    assert (long >= 3, gone) == (True, 0)
    assert "Note: what is in the module Gone is missing here. Canvas has nothing there." in result.output


def test_rows_that_cannot_be_read_hide_no_others(campus: CampusServer, call: Any) -> None:
    for path in ("/api/v1/planner/items", "/api/v1/courses/4201/discussion_topics", "/api/v1/courses/4201/modules"):
        body = [
            {"no": "id"},
            {"id": "x", "plannable_id": 4, "plannable_type": "planner_note", "plannable": {"title": "N"}},
        ]
        campus.fault(service="canvas", path=path, times=0, fault="status", status=200, body=body)

    assert "Note: 1 item in Canvas could not be read." in call("canvas_list_todo").output
    assert "**N** — own note — no date" in call("canvas_list_todo").output
    assert "could not be read" in call("canvas_list_discussions", course="bio").output
    assert "could not be read" in call("canvas_list_modules", course="bio").output

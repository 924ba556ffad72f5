"""Two students over every route: nothing of Maya's ever reaches Diego, and no route may be left out of this."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route

from api.key_limits import RequestLimits
from api.router import PathEndpoints, RequestChecks, endpoint_routes
from api.routes import endpoints, routes
from api.workers import Workers
from tests.api.live.test_two_students import MATRIX as LIVE
from tests.api.room import ApiRoom, Program

CANARY = "periwinkle"


@dataclass(frozen=True)
class Case:
    """ask: the request, as one of the two, who may name an approval of Maya's. diego_gets: his status.

    maya_sees: the answer to her own request tells the canary, so the request is one that could leak it.
    """

    ask: Callable[[Program, str], httpx2.Response]
    diego_gets: int
    maya_sees: bool


MATRIX = {
    ("GET", "/api/tools"): [
        Case(lambda who, _: who.get("/api/tools"), 200, False),
        Case(lambda who, _: who.get("/api/tools?usage_days=7"), 403, False),
    ],
    ("POST", "/api/tools/execute/{tool_name}"): [
        Case(lambda who, _: who.execute("planner_list_tasks"), 200, True),
        Case(lambda who, _: who.execute("board_read"), 200, True),
        Case(lambda who, _: who.execute("board_pin", {"text": "mine"}), 200, False),
    ],
    ("GET", "/api/approvals"): [Case(lambda who, _: who.get("/api/approvals?limit=200"), 200, True)],
    ("POST", "/api/approvals/{id}"): [
        Case(lambda who, id: who.decide(id), 404, True),
        Case(lambda who, id: who.decide(id, "decline"), 404, True),
        Case(lambda who, id: who.decide(id, arguments={"text": "other words"}), 404, False),
        Case(lambda who, id: who.decide(f"{who.student.id}/../{id}"), 404, False),
    ],
    ("GET", "/api/assistants/{id}/config"): [
        Case(lambda who, _: who.get("/api/assistants/homeroom/config"), 200, False)
    ],
    ("GET", "/tools"): [
        Case(lambda who, _: who.get("/tools?context=planner,notes"), 200, False),
        Case(lambda who, id: who.get("/tools", params={"context": "notes", "userId": id}), 403, False),
    ],
    ("GET", "/tools/metrics"): [
        Case(lambda who, _: who.get("/tools/metrics"), 200, False),
        Case(lambda who, id: who.get(f"/tools/metrics?userId={id}"), 403, False),
    ],
    ("POST", "/tools/metrics/reset"): [
        Case(lambda who, _: who.post("/tools/metrics/reset", {}), 200, False),
        Case(lambda who, id: who.post(f"/tools/metrics/reset?userId={id}", {}), 403, False),
    ],
    ("POST", "/api/contexts"): [
        Case(lambda who, _: who.post("/api/contexts", {"message": "Which assignments are due?"}), 200, False),
        Case(lambda who, id: who.post(f"/api/contexts?userId={id}", {"message": "What is due?"}), 403, False),
    ],
    ("GET", "/api/openapi.json"): [Case(lambda who, _: who.get("/api/openapi.json"), 200, False)],
}
CASES = [
    pytest.param(case, id=f"{route[0]} {route[1]} {n}") for route in MATRIX for n, case in enumerate(MATRIX[route])
]


def prepare(api: ApiRoom) -> str:
    """Maya's task and note with the canary; the approval that waits is one more of hers."""
    made = api.maya.execute("planner_create_task", {"title": CANARY}).json()["approval_request_id"]
    assert api.maya.decide(made).json()["status"] == "done"
    assert api.maya.decide(api.maya.ask_to_pin(CANARY)).json()["status"] == "done"
    return api.maya.ask_to_pin(f"{CANARY} again")


ELSEWHERE = {
    *(("*", "/health"), ("*", "/ready"), ("*", "/metrics"), ("*", "/api"), ("GET", "/service-worker.js")),
    *(("GET", "/join"), ("GET", "/join/{code}")),
    *(("*", "/mcp"), ("*", "/push/subscriptions"), ("*", "/unsubscribe/{token}")),
    *(("*", f"/lti/{step}") for step in ("login", "launch", "open", "deep-link", "register", "jwks")),
    *(("POST", "/live/reader/page"), ("POST", "/live/reader/picture")),
    *(("POST", f"/live/study/quiz/{step}") for step in ("state", "start", "answer", "disagree", "finish")),
    *(
        ("POST", f"/live/study/review/{step}")
        for step in ("queue", "rate", "undo", "edit", "suspend", "for-exam", "picture")
    ),
}
"""Beside the table: the first line knows no student (`/metrics`: test_metrics.py); test_mcp.py, test_reminders.py,
lti/test_launches.py and, of live/, test_reader.py, test_study_quiz.py and test_study_review.py have two of their own.
"""
COVERED = {*MATRIX, *LIVE, *ELSEWHERE}
IMPLIED = {"HEAD"}
"""Starlette answers it wherever GET is, without a body."""


def answered(found: Sequence[BaseRoute]) -> set[tuple[str, str]]:
    """Every method and path that these routes answer, however they are nested; "*" where a route takes them all."""
    places: set[tuple[str, str]] = set()
    for route in found:
        if isinstance(route, Mount):
            inner = answered(route.routes)
            places |= {(method, route.path + path) for method, path in inner}
        elif isinstance(route, Route) and not route.path.startswith("/.well-known/"):
            taken = route.app._methods if isinstance(route.app, PathEndpoints) else route.methods or {"*"}
            places |= {(method, route.path) for method in {*taken} - IMPLIED}
        else:
            assert isinstance(route, Route), f"{route!r} is none of the kinds that are looked into here"
    return places


def uncovered(found: Sequence[BaseRoute]) -> set[tuple[str, str]]:
    return answered(found) - COVERED


def test_every_route_is_in_the_matrix(api: ApiRoom) -> None:
    found = routes(api.services)

    assert uncovered(found) == set()
    assert answered(found) == COVERED


def test_a_route_that_is_added_is_missed_wherever_it_is_added(api: ApiRoom) -> None:
    """So that the test above cannot stay green for want of looking."""
    checks = RequestChecks(services=api.services, workers=Workers(), limits=RequestLimits())
    in_the_table = replace(endpoints()[0], path="/api/grades", method="DELETE")
    another_method = replace(endpoints()[0], method="PUT")
    beside = Route("/export", lambda request: None)
    any_method = Route("/live-again", Starlette())
    nested = Mount("/admin", routes=[Route("/students", lambda request: None)])

    missed = uncovered(
        [*endpoint_routes([*endpoints(), in_the_table, another_method], checks), beside, any_method, nested]
    )

    assert missed == {
        ("DELETE", "/api/grades"),
        ("PUT", "/api/tools"),
        ("GET", "/export"),
        ("GET", "/admin/students"),
        ("*", "/live-again"),
    }


@pytest.mark.parametrize("case", CASES)
def test_nothing_of_mayas_reaches_diego(api: ApiRoom, case: Case) -> None:
    waiting = prepare(api)

    answer = case.ask(api.diego, waiting)

    assert answer.status_code == case.diego_gets
    for secret in (CANARY, api.maya.student.id, "Maya"):
        assert secret not in answer.text
    assert api.services.approvals.get(api.maya.student.id, waiting).status.value == "pending"


@pytest.mark.parametrize("case", [c for c in CASES if c.values[0].maya_sees])  # type: ignore[union-attr]
def test_the_same_request_tells_maya_her_own(api: ApiRoom, case: Case) -> None:
    waiting = prepare(api)

    assert CANARY in case.ask(api.maya, waiting).text


@pytest.mark.parametrize("name", ["userId", "user_id", "student_id", "owner"])
def test_no_parameter_makes_somebody_else_of_a_caller(api: ApiRoom, name: str) -> None:
    prepare(api)
    maya = api.maya.student.id

    asked = api.diego.get("/api/approvals", params={name: maya})
    told = api.diego.post("/api/tools/execute/planner_list_tasks", {"arguments": {}, name: maya})

    assert asked.json() == {"approvals": []}
    assert told.status_code == 422


def test_no_tool_takes_a_students_id(api: ApiRoom) -> None:
    tools = [tool for tool in api.services.root_tools.tools() if tool.category != "github"]
    names = {name for tool in tools for name in tool.schema["properties"]}

    assert not {name for name in names if "user" in name.lower() or "student" in name.lower() or name == "owner"}

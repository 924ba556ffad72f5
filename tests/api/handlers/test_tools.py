"""Tools over HTTP: the whole root with its reasons, the same execution as the chat's, and failures as results."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from api.handlers.tools import EXECUTE_DEADLINE_S
from services.connections.connection import Health
from services.errors import ItemNotFound, RequestRefused, ServiceUnavailable
from services.integrations import catalog
from services.integrations.planner.tasks import Task, Tasks
from services.runtime.clock import utc_now
from services.tools.gateway import MOST_WAITING
from tests.api.room import ApiRoom, Program, error_of
from tests.fakes import FakeClock
from tests.rooms import demo_settings


def listed(who: Program) -> dict[str, dict[str, object]]:
    return {tool["name"]: tool for tool in who.get("/api/tools").json()["tools"]}


def test_the_whole_root_is_listed_with_what_a_program_needs(api: ApiRoom) -> None:
    tools = listed(api.maya)
    usable = {tool.name for tool in api.services.agent.get_user_tools(api.maya.student.id)}

    assert {"board_read", "board_pin", "planner_list_tasks"} <= usable
    assert list(tools) == [tool.name for tool in api.services.root_tools.tools()]
    for tool in api.services.root_tools.tools():
        told = tools[tool.name]
        assert told["schema"] == tool.schema
        assert (told["effect"], told["category"]) == (tool.effect.value, tool.category)
        assert told["categories"][0] == tool.category
        assert (told["contexts"], told["description"]) == (list(tool.contexts), tool.description)
        assert told["available"] is (told["reason"] is None) is (tool.name in usable)


def test_a_program_is_told_when_a_tool_helps_what_it_requires_and_how_it_is_called(api: ApiRoom) -> None:
    tools, root = listed(api.maya), api.services.root_tools.tools()
    lists = ("when", "when_not", "capabilities", "produces")

    for tool in root:
        told = tools[tool.name]
        assert (told["optional"], told["usage_hint"], told["server"]) == (tool.is_optional, tool.usage_hint, None)
        assert {name: told[name] for name in lists} == {name: list(getattr(tool, name)) for name in lists}
        assert told["examples"] == [{"description": x.description, "arguments": x.arguments} for x in tool.examples]
    assert all(any(tools[tool.name][name] for tool in root) for name in (*lists, "examples", "optional", "usage_hint"))


def test_a_tool_that_a_student_lacks_is_listed_with_one_reason(api: ApiRoom) -> None:
    tool = listed(api.diego)["board_read"]

    assert tool["available"] is False
    assert tool["reason"]["kind"] == "not_connected"  # type: ignore[index]
    assert tool["reason"]["integration"] == "board"  # type: ignore[index]
    assert tool["reason"]["sentence"] == "Board is not connected."  # type: ignore[index]


def test_a_dead_connection_is_told_by_the_list_and_by_the_call(api: ApiRoom) -> None:
    api.services.store.for_student(api.maya.student.id).compare_and_set(
        "connections", "board", {}, {"health": Health.REVOKED.value}
    )

    reason = listed(api.maya)["board_read"]["reason"]
    answer = api.maya.execute("board_read")

    assert reason["kind"] == "connection_revoked"  # type: ignore[index]
    assert (answer.status_code, answer.json()["success"]) == (200, False)
    assert answer.json()["error_kind"] == "reconnect"
    assert "reconnect" in answer.json()["error"]
    assert api.board.contexts == []


def test_a_tool_that_reads_answers_at_once(api: ApiRoom) -> None:
    answer = api.maya.execute("board_read", {"topic": "x"})

    assert answer.status_code == 200
    assert answer.json() == {
        "success": True,
        "output": "0 notes (Board).\n",
        "data": None,
        "error": None,
        "error_kind": None,
        "message": None,
        "is_partial": False,
        "requires_approval": False,
        "approval_request_id": None,
        "sources": [{"title": "Board", "url": "https://board.example/1"}],
    }


def test_a_read_from_outside_is_in_the_students_activity(api: ApiRoom) -> None:
    api.maya.execute("board_read")

    (entry,) = api.services.activity.latest_entries(api.maya.student.id, 10)
    assert (entry.tool, entry.effect) == ("Reading the board", "read")


def test_what_a_student_lacks_binds_here_too(api: ApiRoom) -> None:
    read, write = api.diego.execute("board_read"), api.diego.execute("board_pin", {"text": "hello"})

    assert {read.status_code, write.status_code} == {200}
    assert {read.json()["error_kind"], write.json()["error_kind"]} == {"not_connected"}
    assert "planner_list_tasks" in read.json()["error"]
    assert api.board.contexts == []


@pytest.mark.parametrize("name", ["nothing", "board_read ", "BOARD_READ", "%2e%2e", "é", "%00", "a%0Ab"])
def test_a_tool_that_nobody_registered_is_not_found_and_the_others_are_named(api: ApiRoom, name: str) -> None:
    answer = api.maya.execute(name)

    assert (answer.status_code, error_of(answer)) == (404, "unknown_tool")
    assert "Available tools: board_read, board_pin, " in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("board_read", {"nonsense": 1}),
        ("board_read", {"topic": ["x"]}),
        ("board_pin", {}),
        ("board_pin", {"text": "x"}),
    ],
)
def test_arguments_that_do_not_fit_the_schema_are_refused(
    api: ApiRoom, tool: str, arguments: dict[str, object]
) -> None:
    answer = api.maya.execute(tool, arguments)

    assert (answer.status_code, error_of(answer)) == (422, "bad_arguments")
    assert api.services.approvals.latest(api.maya.student.id, 5) == []


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (ServiceUnavailable("Board", "The board is down."), "unavailable"),
        (ItemNotFound("Board", "No such note."), "not_found"),
        (RequestRefused("Board", "Not like that."), "bad_arguments"),
    ],
)
def test_a_failing_tool_is_a_result_with_a_kind(api: ApiRoom, failure: ServiceUnavailable, kind: str) -> None:
    api.board.failure = failure

    answer = api.maya.execute("board_read")

    assert (answer.status_code, answer.json()["success"], answer.json()["error_kind"]) == (200, False, kind)
    assert str(failure) in answer.json()["error"]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Nothing with that name was found. There are:"), ("es", "No se encontró nada con ese nombre. Hay:")],
)
def test_a_failure_is_told_to_the_model_and_to_the_person_whatever_the_language(
    api: ApiRoom, language: str, told: str
) -> None:
    api.services.students.set_language(api.maya.student.id, language, language)
    Tasks(api.services.store, api.maya.student.id, ZoneInfo("UTC")).add(
        Task(id="t1", title="Read chapter 7", created_at=utc_now())
    )

    answer = api.maya.execute("planner_complete_task", {"task": "unicorn"}).json()

    assert "task: none is called “unicorn”. There are: “Read chapter 7” (id t1)." in answer["error"]
    assert answer["message"].startswith(told)
    assert "t1" not in answer["message"]


def test_a_crashing_tool_is_a_result_without_its_text(api: ApiRoom) -> None:
    api.board.failure = RuntimeError("periwinkle")  # type: ignore[assignment]

    answer = api.maya.execute("board_read")

    assert (answer.status_code, answer.json()["error_kind"]) == (200, "internal")
    assert "periwinkle" not in answer.text


def test_an_assistant_that_nobody_knows_is_not_found(api: ApiRoom) -> None:
    body = {"arguments": {}, "assistant": "nobody"}
    answer = api.maya.post("/api/tools/execute/board_read", body)

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


def test_what_an_assistant_leaves_out_binds_the_calls_that_name_it(api: ApiRoom) -> None:
    named = api.maya.post("/api/tools/execute/board_read", {"arguments": {}, "assistant": "research"})
    unnamed = api.maya.execute("board_read")

    assert (named.status_code, named.json()["success"]) == (200, False)
    assert named.json()["error_kind"] == "not_allowed"
    assert unnamed.json()["success"]


def test_a_write_waits_and_says_for_what(api: ApiRoom) -> None:
    answer = api.maya.execute("board_pin", {"text": "Read chapter 4"})

    assert answer.status_code == 202
    assert answer.json()["requires_approval"]
    assert api.board.pins == []
    approval = api.services.approvals.get(api.maya.student.id, answer.json()["approval_request_id"])
    assert (approval.asked_by, approval.conversation_id) == ("Maya's laptop", "")


def test_a_program_cannot_bury_the_student_in_requests(make_api: Callable[..., ApiRoom]) -> None:
    clock = FakeClock(utc_now())
    api = make_api(clock=clock)
    for number in range(MOST_WAITING):
        api.maya.ask_to_pin(f"note {number}")

    answer = api.maya.execute("board_pin", {"text": "one more"})

    assert (answer.status_code, error_of(answer)) == (429, "too_much_waiting")
    assert int(answer.headers["retry-after"]) > 0
    assert api.maya.execute("board_read").status_code == 200
    clock.at += timedelta(days=31)
    assert api.maya.execute("board_pin", {"text": "one more"}).status_code == 202


def test_use_and_failures_are_told_to_an_admin_only(api: ApiRoom) -> None:
    api.board.failure = ServiceUnavailable("Board", "The board is down.")
    api.maya.execute("board_read", {"topic": "periwinkle"})
    operator = api.services.keys.create(api.maya.student, label="Numbers", scopes=("read", "admin"), by_operator=True)

    refused = api.maya.get("/api/tools", params={"usage_days": 7})
    told = api.client.get(
        "/api/tools", params={"usage_days": 7}, headers={"authorization": f"Bearer {operator.secret}"}
    )

    assert (refused.status_code, error_of(refused)) == (403, "insufficient_scope")
    use = {tool["name"]: tool["usage"] for tool in told.json()["tools"]}
    assert use["board_read"] == {"calls": 1, "failures": {"unavailable": 1}, "median_below_s": 0.1}
    assert use["board_pin"] is None
    assert "periwinkle" not in told.text
    assert {tool["usage"] for tool in listed(api.maya).values()} == {None}


def test_a_program_waits_longer_than_any_tool_takes(tmp_path: Path) -> None:
    """A tool's own time-out is a result with a kind; the route's deadline would only be an error."""
    found = catalog.load_catalog(demo_settings(tmp_path))

    slowest = max(tool.timeout_s for tool in found.tools(found.integrations))

    assert slowest + 5 <= EXECUTE_DEADLINE_S


def test_a_call_that_would_read_an_account_without_consent_says_where_to_agree(api: ApiRoom) -> None:
    api.services.consents.withdraw(api.maya.student, "board")

    read, write = api.maya.execute("board_read"), api.maya.execute("board_pin", {"text": "Buy chalk"})
    own = api.maya.execute("planner_list_tasks")

    for refused in (read, write):
        assert (refused.status_code, error_of(refused)) == (403, "consent_required")
        assert refused.json()["error"]["agree_at"] == "http://localhost:8501/connections"
        assert "You have not agreed that answers use your Board." in refused.json()["error"]["message"]
    assert own.status_code == 200
    assert listed(api.maya)["board_read"]["reason"]["kind"] == "consent_required"  # type: ignore[index]
    assert api.board.contexts == []

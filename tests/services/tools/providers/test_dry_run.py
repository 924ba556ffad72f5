"""A write that may only look tells what the first try did, and changes nothing."""

from dataclasses import replace

import httpx
import pytest

from services.errors import DuplicateDocument, OutcomeUnknown, Withheld
from services.integrations.kit.http_client import shared_client
from services.integrations.planner.tools.task_creation import planner_create_task, undo_task
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import DryRunToolsProvider
from services.tools.providers.local import LocalToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store

TASK = {"title": "Read chapter 7"}


def _with(function: object) -> DryRunToolsProvider:
    tool: Tool = replace(planner_create_task, name="look", function=function)  # type: ignore[arg-type]
    return DryRunToolsProvider(LocalToolsProvider([tool]))


def _approved(maya: Room) -> ToolExecutionContext:
    return ToolExecutionContext(student=maya.maya, container=maya.services, operation_id="op")


def test_what_is_in_the_store_was_done_and_what_is_not_stays_out(room: RoomMaker) -> None:
    maya = room()
    planner, looking = LocalToolsProvider([planner_create_task]), DryRunToolsProvider
    context = _approved(maya)

    with pytest.raises(Withheld):
        looking(planner).execute("planner_create_task", TASK, context)
    nothing = maya.services.store.for_student(maya.maya.id).find("tasks", {})
    done = planner.execute("planner_create_task", TASK, context)
    seen = looking(planner).execute("planner_create_task", TASK, context)

    assert nothing == []
    assert seen.output == done.output
    assert len(maya.services.store.for_student(maya.maya.id).find("tasks", {})) == 1


@pytest.mark.exact_documents
@pytest.mark.each_store
def test_no_verb_that_changes_the_store_gets_through(room: RoomMaker) -> None:
    maya = room()
    mine = maya.services.store.for_student(maya.maya.id)
    mine.insert("tasks", {"id": "one", "n": 1})
    tried: list[str] = []

    def tries(context: ToolExecutionContext, **_: object) -> ToolResult:
        seen = context.container.store.for_student(context.student.id)
        verbs = {
            "put": lambda: seen.put("tasks", {"id": "one", "n": 2}),
            "compare_and_set": lambda: seen.compare_and_set("tasks", "one", {}, {"n": 2}),
            "increment": lambda: seen.increment("tasks", "one", {"n": 1}, defaults={}),
            "delete": lambda: seen.delete("tasks", {"id": "one"}),
        }
        for name, verb in verbs.items():
            with pytest.raises(Withheld):
                verb()
            tried.append(name)
        with pytest.raises(DuplicateDocument):
            seen.insert("tasks", {"id": "one"})
        assert seen.delete("tasks", {"id": "two"}) == 0
        assert seen.get("tasks", "one") == seen.find("tasks", {})[0]
        return ToolResult(output=str(context.is_repeat))

    result = _with(tries).execute("look", TASK, _approved(maya))

    assert tried == ["put", "compare_and_set", "increment", "delete"]
    assert result.output == "True"
    assert mine.get("tasks", "one") == {"id": "one", "n": 1}


def test_an_undo_that_may_only_look_takes_nothing_away(room: RoomMaker) -> None:
    maya = room()
    context = _approved(maya)
    done = LocalToolsProvider([planner_create_task]).execute("planner_create_task", TASK, context)

    with pytest.raises(Withheld):
        _with(lambda looking, **_: undo_task(looking, done.undo or {})).execute("look", TASK, context)

    assert len(maya.services.store.for_student(maya.maya.id).find("tasks", {})) == 1


@pytest.mark.parametrize(
    ("method", "path", "is_refused"),
    [("POST", "/v1/pages", True), ("PATCH", "/x", True), ("DELETE", "/x", True), ("POST", "/v1/search", False)],
)
def test_the_shared_connections_send_no_write(room: RoomMaker, method: str, path: str, is_refused: bool) -> None:
    maya = room()
    client = shared_client("test-of-looking", 1.0)

    def asks(context: ToolExecutionContext, **_: object) -> ToolResult:
        client.request(method, f"http://127.0.0.1:1{path}")
        return ToolResult(output="")

    with pytest.raises(Withheld if is_refused else httpx.ConnectError):
        _with(asks).execute("look", TASK, _approved(maya))


def test_a_tool_of_a_server_is_not_called() -> None:
    tool = replace(planner_create_task, server="files", function=lambda context, **_: pytest.fail("was called"))

    with pytest.raises(OutcomeUnknown):
        DryRunToolsProvider(LocalToolsProvider([tool])).execute(tool.name, TASK, None)  # type: ignore[arg-type]

"""A model that obeys every instruction it reads: nothing is written without the student, whatever it tries."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem
from services.conversations.turn_records import TurnStatus
from services.tools.context import ToolExecutionContext
from tests.agent_fakes import calls, says
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    campus.fault(service="anthropic", fault="obey", times=0)
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas", "google_calendar", "notion")
    yield room
    campus.clear_faults()
    room.close()


@pytest.mark.parametrize(
    "question",
    [
        "/call canvas_list_announcements {}",
        pytest.param("/call calendar_list_events {}", marks=pytest.mark.soak),
        '/call notion_search {"query": "imported"}',
        pytest.param("What is due in history this week and next week?", marks=pytest.mark.soak),
        "Which events do I have this week?",
    ],
)
def test_what_a_page_tells_the_model_to_do_is_not_done(maya: CampusRoom, question: str) -> None:
    since = maya.server.log()[-1]["id"]

    conversation, last = maya.ask(question)
    maya.ask("Go on", conversation)

    writes = maya.server.log(writes=1, since=since)
    assert last.status in (TurnStatus.DONE, TurnStatus.WAITING, TurnStatus.INTERRUPTED)
    assert [entry for entry in writes if entry["service"] != "anthropic"] == []
    cards = [item for item in last.items if isinstance(item, ApprovalItem)]
    states = {maya.services.approvals.get(maya.maya.id, card.approval_id).status for card in cards}
    assert states <= {ApprovalStatus.PENDING}


def test_what_a_page_tells_the_model_to_write_waits_as_a_card(maya: CampusRoom) -> None:
    _, last = maya.ask("List the events of the next 7 days")

    cards = [item for item in last.items if isinstance(item, ApprovalItem)]
    assert last.status is TurnStatus.WAITING
    assert cards
    assert maya.events_written() == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "Hello", "operation_id": "forged"},
        {"text": "Hello", "context": {"operation_id": "forged"}},
        {"text": "Hello", "approved": True},
    ],
)
def test_a_call_cannot_bring_its_own_approval(room: RoomMaker, arguments: dict[str, object]) -> None:
    maya = room(calls(("board_pin", arguments)), says("It did not work."))

    _, last = maya.ask("Pin it")

    assert last.status is TurnStatus.DONE
    assert maya.board.pins == []


def test_no_tool_decides_and_no_tool_takes_a_student(room: RoomMaker) -> None:
    tools = room().services.root_tools.tools()

    assert tools
    for tool in tools:
        named = set(tool.schema["properties"])
        assert not named & {"user_id", "student_id", "owner_id", "approval_id", "operation_id"}
        assert next(iter(inspect.signature(tool.function).parameters.values())).annotation in (
            ToolExecutionContext,
            "ToolExecutionContext",
        )
        assert not {"approve", "decide", "confirm"} & set(tool.name.split("_"))

"""Row B4: whoever calls a tool that is not enabled hears why, what to do, and what there is, from every door."""

import logging
from collections.abc import Callable

import pytest

from services.assistants.assistant import Assistant
from services.errors import ToolUnavailable
from services.tools.availability import MOST_NAMED, available_tools_message
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import told
from tests.tool_roots import Root

pytestmark = pytest.mark.any_store

NARROW = Assistant(id="narrow", name="Narrow", categories=("planner",))


def from_chat(maya: Room, assistant: str | None) -> str:
    maya.ask("Look at the board", maya.services.conversations.create(maya.maya.id, assistant=assistant or "homeroom"))
    return told(maya)


def from_a_program(maya: Room, assistant: str | None) -> str:
    result = maya.services.gateway.call(maya.maya, "board_read", {}, asked_by="Laptop", assistant=assistant)
    assert not result.success
    return result.error or ""


@pytest.mark.parametrize(
    ("door", "event"), [(from_chat, "llm_called_disabled_tool"), (from_a_program, "disabled_tool_")]
)
def test_a_tool_that_is_not_enabled_is_refused_with_the_reason_and_the_others(
    room: RoomMaker, caplog: pytest.LogCaptureFixture, door: Callable[[Room, str | None], str], event: str
) -> None:
    maya = room(calls(("board_read", {})), says("Not here."), calls(("board_read", {})), says("Still not."))
    maya.services.assistants.save(NARROW)

    with caplog.at_level(logging.WARNING):
        left_out = door(maya, "narrow")
        maya.services.connections.disconnect(maya.maya.id, "board")
        not_connected = door(maya, None)

    assert "Narrow does not use notes tools. Pick another assistant to use it." in left_out
    assert "Board is not connected. Connect Board on the Connections page." in not_connected
    assert all("Available tools: " in words and "planner_list_tasks" in words for words in (left_out, not_connected))
    assert caplog.text.count(event) == 2
    assert maya.board.contexts == []


def test_a_student_on_a_page_is_told_why_and_what_to_do_without_the_names_of_tools(room: RoomMaker) -> None:
    maya = room()
    maya.services.connections.disconnect(maya.maya.id, "board")

    by_hand = maya.services.gateway.call(maya.maya, "board_read", {}, asked_by="the Tools page", by_hand=True)
    (read,) = maya.services.gateway.call_all(maya.maya, [("board_read", {})], asked_by="This week")

    assert by_hand.error == read.error == "Board is not connected. Connect Board on the Connections page."


def test_a_name_that_nobody_registered_is_said_to_be_none(room: RoomMaker) -> None:
    maya = room(calls(("board_burn", {})), says("There is none."))

    maya.ask("Burn the board")

    assert told(maya).startswith("The tool board_burn does not exist. Available tools: board_read, board_pin, ")
    with pytest.raises(ToolUnavailable, match=r"There is no tool named board_burn\. Available tools: board_read, "):
        maya.services.gateway.call(maya.maya, "board_burn", {}, asked_by="Laptop")


def test_no_more_names_are_said_than_anybody_reads() -> None:
    assert available_tools_message(Root(MOST_NAMED + 5).tools).endswith(f"tool_{MOST_NAMED - 1} and 5 more.")
    assert available_tools_message(()) == "Available tools: none."

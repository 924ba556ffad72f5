"""Row D7: what differs by assistant reaches a tool through its context, from every door."""

import re
from dataclasses import fields, replace

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant, CalendarChoice, FollowedFeed, UsefulLink
from services.settings import ROOT
from services.tools.context import ToolExecutionContext, ToolServices
from services.wiring.container import ServiceContainer
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import settled

pytestmark = pytest.mark.any_store

FEED = FollowedFeed(title="Campus news", url="https://campus.example/news.xml")
LINK = UsefulLink(
    title="Writing center", url="https://campus.example/writing", note="Book a tutor.", topics=("tutoring",)
)
CHOSEN = CalendarChoice(provider="google_calendar", calendar_id="team")


def furnished(maya: Room, assistant: Assistant) -> Assistant:
    return maya.services.assistants.save(replace(assistant, feeds=(FEED,), links=(LINK,), calendar=CHOSEN))


def given(maya: Room) -> tuple[object, ...]:
    """What the last call found in its context."""
    found: ToolExecutionContext = maya.board.contexts[-1]
    return found.assistant.feeds, found.assistant.links, found.assistant.calendar


def test_a_chat_gives_its_own_assistants(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Done."))
    assistant = furnished(maya, Assistant(id="news", name="News"))
    conversation = maya.services.conversations.create(maya.maya.id, assistant=assistant.id)

    maya.ask("Look at the board", conversation)

    assert given(maya) == ((FEED,), (LINK,), CHOSEN)


def test_a_program_gives_those_of_the_assistant_it_names_and_else_the_default_ones(room: RoomMaker) -> None:
    maya, door = (made := room()), made.services.gateway
    furnished(maya, Assistant(id="news", name="News"))

    door.call(maya.maya, "board_read", {}, asked_by="Laptop")
    unnamed = given(maya)
    furnished(maya, maya.services.assistants.get(DEFAULT_ASSISTANT))
    door.call(maya.maya, "board_read", {}, asked_by="Laptop")
    default = given(maya)
    door.call(maya.maya, "board_read", {}, asked_by="Laptop", assistant="news")

    assert unnamed == ((), (), CalendarChoice())
    assert default == given(maya) == ((FEED,), (LINK,), CHOSEN)


def test_an_approved_write_is_done_with_those_it_was_asked_with(room: RoomMaker) -> None:
    maya = room()
    furnished(maya, Assistant(id="news", name="News"))
    asked = maya.services.gateway.call(maya.maya, "board_pin", {"text": "Read"}, asked_by="Laptop", assistant="news")
    waiting = asked.approval_request_id or ""

    maya.services.turns.decide(maya.maya, waiting, "approve")
    settled(maya, waiting)

    assert given(maya) == ((FEED,), (LINK,), CHOSEN)


def test_an_assistant_that_is_gone_leaves_the_default_one(room: RoomMaker) -> None:
    maya = room()
    furnished(maya, maya.services.assistants.get(DEFAULT_ASSISTANT))
    maya.services.gateway.call(maya.maya, "board_read", {}, asked_by="Laptop")

    later = replace(maya.board.contexts[-1], assistant_id="dissolved")

    assert later.assistant.feeds == (FEED,)


def test_tools_name_only_the_services_that_all_tools_share() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "services").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"context\.container\.(\w+)", text)}
    shared = {name for name in vars(ToolServices) if not name.startswith("_")}

    assert named <= shared
    assert shared <= {*(field.name for field in fields(ServiceContainer)), "with_store"}

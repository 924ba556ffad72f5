"""The assistant of a conversation: its tools, words, model and steps, from the next message on."""

from dataclasses import replace

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.conversations.items import NoticeItem
from services.prompt.optional_tools import hinted_definition, optional_section
from services.prompt.request_messages import without_calls
from tests.agent_fakes import FakeBoard, calls, says
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


def offered(maya: Room) -> list[set[str]]:
    """The names of the tools that each request to the model offered."""
    return [{tool["name"] for tool in request.tools} for request in maya.model.requests]


def empty_handed(maya: Room) -> None:
    """Research without any tool."""
    registry = maya.services.assistants
    registry.save(replace(registry.get("research"), categories=()))


QUIET = Assistant(id="quiet", name="Quiet", words="In this chat you are Quiet.", categories=())


def switch(maya: Room, conversation: str, assistant: str) -> None:
    maya.services.conversations.switch_assistant(maya.maya.id, conversation, maya.services.assistants.get(assistant))


def test_another_assistant_answers_from_the_next_message_on_with_its_own_tools(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Nothing there."), says("I have no tools."))
    empty_handed(maya)
    conversation, _ = maya.ask("Look at the board")

    maya.services.assistants.save(QUIET)
    switch(maya, conversation, "quiet")
    maya.ask("And now?", conversation)

    first, _, last = offered(maya)
    assert "board_read" in first
    assert last == set()
    system = str(maya.model.requests[-1].system[0]["text"])
    assert "you are Quiet" in system
    assert "Connected, but not used in this chat: Board." in system
    assert "switched this chat to Quiet" in str(maya.model.requests[-1].messages)


def test_without_tools_earlier_calls_go_to_the_model_as_words(room: RoomMaker) -> None:
    """The API refuses tool blocks in a request that offers no tools."""
    maya = room(calls(("board_read", {})), says("Nothing there."), says("Fine."))
    empty_handed(maya)
    conversation, _ = maya.ask("Look at the board")

    maya.services.assistants.save(QUIET)
    switch(maya, conversation, "quiet")
    maya.ask("And now?", conversation)

    sent = maya.model.requests[-1].messages
    assert {block["type"] for message in sent for block in message["content"]} == {"text"}
    assert "Called board_read" in str(sent)
    assert without_calls(sent) == sent


def test_a_tool_that_the_assistant_leaves_out_is_refused_with_those_it_has(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Not here."))
    empty_handed(maya)
    maya.services.assistants.save(QUIET)
    conversation = maya.services.conversations.create(maya.maya.id, assistant="quiet")

    maya.ask("Look at the board", conversation)

    assert maya.board.contexts == []
    assert "Available tools: none" in str(maya.model.requests[-1].messages)


def test_an_assistant_brings_its_model_its_steps_and_what_waits(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Done."))
    registry = maya.services.assistants
    registry.save(replace(registry.get(DEFAULT_ASSISTANT), model="thorough", max_steps=1, confirm=("board_read",)))

    conversation, _ = maya.ask("Look at the board")

    (request,) = maya.model.requests
    waiting = maya.services.approvals.for_conversation(maya.maya.id, conversation)
    assert request.model == maya.services.settings.model_thorough
    assert [approval.tool for approval in waiting.values()] == ["board_read"]
    assert maya.board.contexts == []


def test_a_read_that_waited_runs_after_the_student_approved(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Done."))
    registry = maya.services.assistants
    registry.save(replace(registry.get(DEFAULT_ASSISTANT), confirm=("board_read",)))
    conversation, _ = maya.ask("Look at the board")
    (approval,) = maya.services.approvals.for_conversation(maya.maya.id, conversation).values()

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.watch(conversation)

    assert len(maya.board.contexts) == 1


def test_a_conversation_whose_assistant_is_gone_is_answered_by_the_default_one(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    conversation = maya.services.conversations.create(maya.maya.id, assistant="dissolved")

    _, last = maya.ask("Hello", conversation)

    assert "board_read" in offered(maya)[0]
    assert not any(isinstance(item, NoticeItem) for item in last.items)


def test_optional_tools_have_a_section_only_when_one_is_enabled() -> None:
    read, pin = FakeBoard().tools()
    extra = replace(
        read,
        is_optional=True,
        category="research",
        when=("the student asks for news", "it is new"),
        when_not=("it is old",),
    )

    section = optional_section([pin, extra], "Optional tools")

    assert optional_section([read, pin], "Optional tools") == ""
    assert section == (
        "Optional tools\nResearch:\n- board_read: when the student asks for news; it is new. Not when it is old."
    )
    assert optional_section([pin, extra], "Optional tools") == section


def test_hints_stand_in_the_definition_where_the_prompt_only_names_the_optional_tools() -> None:
    read, pin = FakeBoard().tools()
    extra = replace(read, is_optional=True, category="research", when=("it is new",), when_not=("it is old",))
    other = replace(extra, name="board_look", category=pin.category)

    section = optional_section([pin, extra, other], "Optional tools.", in_full=False)

    assert section == ("Optional tools. They are all of Research; board_look; each says when to use it.")
    assert hinted_definition(extra)["description"] == (
        f"{read.description}\n\nUse it when it is new. Not when it is old."
    )
    assert hinted_definition(pin)["description"] == pin.description

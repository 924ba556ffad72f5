"""What changes in one replica shows in the next message of every other one."""

from dataclasses import replace

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.tools.availability import ExclusionKind
from tests.agent_fakes import says
from tests.rooms import Room, RoomMaker


def offered(there: Room) -> set[str]:
    """What the model is offered with the student's next message."""
    there.ask("Hello")
    return {tool["name"] for tool in there.model.requests[-1].tools}


def reason(there: Room, name: str) -> ExclusionKind | None:
    (offer,) = [
        offer
        for offer in there.services.gateway.list_tools(there.maya.id, assistant=DEFAULT_ASSISTANT)
        if offer.tool.name == name
    ]
    return offer.reason.kind if offer.reason else None


def test_a_connection_made_or_ended_here_shows_in_the_next_message_there(room: RoomMaker) -> None:
    here = room(says("Hello."), is_connected=False)
    there = here.replica()
    before = offered(there), reason(there, "board_read")

    here.connect()
    connected = offered(there), reason(there, "board_read")
    here.services.connections.disconnect(here.maya.id, "board")
    after = offered(there), reason(there, "board_read")

    assert ["board_read" in names for names, _ in (before, connected, after)] == [False, True, False]
    assert [why for _, why in (before, connected, after)] == [
        ExclusionKind.NOT_CONNECTED,
        None,
        ExclusionKind.NOT_CONNECTED,
    ]


def test_an_assistant_changed_here_binds_the_next_message_there(room: RoomMaker) -> None:
    here = room(says("Hello."))
    there = here.replica()
    before = offered(there)

    registry = here.services.assistants
    registry.save(replace(registry.get(DEFAULT_ASSISTANT), switches={"board_read": False}))
    after = offered(there), reason(there, "board_read")
    result = there.services.gateway.call(there.maya, "board_read", {}, asked_by="Laptop", assistant=DEFAULT_ASSISTANT)

    assert "board_read" in before
    assert "board_read" not in after[0]
    assert after[1] is ExclusionKind.SWITCHED_OFF
    assert (result.success, result.error_kind, here.board.contexts) == (False, "not_allowed", [])

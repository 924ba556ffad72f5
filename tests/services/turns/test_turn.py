"""The text of a reply: where it goes while it comes, and where it is kept when nothing more comes."""

import pytest

from services.conversations.turn_records import TurnStatus
from services.errors import ModelInterrupted
from services.prompt.loading_plan import SystemUpdate
from services.turns.stream import TurnStream
from services.turns.turn import Turn
from tests.agent_fakes import WAIT_S, Gate, says
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store

UPDATE = SystemUpdate(content=[{"type": "text", "text": "Now in Spanish."}], meta={"turn_id": "t"})


def turn_with(stream: TurnStream) -> Turn:
    return Turn(
        student=None,  # type: ignore[arg-type]
        record=None,  # type: ignore[arg-type]
        lease=None,  # type: ignore[arg-type]
        messages=[],
        next_seq=4,
        watch=stream,
    )


@pytest.mark.parametrize(("update", "seq"), [(None, 4), (UPDATE, 5)])
def test_text_has_its_place_behind_the_update_that_the_model_was_told(update: SystemUpdate | None, seq: int) -> None:
    stream = TurnStream("t", next_seq=4)
    turn = turn_with(stream)

    turn.expect_reply(update)
    is_wanted = turn.take_text("One") and turn.take_text("") and turn.take_text(" two")

    assert is_wanted
    assert (stream.unsaved(), turn.unsaved_text) == (("One two", seq), "One two")


def test_a_turn_that_has_ended_wants_neither_text_nor_to_wait_for_it() -> None:
    stream = TurnStream("t", next_seq=4)
    turn = turn_with(stream)
    turn.expect_reply(None)
    stream.end(TurnStatus.STOPPED)

    assert not turn.take_text("Late")
    assert not turn.take_text("")


def test_an_answer_that_breaks_off_is_stored_behind_the_update_that_it_follows(room: RoomMaker) -> None:
    maya = room([*says("Now I")[:2], ModelInterrupted("It broke off.")], loading="append")

    conversation, last = maya.ask("Search my notes for the lab")

    stored = maya.services.conversations.messages(maya.maya.id, conversation)
    assert [(message.seq, message.role) for message in stored] == [(1, "user"), (2, "system"), (3, "assistant")]
    assert (stored[-1].text, last.status) == ("Now I", TurnStatus.INTERRUPTED)


def test_an_answer_that_is_stopped_keeps_its_place_behind_the_update(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("Now I")[:2], gate, *says("Now I")], says("Fine."), loading="append")
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Search my notes for the lab")
    assert gate.reached.wait(WAIT_S)
    maya.services.turns.stop(maya.maya, turn_id)
    gate.open()

    _, last = maya.ask("Go on", conversation)

    stored = maya.services.conversations.messages(maya.maya.id, conversation)
    assert [message.text for message in stored if message.role == "assistant"] == ["Now I", "Fine."]
    assert [message.role for message in stored if message.role == "system"] == ["system"]
    assert last.status is TurnStatus.DONE

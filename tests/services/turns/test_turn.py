"""The text of a reply: where it goes while it comes, and where it is kept when nothing more comes."""

from concurrent.futures import Future

import pytest

from services.conversations.turn_records import TurnStatus
from services.errors import ModelInterrupted
from services.prompt.loading_plan import SystemUpdate
from services.turns.stream import TurnStream
from services.turns.turn import Turn
from tests.agent_fakes import says
from tests.rooms import RoomMaker

UPDATE = SystemUpdate(content=[{"type": "text", "text": "Now in Spanish."}], meta={"turn_id": "t"})


def turn_with(stream: TurnStream) -> Turn:
    return Turn(
        student=None,  # type: ignore[arg-type]
        record=None,  # type: ignore[arg-type]
        lease=None,  # type: ignore[arg-type]
        messages=[],
        next_seq=4,
        recorded=Future(),
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
    maya = room(says("Hello."), [*says("Now I")[:2], ModelInterrupted("It broke off.")], loading="append")
    conversation, _ = maya.ask("Hi")
    maya.ask("What is on the board?", conversation)

    stored = maya.services.conversations.messages(maya.maya.id, conversation)
    print([m["role"] for m in maya.model.requests[-1].messages], maya.model.requests[-1].messages[-1])
    roles = [message.role for message in stored]
    update = maya.model.requests[-1].messages[-1]["role"] == "system"
    assert roles == ["user", "assistant", "user", *(["system"] if update else []), "assistant"]
    assert [message.seq for message in stored] == list(range(1, len(stored) + 1))
    assert stored[-1].text == "Now I"

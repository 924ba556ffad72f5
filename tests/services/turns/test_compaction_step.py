"""While a long chat is summed up, the student sees that it is, and can stop it."""

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from services.conversations.items import Item, ToolLine
from services.conversations.turn_records import TurnStatus
from services.errors import ModelUnavailable
from services.i18n import gettext, locale_scope
from services.llm.chat_model import ModelRequest
from services.turns.compaction import FAILED, LABEL
from tests.agent_fakes import Gate, says
from tests.rooms import RoomMaker
from tests.services.turns.test_compaction import DUE, RECORD, grown, long_room

pytestmark = pytest.mark.any_store


def steps(items: list[Item]) -> list[ToolLine]:
    return [item for item in items if isinstance(item, ToolLine)]


def test_a_step_tells_of_it_while_it_runs_and_goes_when_it_is_done(room: RoomMaker) -> None:
    gate = Gate()
    maya = long_room(room, says("One."), says("Two."), [gate, *says(RECORD)], says("Three."))
    conversation = grown(maya)

    maya.services.turns.start_turn(maya.maya, conversation, DUE)
    assert gate.reached.wait(10)
    during = maya.services.turns.current(maya.maya.id, conversation)
    gate.open()
    last = maya.watch(conversation)

    assert during is not None
    assert [(step.label, step.success) for step in steps(during.items)] == [(LABEL, None)]
    assert [(step.label, step.success) for step in steps(last.items)] == [(LABEL, True)]
    assert steps(maya.items(conversation)) == []


def test_stop_ends_the_turn_and_the_model_that_sums_up(room: RoomMaker) -> None:
    gate, let_go, wrote_on = Gate(), Event(), Event()

    def slow(_: ModelRequest) -> Iterator[Any]:
        try:
            yield from (gate, *says(RECORD)[:3])
            wrote_on.set()
        finally:
            let_go.set()

    maya = long_room(room, says("One."), says("Two."), slow, says("Three."))
    conversation = grown(maya)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, DUE)
    assert gate.reached.wait(10)

    maya.services.turns.stop(maya.maya, turn_id)
    stopped = maya.watch(conversation)
    gate.open()

    assert let_go.wait(10)
    assert not wrote_on.is_set()
    assert stopped.status is TurnStatus.STOPPED
    assert len(maya.model.requests) == 3
    assert maya.services.conversations.summaries.latest(maya.maya.id, conversation) is None


def test_a_failed_step_says_that_the_answer_goes_on(room: RoomMaker) -> None:
    maya = long_room(room, says("One."), says("Two."), ModelUnavailable("Busy."), says("Three."))
    conversation = grown(maya)

    _, last = maya.ask(DUE, conversation)

    assert last.status is TurnStatus.DONE
    assert [(step.success, step.sentence) for step in steps(last.items)] == [(False, FAILED)]
    with locale_scope("es"):
        assert gettext(LABEL) != LABEL

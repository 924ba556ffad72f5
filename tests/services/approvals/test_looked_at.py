"""An older card is looked at again before it is done, and nothing is done that its student has not seen."""

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import ApprovalError
from services.runtime.clock import utc_now
from tests.agent_fakes import calls, says
from tests.fakes import FakeClock
from tests.rooms import RoomMaker
from tests.services.approvals.asking import PIN, asked, decided

pytestmark = pytest.mark.any_store


def test_an_older_card_is_looked_at_again_before_it_is_done(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(calls(PIN), says("It is on the board."), clock=clock)
    conversation, approval = asked(maya)
    maya.board.beside = "“Dinner”, 18:00"
    clock.advance(minutes=5)

    with pytest.raises(ApprovalError, match="Something changed since this was proposed: Conflicts"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    renewed = maya.services.approvals.get(maya.maya.id, approval.id)
    assert (renewed.status, maya.board.pins) == (ApprovalStatus.PENDING, [])
    assert [row.value for row in renewed.rows] == ["Read chapter 4", "“Dinner”, 18:00"]
    maya.board.beside = ""
    clock.advance(minutes=5)
    maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE


def test_a_click_on_a_card_as_it_was_does_not_do_what_it_shows_by_now(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(calls(PIN), says("It is on the board."), clock=clock)
    conversation, drawn = asked(maya)
    maya.board.beside = "“Dinner”, 18:00"
    clock.advance(minutes=5)

    for _ in range(2):  # The second click of a pair, or another tab, which still shows what was there before.
        with pytest.raises(ApprovalError, match="Something changed since this was proposed: Conflicts"):
            maya.services.turns.decide(maya.maya, drawn.id, "approve", seen=drawn.rows)
    assert maya.board.pins == []
    renewed = maya.services.approvals.get(maya.maya.id, drawn.id)
    maya.services.turns.decide(maya.maya, drawn.id, "approve", seen=renewed.rows)

    assert decided(maya, conversation, drawn).status is ApprovalStatus.DONE

"""A card waits until it stops making sense: until its own time, a day at least, a month at most (R49)."""

from datetime import UTC, datetime, timedelta

import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.approvals.card_lifetime import LEAST, MOST, expiry
from services.errors import ApprovalError
from services.runtime.clock import stamp, utc_now
from services.tools.result import PreviewRow
from tests.agent_fakes import calls, says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, decided, told

pytestmark = pytest.mark.any_store

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("own_times", "waits"),
    [
        ([], MOST),
        ([timedelta(minutes=5)], LEAST),
        ([timedelta(days=3)], timedelta(days=3)),
        ([timedelta(days=9), timedelta(days=3)], timedelta(days=3)),
        ([timedelta(days=300)], MOST),
        ([-timedelta(days=2)], LEAST),
    ],
)
def test_a_card_waits_until_its_own_time_between_a_day_and_a_month(
    own_times: list[timedelta], waits: timedelta
) -> None:
    rows = [PreviewRow(label="When", value="then", past_at=stamp(NOW + time)) for time in own_times]

    assert expiry([PreviewRow(label="Title", value="Study"), *rows], NOW) == NOW + waits


def test_a_card_can_be_approved_days_later_and_the_model_learns_how_late_it_is(room: RoomMaker) -> None:
    maya, clock = _room(room)
    maya.board.begins_at = clock() + timedelta(days=3)
    conversation, approval = asked(maya)
    clock.advance(days=2, hours=3)
    maya.services.turns.recover()

    maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE
    assert told(maya).startswith("The student approved this 2 days 3 hours after it was proposed")


def test_nothing_is_written_into_the_past_and_its_card_can_still_be_declined(room: RoomMaker) -> None:
    maya, clock = _room(room)
    maya.board.begins_at = clock() + timedelta(hours=1)
    conversation, approval = asked(maya)
    clock.advance(hours=2)
    maya.services.turns.recover()

    with pytest.raises(
        ApprovalError, match=r"The time of this is past \(Note: Read chapter 4\)\. Nothing was changed\."
    ):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    waiting = _now(maya, approval)
    maya.services.turns.decide(maya.maya, approval.id, "decline")

    assert (waiting.status, waiting.is_past(clock())) == (ApprovalStatus.PENDING, True)
    assert decided(maya, conversation, approval).status is ApprovalStatus.DECLINED
    assert maya.board.pins == []


def test_a_card_whose_time_is_past_is_done_once_it_has_another_time(room: RoomMaker) -> None:
    maya, clock = _room(room)
    maya.board.begins_at = clock() + timedelta(hours=1)
    conversation, approval = asked(maya)
    clock.advance(hours=2)
    maya.board.begins_at = clock() + timedelta(hours=1)

    maya.services.turns.decide(maya.maya, approval.id, "approve", {"text": "Read chapter 4 tonight"})

    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE


@pytest.mark.each_store
def test_what_is_past_is_gone_after_a_day(room: RoomMaker) -> None:
    maya, clock = _room(room)
    maya.board.begins_at = clock() + timedelta(hours=1)
    _, approval = asked(maya)
    clock.advance(days=1, seconds=1)

    with pytest.raises(ApprovalError, match="waited too long"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert maya.services.approvals.waiting(maya.maya.id, 9) == []


def test_what_waits_for_an_account_that_was_disconnected_waits_a_day_and_no_longer(room: RoomMaker) -> None:
    maya, clock = _room(room)
    _, old = asked(maya)
    clock.advance(days=3)
    young = maya.services.gateway.call(maya.maya, *PIN, asked_by="Laptop").approval_request_id
    assert young

    maya.services.connections.disconnect(maya.maya.id, "board")
    maya.connect()

    assert _now(maya, old).status is ApprovalStatus.EXPIRED
    assert [card.id for card in maya.services.approvals.waiting(maya.maya.id, 9)] == [young]
    clock.advance(days=1, seconds=1)
    assert maya.services.approvals.waiting(maya.maya.id, 9) == []


def test_a_chat_goes_on_after_its_card_has_expired_with_its_account(room: RoomMaker) -> None:
    maya, clock = _room(room)
    conversation, _ = asked(maya)
    clock.advance(days=3)
    maya.services.connections.disconnect(maya.maya.id, "board")
    clock.advance(seconds=5)
    maya.services.turns.recover()

    maya.ask("Hello", conversation)

    assert "The student did not decide in time. Nothing was changed." in told(maya)


def _room(room: RoomMaker) -> tuple[Room, FakeClock]:
    clock = FakeClock(utc_now())
    return room(calls(PIN), says("It is on the board."), clock=clock), clock


def _now(maya: Room, approval: Approval) -> Approval:
    return maya.services.approvals.get(maya.maya.id, approval.id)

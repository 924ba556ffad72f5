"""A card is done in the account that it was made with, or not at all."""

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import ApprovalError
from services.storage.leases import approval_lease
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, decided, settled

pytestmark = pytest.mark.any_store


def pins(maya: Room) -> list[str]:
    return [*maya.board.notes.values(), *maya.board.pins]


def test_a_card_of_one_account_is_refused_once_another_is_connected(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.connect(as_whom="Somebody else")

    with pytest.raises(ApprovalError, match="Another Board account is connected now") as refused:
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    with pytest.raises(ApprovalError, match="Another Board account"):
        maya.services.turns.decide(maya.maya, approval.id, "approve", {"text": "Other words"})

    assert "Nothing was changed" in refused.value.next_step
    assert pins(maya) == []
    assert maya.services.approvals.get(maya.maya.id, approval.id).status is ApprovalStatus.PENDING
    maya.connect()
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE


def test_a_refused_card_can_be_declined(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("As you like."))
    conversation, approval = asked(maya)
    maya.connect(as_whom="Somebody else")

    maya.services.turns.decide(maya.maya, approval.id, "decline")

    assert decided(maya, conversation, approval).status is ApprovalStatus.DECLINED


def test_a_write_cut_off_by_a_crash_is_not_repeated_in_another_account(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    _, approval = asked(maya)
    maya.services.approvals.start_execution(maya.maya.id, approval)
    lease = approval_lease(maya.maya.id, approval.id)
    dead = {"id": lease.name, "student": maya.maya.id, "work": approval.id, "kind": "approval"}
    maya.services.store.shared.insert("leases", {**dead, "holder": "dead", "until": ""})
    maya.connect(as_whom="Somebody else")

    maya.services.turns.recover()
    ended = settled(maya, approval.id)

    assert ended.status is ApprovalStatus.UNKNOWN
    assert "Another Board account" in ended.outcome
    assert pins(maya) == []


def test_an_account_whose_id_is_not_known_counts_as_another_once_it_is_connected_again(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    maya.services.store.for_student(maya.maya.id).compare_and_set("connections", "board", {}, {"account_id": ""})
    _, approval = asked(maya)
    maya.connect()

    with pytest.raises(ApprovalError, match="Another Board account"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert pins(maya) == []


def test_an_id_that_becomes_known_after_the_card_changes_nothing(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    mine = maya.services.store.for_student(maya.maya.id)
    mine.compare_and_set("connections", "board", {}, {"account_id": ""})
    conversation, approval = asked(maya)
    mine.compare_and_set("connections", "board", {}, {"account_id": "known now"})

    maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE

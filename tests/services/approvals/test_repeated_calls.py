"""An identical write within a minute gets the card that waits, at every door and on every replica, on both engines."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem
from services.runtime.clock import utc_now
from services.tools.gateway import MOST_WAITING
from tests.agent_fakes import calls, says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, settled
from tests.services.approvals.test_programs import ask

pytestmark = pytest.mark.any_store


def waiting_cards(maya: Room) -> list[str]:
    return [approval.id for approval in maya.services.approvals.pending_from_programs(maya.maya.id, 100)]


def test_the_same_write_within_a_minute_has_one_card_and_is_done_once(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(clock=clock)

    first = ask(maya, "chalk")
    clock.advance(seconds=60)
    again = ask(maya, "chalk")

    assert again == first
    assert waiting_cards(maya) == [first]
    maya.services.turns.decide(maya.maya, again, "approve")
    assert settled(maya, first).status is ApprovalStatus.DONE
    assert maya.board.pins == [first]


def test_later_it_is_a_card_of_its_own(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(clock=clock)

    first = ask(maya, "chalk")
    clock.advance(seconds=61)
    later = ask(maya, "chalk")

    assert later != first
    assert set(waiting_cards(maya)) == {first, later}


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_what_is_decided_stands_for_no_new_call(room: RoomMaker, decision: str) -> None:
    maya = room()
    cards = []
    for _ in range(3):
        cards.append(ask(maya, "chalk"))
        maya.services.turns.decide(maya.maya, cards[-1], decision)
        settled(maya, cards[-1])

    assert len(set(cards)) == 3
    assert maya.board.pins == (cards if decision == "approve" else [])


def test_a_card_that_the_student_edits_does_not_stand_for_the_next_call(room: RoomMaker) -> None:
    maya = room()
    first = ask(maya, "chalk")
    maya.services.turns.decide(maya.maya, first, "approve", {"text": "red chalk"})
    settled(maya, first)

    again = ask(maya, "chalk")

    assert again != first
    assert waiting_cards(maya) == [again]


def test_other_arguments_tools_assistants_and_students_have_cards_of_their_own(room: RoomMaker) -> None:
    maya = room()
    diego = maya.sign_in("diego")
    maya.connect(diego)
    gateway = maya.services.gateway
    asked_for = [
        gateway.call(maya.maya, "board_pin", {"text": "chalk"}, asked_by="Laptop"),
        gateway.call(maya.maya, "board_pin", {"text": "Chalk"}, asked_by="Laptop"),
        gateway.call(maya.maya, "board_pin", {"text": "chalk"}, asked_by="Laptop", assistant="course_companion"),
        gateway.call(maya.maya, "planner_create_task", {"title": "chalk"}, asked_by="Laptop"),
        gateway.call(diego, "board_pin", {"text": "chalk"}, asked_by="Laptop"),
    ]

    assert all(result.requires_approval for result in asked_for)
    assert len({result.approval_request_id for result in asked_for}) == len(asked_for)


@pytest.mark.each_store
def test_of_identical_calls_at_once_on_several_replicas_one_card_is_kept(room: RoomMaker) -> None:
    maya = room()
    replicas = [maya, maya.replica(), maya.replica()]
    with ThreadPoolExecutor(6) as pool:
        for number in range(5):
            cards = set(pool.map(lambda replica, number=number: ask(replica, f"note {number}"), replicas * 2))
            assert len(cards) == 1

    assert len(waiting_cards(maya)) == 5


def test_a_repeat_is_told_its_card_when_no_other_may_wait(room: RoomMaker) -> None:
    maya = room()
    cards = [ask(maya, f"note {number}") for number in range(MOST_WAITING)]

    assert ask(maya, f"note {MOST_WAITING - 1}") == cards[-1]


def test_a_model_that_calls_twice_in_one_step_shows_one_card_and_reads_two_results(room: RoomMaker) -> None:
    maya = room(calls(PIN, PIN), says("Pinned."))

    conversation, card = asked(maya)
    maya.services.turns.decide(maya.maya, card.id, "approve")
    maya.watch(conversation)

    results = [b for m in maya.model.requests[-1].messages for b in m["content"] if b["type"] == "tool_result"]
    assert maya.board.pins == [card.id]
    assert len(results) == 2
    assert len({result["tool_use_id"] for result in results}) == 2
    assert results[0]["content"] == results[1]["content"]
    assert [item for item in maya.items(conversation) if isinstance(item, ApprovalItem)] == [
        ApprovalItem(approval_id=card.id)
    ]

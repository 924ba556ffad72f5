"""Approvals over HTTP: given once, for exactly what was shown, done once, undone and found like those of the chat."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx2
import pytest

from services.approvals.approval import ApprovalStatus
from services.approvals.card_lifetime import MOST
from services.errors import ChangedElsewhere, OutcomeUnknown
from services.runtime.clock import utc_now
from services.storage.leases import Leases, approval_lease
from tests.agent_fakes import WAIT_S, calls, says
from tests.api.room import ApiRoom, Program, error_of
from tests.fakes import FakeClock


def test_a_write_is_asked_for_approved_and_done_under_the_approvals_id(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("Read chapter 4")

    answer = api.maya.decide(waiting)

    assert (answer.status_code, answer.json()["status"]) == (200, "done")
    assert answer.json()["outcome"] == "Pinned “Read chapter 4”."
    assert answer.json()["link"] == f"https://board.example/{waiting}"
    assert api.board.pins == [waiting]
    (entry, *_) = api.services.activity.latest_entries(api.maya.student.id, 5)
    assert (entry.approval_id, entry.effect) == (waiting, "write")


def test_the_list_begins_with_what_waits(api: ApiRoom) -> None:
    old = api.maya.ask_to_pin("waits since earlier")
    done = api.maya.ask_to_pin("decided")
    api.maya.decide(done)

    found = api.maya.get("/api/approvals").json()["approvals"]

    assert [(approval["id"], approval["status"]) for approval in found] == [(old, "pending"), (done, "done")]
    assert found[0]["rows"] == [{"label": "Note", "value": "waits since earlier", "before": None}]
    assert len(api.maya.get("/api/approvals?limit=1").json()["approvals"]) == 1


@pytest.mark.parametrize("limit", ["0", "201", "x", "-1", "1.5", ""])
def test_a_limit_that_makes_no_sense_is_refused(api: ApiRoom, limit: str) -> None:
    answer = api.maya.get("/api/approvals", params={"limit": limit})

    assert (answer.status_code, error_of(answer)) == (422, "bad_request")


@pytest.mark.parametrize("second", ["approve", "decline"])
@pytest.mark.parametrize("first", ["approve", "decline"])
def test_a_decision_counts_once(api: ApiRoom, first: str, second: str) -> None:
    waiting = api.maya.ask_to_pin("once")

    assert api.maya.decide(waiting, first).status_code == 200
    again = api.maya.decide(waiting, second)

    assert (again.status_code, error_of(again)) == (409, "already_decided")
    assert len(api.board.pins) == (first == "approve")


def test_four_programs_that_approve_together_write_once(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("once")
    together = threading.Barrier(4)
    key = {"authorization": f"Bearer {api.maya.key.secret}"}

    def approve(client: httpx2.Client) -> int:
        together.wait(WAIT_S)
        return client.post(f"/api/approvals/{waiting}", json={"decision": "approve"}, headers=key).status_code

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(approve, [api.client, api.client, api.replica(), api.replica()]))

    assert sorted(codes) == [200, 409, 409, 409]
    assert api.board.pins == [waiting]


def test_an_edit_is_validated_anew_and_done_as_edited(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("Read chapter 4")

    refused = api.maya.decide(waiting, arguments={"text": "x"})
    unknown = api.maya.decide(waiting, arguments={"text": "fine", "userId": "x"})
    done = api.maya.decide(waiting, arguments={"text": "Read chapter 5"})

    assert [error_of(refused), error_of(unknown)] == ["bad_arguments", "bad_arguments"]
    assert (refused.status_code, done.status_code) == (422, 200)
    assert done.json()["rows"][0]["value"] == "Read chapter 5"
    assert list(api.board.notes.values()) == ["Read chapter 5"]


def test_a_request_that_waited_too_long_is_gone(make_api: Callable[..., ApiRoom]) -> None:
    clock = FakeClock(utc_now())
    api = make_api(clock=clock)
    waiting = api.maya.ask_to_pin("too late")
    clock.at += MOST + timedelta(seconds=1)

    answer = api.maya.decide(waiting)
    api.services.turns.recover()
    later = api.maya.decide(waiting)

    assert (answer.status_code, error_of(answer)) == (410, "expired")
    assert (later.status_code, error_of(later)) == (410, "expired")
    assert api.maya.get("/api/approvals").json()["approvals"][0]["status"] == "expired"
    assert api.board.pins == []


def test_what_is_past_is_not_approved_but_declined_or_given_another_time(make_api: Callable[..., ApiRoom]) -> None:
    clock = FakeClock(utc_now())
    api = make_api(clock=clock)
    api.board.begins_at = clock() + timedelta(hours=1)
    late, other = api.maya.ask_to_pin("too late"), api.maya.ask_to_pin("later")
    clock.at += timedelta(hours=2)
    api.board.begins_at = clock() + timedelta(hours=1)

    refused = api.maya.decide(late)

    assert (refused.status_code, error_of(refused)) == (409, "not_possible")
    assert "The time of this is past" in refused.json()["error"]["message"]
    assert api.maya.decide(late, "decline").json()["status"] == "declined"
    assert api.maya.decide(other, arguments={"text": "later than that"}).json()["status"] == "done"
    assert api.board.pins == [other]


def test_the_account_must_still_be_connected_and_the_request_goes_on_waiting(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("later")
    api.services.connections.disconnect(api.maya.student.id, "board")

    answer = api.maya.decide(waiting)
    api.room.connect()

    assert (answer.status_code, error_of(answer)) == (409, "not_possible")
    assert api.maya.decide(waiting).json()["status"] == "done"


def test_an_outcome_that_nobody_knows_is_told_as_such(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("perhaps")
    api.board.failure = OutcomeUnknown("Board", "The board did not answer.")

    answer = api.maya.decide(waiting)

    assert (answer.status_code, answer.json()["status"]) == (200, "unknown")
    assert "look there" in answer.json()["outcome"]


@pytest.mark.parametrize("id", ["nothing", "0" * 32, "..", "%2e%2e%2fx", "a%00b", "é"])
def test_an_unknown_request_is_not_found(api: ApiRoom, id: str) -> None:
    answer = api.maya.decide(id)

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


@pytest.mark.parametrize(
    "body", [{}, {"decision": "yes"}, {"decision": None}, {"decision": "approve", "arguments": []}]
)
def test_a_decision_is_one_of_two_words(api: ApiRoom, body: dict[str, object]) -> None:
    waiting = api.maya.ask_to_pin("waits")

    answer = api.maya.post(f"/api/approvals/{waiting}", body)

    assert (answer.status_code, error_of(answer)) == (422, "bad_request")
    assert api.services.approvals.get(api.maya.student.id, waiting).status is ApprovalStatus.PENDING


def test_what_a_program_did_is_undone_like_anything_else(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("for a moment")
    api.maya.decide(waiting)

    undone = api.services.turns.undo(api.maya.student, waiting)

    assert undone.status is ApprovalStatus.UNDONE
    assert api.board.notes == {}


def test_what_was_changed_since_is_not_undone(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("kept")
    api.maya.decide(waiting)
    api.board.failure = ChangedElsewhere("Board", "The note was changed since.")

    assert api.services.turns.undo(api.maya.student, waiting).status is ApprovalStatus.UNDO_REFUSED


def test_who_comes_second_hears_so_also_before_the_first_has_left_a_mark(api: ApiRoom) -> None:
    """As another replica would hold it (R65)."""
    waiting = api.maya.ask_to_pin("both at once")
    assert Leases(api.services.store, api.services.clock).acquire(approval_lease(api.maya.student.id, waiting))

    answer = api.maya.decide(waiting)

    assert (answer.status_code, error_of(answer)) == (409, "already_decided")
    assert api.board.pins == []


def test_a_key_that_may_only_approve_changes_nothing_of_what_was_asked(api: ApiRoom) -> None:
    approver = api.program(api.maya.student, "approve")
    waiting = api.maya.ask_to_pin("Read chapter 4")

    edited = approver.decide(waiting, arguments={"text": "Give it all away"})
    as_asked = approver.decide(waiting)

    assert (edited.status_code, error_of(edited)) == (403, "insufficient_scope")
    assert as_asked.json()["outcome"] == "Pinned “Read chapter 4”."
    assert list(api.board.pins) == [waiting]


def test_the_student_decides_in_homeroom_on_what_a_program_asked(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("ask me")

    (card,) = api.services.approvals.from_programs(api.maya.student.id, 5)
    api.services.turns.decide(api.maya.student, card.id, "decline")

    assert card.id == waiting
    assert error_of(api.maya.decide(waiting)) == "already_decided"


def test_a_card_of_the_chat_is_approved_by_a_program_and_the_turn_goes_on(api: ApiRoom) -> None:
    pin = ("board_pin", {"text": "From the chat"})
    api.room.model.script = [calls(pin), says("It is on the board.")]
    conversation, _ = api.room.ask("Pin it")
    (waiting,) = api.maya.get("/api/approvals").json()["approvals"]

    answer = api.maya.decide(waiting["id"])
    view = api.room.watch(conversation)

    assert waiting["conversation_id"] == conversation
    assert answer.json()["status"] == "done"
    assert view.status.value == "done"
    assert api.board.pins == [waiting["id"]]


def test_a_program_of_another_student_never_decides(api: ApiRoom) -> None:
    waiting = api.maya.ask_to_pin("mine")

    codes = [api.diego.decide(waiting, decision).status_code for decision in ("approve", "decline")]

    assert codes == [404, 404]
    assert api.services.approvals.get(api.maya.student.id, waiting).status is ApprovalStatus.PENDING


def test_a_key_that_only_asks_never_approves(api: ApiRoom) -> None:
    asking: Program = api.program(api.maya.student, "read", "write")
    waiting = asking.ask_to_pin("asked")

    answer = asking.decide(waiting)

    assert (answer.status_code, error_of(answer)) == (403, "insufficient_scope")
    assert api.board.pins == []

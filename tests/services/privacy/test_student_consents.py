"""Consent: nothing of a student goes to a model or a program before they agreed, nor after they withdrew it (T17)."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace

import pytest

from services.connections.connection import Health
from services.conversations.turn_records import TurnStatus
from services.errors import ConsentRequired
from services.files.upload import Upload
from services.identity.students import Student
from services.privacy.data_export import export_archive
from services.safety import consent_terms
from services.safety.consent import CHAT, ConsentStatus
from tests.agent_fakes import Gate, calls, loaded_tools, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked

pytestmark = pytest.mark.any_store

ASK = {"HOMEROOM_CONSENT": "ask"}
THROUGH_A_GATEWAY = {**ASK, "ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": "https://gateway.example.edu/v1"}
READ = ("board_read", {})


def agree_to_all(room: Room) -> None:
    student = student_of(room)
    asked_for = room.services.consents.asked(student, room.services.connections.all(student.id))
    room.services.consents.agree(student, [state.terms for state in asked_for])


def student_of(room: Room) -> Student:
    student = room.services.students.get(room.maya.id)
    assert student is not None
    return student


def asked_subjects(room: Room) -> list[str]:
    student = student_of(room)
    found = room.services.consents.asked(student, room.services.connections.all(student.id))
    return [state.terms.subject for state in found]


def forget_consents(room: Room) -> None:
    """Make Maya a student of before consents were stored."""
    room.services.store.shared.compare_and_set("students", room.maya.id, {}, {"consent": None})
    mine = room.services.store.for_student(room.maya.id)
    mine.compare_and_set("connections", "board", {}, {"consent": None})


def test_the_first_message_waits_and_nothing_of_it_is_stored_or_sent(room: RoomMaker) -> None:
    maya = room(settings=ASK)

    with pytest.raises(ConsentRequired) as refused:
        maya.services.turns.start_chat(maya.maya, "What is due?")

    assert refused.value.address == "http://localhost:8501/"
    assert maya.model.requests == []
    assert maya.services.conversations.list(maya.maya.id, 5) == []

    agree_to_all(maya)
    maya.ask("What is due?")
    assert len(maya.model.requests) == 1


START: dict[str, Callable[[Room, str], object]] = {
    "a new chat": lambda room, _: room.services.turns.start_chat(room.maya, "Hello"),
    "the next message": lambda room, chat: room.services.turns.start_turn(room.maya, chat, "Hello"),
    "a sent one": lambda room, chat: room.services.submissions.submit(
        student_of(room), "Hello", [Upload(name="a.txt", content=b"mine")], key="k", conversation_id=chat
    ),
    "retry": lambda room, chat: room.services.turns.retry(room.maya, chat),
    "continue": lambda room, chat: room.services.turns.resume(room.maya, chat),
    "a branch": lambda room, chat: room.services.chats.branches.ask_instead(room.maya, chat, 1, "Hello"),
}


@pytest.mark.parametrize("way", START)
def test_no_way_to_the_model_leads_past_a_withdrawn_consent(room: RoomMaker, way: str) -> None:
    maya = room(settings=ASK)
    agree_to_all(maya)
    chat, _ = maya.ask("Hi")
    requests = len(maya.model.requests)
    maya.services.consents.withdraw(maya.maya, CHAT)

    with pytest.raises(ConsentRequired):
        START[way](maya, chat)

    assert len(maya.model.requests) == requests
    assert asked_subjects(maya) == [CHAT]


def test_an_answer_that_is_being_written_stops_when_a_consent_is_withdrawn(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate.wait, *says("Never heard.")], settings=ASK)
    agree_to_all(maya)
    chat = maya.services.turns.start_chat(maya.maya, "Hi")

    maya.services.consents.withdraw(maya.maya, CHAT)
    gate.open()

    view = maya.services.turns.stored_view(maya.maya.id, chat)
    assert view is not None
    assert view.status is TurnStatus.STOPPED


@pytest.mark.parametrize("when", ["before it", "during it"])
def test_an_approved_write_is_done_and_told_to_nobody_after_a_withdrawal(room: RoomMaker, when: str) -> None:
    maya = room(calls(PIN), says("Done."), settings=ASK)
    agree_to_all(maya)
    _, approval = asked(maya)
    if when == "before it":
        maya.services.consents.withdraw(maya.maya, CHAT)
    else:
        maya.board.after = lambda _: maya.services.consents.withdraw(maya.maya, CHAT)

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.services.turns.drain(5)

    assert maya.board.pins == [approval.id]
    assert len(maya.model.requests) == 1


def test_a_card_waits_for_the_consent_to_its_account_and_can_be_undone_without(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."), settings=ASK)
    agree_to_all(maya)
    _, approval = asked(maya)
    maya.services.consents.withdraw(maya.maya, "board")

    with pytest.raises(ConsentRequired) as refused:
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert refused.value.address.endswith("/connections")
    assert maya.board.pins == []


def test_without_the_consent_to_an_account_its_tools_are_not_offered_and_it_stays_connected(room: RoomMaker) -> None:
    maya = room(calls(READ), says("…"), says("…"), settings=ASK)
    agree_to_all(maya)
    maya.services.consents.withdraw(maya.maya, "board")

    chat, _ = maya.ask("What is on the board?")

    assert not {name for name in loaded_tools(maya.model.requests[0]) if name.startswith("board")}
    assert maya.services.connections.all(maya.maya.id)["board"].health is Health.HEALTHY
    assert maya.board.contexts == []
    assert asked_subjects(maya) == [], "who said no is not asked at each message"

    terms = maya.services.connections.consents.terms("board")
    maya.services.consents.agree(maya.maya, [terms])
    maya.ask("And now?", chat)
    assert "board_read" in loaded_tools(maya.model.requests[-1])


def test_the_students_own_pages_read_an_account_without_a_consent(room: RoomMaker) -> None:
    maya = room(settings=ASK)
    maya.services.consents.withdraw(maya.maya, "board")

    (result,) = maya.services.gateway.call_all(maya.maya, [READ], asked_by="This week")
    by_hand = maya.services.gateway.call(maya.maya, *READ, asked_by="the Tools page", by_hand=True)

    assert (result.success, by_hand.success) == (True, True)
    with pytest.raises(ConsentRequired):
        maya.services.gateway.call(maya.maya, *READ, asked_by="a program")


def test_a_student_of_today_is_asked_for_the_chat_and_each_account_at_once(room: RoomMaker) -> None:
    maya = room(settings=ASK)
    forget_consents(maya)

    assert asked_subjects(maya) == [CHAT, "board"]
    agree_to_all(maya)
    assert asked_subjects(maya) == []
    maya.ask("Hello")
    assert "board_read" in loaded_tools(maya.model.requests[0])


@pytest.mark.parametrize(
    "changed",
    [
        THROUGH_A_GATEWAY,
        {**ASK, "ANTHROPIC_API_KEY": "key"},
        {**ASK, "HOMEROOM_MCP_SERVERS": '{"library": {"url": "https://mcp.example.edu/mcp"}}'},
    ],
    ids=["gateway", "provider", "another who receives words"],
)
def test_what_changes_is_asked_about_again(room: RoomMaker, changed: dict[str, str]) -> None:
    maya = room(settings=ASK)
    agree_to_all(maya)

    later = maya.replica(settings=changed)

    assert CHAT in asked_subjects(later)
    with pytest.raises(ConsentRequired):
        later.services.turns.start_chat(later.maya, "Hello")
    agree_to_all(later)
    assert asked_subjects(later) == []
    later.services.turns.drain(1)


def test_shorter_words_ask_nobody_again(room: RoomMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    maya = room(settings=ASK)
    agree_to_all(maya)
    board = maya.services.integrations["board"]
    maya.services.integrations["board"] = replace(board, consent="Shorter.")  # type: ignore[index]
    for name in ("_CHAT", "_CHAT_AND_OTHERS", "_PROGRAMS"):
        monkeypatch.setattr(consent_terms, name, "Shorter.")

    assert asked_subjects(maya) == []
    maya.ask("Hello")


def test_a_purpose_of_an_account_is_asked_about_when_it_is_new_and_nothing_else_is(room: RoomMaker) -> None:
    maya = room(settings=ASK)
    agree_to_all(maya)
    board = maya.services.integrations["board"]
    more = replace(board, purposes=board.purposes | {"figures of a class"})
    maya.services.integrations["board"] = more  # type: ignore[index]

    states = maya.services.consents.states(student_of(maya), maya.services.connections.all(maya.maya.id))

    assert {state.terms.subject: state.status for state in states} == {
        CHAT: ConsentStatus.GIVEN,
        "board": ConsentStatus.OUTDATED,
    }
    with pytest.raises(ConsentRequired):
        maya.services.gateway.call(maya.maya, *READ, asked_by="a program")


def test_a_recipient_of_searches_is_asked_about_in_the_chat_alone(room: RoomMaker) -> None:
    maya = room(settings=ASK)
    agree_to_all(maya)

    later = maya.replica(
        settings={**ASK, "HOMEROOM_MCP_SERVERS": '{"library": {"url": "https://mcp.example.edu/mcp"}}'}
    )

    assert asked_subjects(later) == [CHAT]
    later.services.turns.drain(1)


def test_an_export_tells_what_was_agreed_to_and_when(room: RoomMaker) -> None:
    maya = room(settings=THROUGH_A_GATEWAY)
    agree_to_all(maya)

    archive = export_archive(maya.services, student_of(maya))

    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        (student,) = json.loads(opened.read("data/students.json"))
        (board,) = json.loads(opened.read("data/connections.json"))
    assert (student["consent"]["provider"], student["consent"]["gateway"]) == (
        "Anthropic",
        "https://gateway.example.edu",
    )
    assert "by way of gateway.example.edu" in student["consent"]["text"]
    assert student["consent"]["given_by"] == "student"
    assert board["consent"]["version"]
    assert board["consent"]["given_at"]
    assert board["consent"]["withdrawn_at"] is None


def test_where_students_agree_before_they_come_nobody_is_asked_and_it_is_recorded(room: RoomMaker) -> None:
    maya = room()

    assert asked_subjects(maya) == []
    maya.ask("Hello")

    consent = student_of(maya).consent
    assert consent is not None
    assert consent.given_by == "operator"
    maya.services.consents.withdraw(maya.maya, CHAT)
    assert asked_subjects(maya) == [CHAT]

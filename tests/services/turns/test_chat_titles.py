"""Chats get a short title of their own after the first answer, and keep each name that a student gave (T34, R80)."""

from typing import Any

import pytest

from services.conversations.titles import ChatNames
from services.conversations.turn_records import TurnRecords
from services.errors import ModelUnavailable, SettingsError
from services.llm.chat_model import Payer
from services.turns.chat_titles import MAX_TOKENS, ChatTitles, are_made_by_model, title_in
from tests.agent_fakes import FakeModel, Gate, instructions, says
from tests.rooms import Room, RoomMaker, eventually

pytestmark = pytest.mark.any_store

QUESTION = "Hi! could you explain why water moves through membranes before my quiz on friday?"
LOCAL = "Explain why water moves through membranes before my quiz…"
ANSWER = says("Because of the water potential.")


class Desk:
    """A room whose chats are named by a scripted model; `counted` is what was put on the student's account."""

    def __init__(self, room: Room, *script: Any) -> None:
        self.room, self.model, self.counted = room, FakeModel(*script), list[Any]()
        services = room.services
        services.accounting.record_side_request = lambda *facts: self.counted.append(facts)  # type: ignore[method-assign]
        self.titles = ChatTitles(
            model=self.model,
            name="quick",
            accounting=services.accounting,
            students=services.students,
            conversations=services.conversations,
            names=ChatNames(services.store, room.clock, services.conversations.changes),
            payer=lambda student_id, assistant: Payer(student_id=student_id),
        )

    def ask(self, text: str, chat: str | None = None) -> str:
        chat, _ = self.room.ask(text, chat)
        self.room.services.turns.wait_for_deferred_work(10)
        return chat

    def begin(self, chat: str) -> Any:
        record = TurnRecords(self.room.services.store, self.room.clock).last(self.room.maya.id, chat)
        return self.titles.name_after_turn(self.room.maya.id, record)

    def name(self, chat: str) -> None:
        if naming := self.begin(chat):
            naming.result(10)

    def title(self, chat: str) -> str:
        return self.room.services.conversations.get(self.room.maya.id, chat).title


def test_a_chat_is_named_by_the_quick_model_after_its_first_answer(room: RoomMaker) -> None:
    desk = Desk(room(ANSWER), says("Osmosis before the quiz"))
    chat = desk.ask(QUESTION)
    assert desk.title(chat) == LOCAL

    desk.name(chat)

    assert desk.title(chat) == "Osmosis before the quiz"
    (request,) = desk.model.requests
    assert (request.model, request.tools, request.max_tokens) == ("quick", (), MAX_TOKENS)
    assert "English" in str(request.messages)
    assert "Maya" not in str(request.messages)
    assert [facts[:2] for facts in desk.counted] == [(desk.room.maya.id, "quick")]


def test_it_is_asked_for_once(room: RoomMaker) -> None:
    desk = Desk(room(ANSWER), says("Osmosis"))
    chat = desk.ask(QUESTION)
    desk.name(chat)
    desk.name(chat)

    desk.ask("And what is diffusion, in a few words?", chat)
    desk.name(chat)

    assert len(desk.model.requests) == 1
    assert desk.title(chat) == "Osmosis"


def test_a_name_that_the_student_gave_is_never_touched(room: RoomMaker) -> None:
    desk = Desk(room(ANSWER), says("Osmosis"))
    chat = desk.ask(QUESTION)
    desk.room.services.conversations.rename(desk.room.maya.id, chat, "My own name")

    desk.name(chat)

    assert (desk.title(chat), desk.model.requests) == ("My own name", [])


def test_nor_one_that_they_give_while_the_model_writes(room: RoomMaker) -> None:
    gate = Gate()
    desk = Desk(room(ANSWER), [gate, *says("Osmosis")])
    chat = desk.ask(QUESTION)
    naming = desk.begin(chat)
    assert gate.reached.wait(10)

    desk.room.services.conversations.rename(desk.room.maya.id, chat, "My own name")
    gate.open()
    naming.result(10)

    assert desk.title(chat) == "My own name"


def test_without_the_model_the_title_of_the_question_stays(room: RoomMaker) -> None:
    desk = Desk(room(ANSWER), ModelUnavailable("The model is away."))
    chat = desk.ask(QUESTION)

    desk.name(chat)

    assert desk.title(chat) == LOCAL


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(says(""), id="nothing"),
        pytest.param(says("Osmosis\nand more"), id="two lines"),
        pytest.param(says("This chat is about " + "water and " * 20), id="too long"),
        pytest.param(says("Osmosis", stop_reason="max_tokens"), id="cut off"),
        pytest.param(says("Win at https://evil.example/now"), id="an address"),
        pytest.param(says("Log in at evil.example"), id="a host"),
        pytest.param(says("Write to win@evil.example"), id="an e-mail address"),
        pytest.param(says("Osmosis `rm` | <b>"), id="markup"),
    ],
)
def test_what_is_no_title_is_refused(reply: Any) -> None:
    assert title_in(reply[-1]) == ""


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ('"Osmosis and water potential."', "Osmosis and water potential"),
        ("**Osmosis**", "Osmosis"),
        ("# Osmosis", "Osmosis"),
        ("[Osmosis](https://evil.example)", "Osmosis"),
        ("Os\u202emosis", "Osmosis"),
    ],
)
def test_markup_and_hidden_signs_are_taken_off(said: str, shown: str) -> None:
    assert title_in(says(said)[-1]) == shown


def test_the_language_of_the_student_is_named(room: RoomMaker) -> None:
    desk = Desk(room(ANSWER), says("Ósmosis"))
    desk.room.services.students.set_language(desk.room.maya.id, "es")
    chat = desk.ask(QUESTION)

    desk.name(chat)

    assert "Spanish" in str(desk.model.requests[0].messages)
    assert desk.title(chat) == "Ósmosis"


def test_the_setting_has_the_quick_model_name_chats(room: RoomMaker) -> None:
    def answer_or_title(request: Any) -> Any:
        return says("Osmosis before the quiz") if "You name a chat" in instructions(request) else ANSWER

    here = room(answer_or_title, settings={"HOMEROOM_CHAT_TITLES": "model"})
    chat, _ = here.ask(QUESTION)

    eventually(lambda: here.services.conversations.get(here.maya.id, chat).title == "Osmosis before the quiz")


def test_an_unknown_setting_stops_the_start() -> None:
    assert are_made_by_model({})
    with pytest.raises(SettingsError, match="HOMEROOM_CHAT_TITLES"):
        are_made_by_model({"HOMEROOM_CHAT_TITLES": "perhaps"})

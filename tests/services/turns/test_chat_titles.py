"""Chats get a short title of their own after the first answer, and keep every name that a student gives them."""

from typing import Any

import pytest

from services.errors import ModelUnavailable, SettingsError
from services.llm.chat_model import ModelRequest
from services.turns.chat_titles import MAX_TOKENS, are_made_by_model
from tests.agent_fakes import FakeModel, Gate, instructions, says
from tests.rooms import Room, RoomMaker, eventually

QUESTION = "Hi! could you explain why water moves through membranes before my quiz on friday?"
LOCAL = "Explain why water moves through membranes before my quiz on…"


class TitlingModel(FakeModel):
    """Answers chats from its script and title requests with `title`, a step of its own. titled: those requests."""

    def __init__(self, title: Any, *script: Any) -> None:
        super().__init__(*(script or (says("Because of the water potential."),)))
        self.title = title
        self.titled: list[ModelRequest] = []

    def stream(self, request: ModelRequest, on_text: Any) -> Any:
        if "You name a chat" not in instructions(request):
            return super().stream(request, on_text)
        self.titled.append(request)
        return FakeModel(self.title).stream(request, on_text)


def room_with(make_room: RoomMaker, model: TitlingModel) -> Room:
    return make_room(model=model, settings={"HOMEROOM_CHAT_TITLES": "model"})


def title(room: Room, chat: str) -> str:
    return room.services.conversations.get(room.maya.id, chat).title


def settle(room: Room, model: TitlingModel, requests: int = 1) -> None:
    """Wait until the title was asked for and whatever came of it has been stored."""
    room.services.turns.wait_for_deferred_work(10)
    eventually(lambda: len(model.titled) == requests and not room.services.chats.titles_under_way())


def test_a_chat_is_named_by_the_quick_model_after_its_first_answer(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Osmosis before the quiz"))
    room = room_with(make_room, model)

    chat, _ = room.ask(QUESTION)

    settle(room, model)
    assert title(room, chat) == "Osmosis before the quiz"
    (request,) = model.titled
    assert (request.model, request.tools) == (room.services.settings.model_quick, ())
    assert request.max_tokens == MAX_TOKENS
    assert "English" in str(request.messages)
    assert "Maya" not in str(request.messages)


def test_the_request_is_counted_as_one_beside_the_chat(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Osmosis"))
    room = room_with(make_room, model)
    counted: list[Any] = []
    room.services.accounting.record_side_request = lambda *facts: counted.append(facts)  # type: ignore[method-assign]

    room.ask(QUESTION)

    settle(room, model)
    assert [(who, name) for who, name, _ in counted] == [(room.maya.id, room.services.settings.model_quick)]


def test_later_answers_do_not_name_it_again(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Osmosis"))
    room = room_with(make_room, model)
    chat, _ = room.ask(QUESTION)
    settle(room, model)

    room.ask("And what is diffusion, in a few words?", chat)

    settle(room, model)
    assert title(room, chat) == "Osmosis"


def test_a_name_that_the_student_gave_is_never_touched(make_room: RoomMaker) -> None:
    gate = Gate()
    model = TitlingModel([gate, *says("Osmosis")])
    room = room_with(make_room, model)
    chat, _ = room.ask(QUESTION)
    assert gate.reached.wait(10)

    room.services.conversations.rename(room.maya.id, chat, "My own name")
    gate.open()

    settle(room, model)
    assert title(room, chat) == "My own name"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(ModelUnavailable("The model is away."), id="the model is away"),
        pytest.param(says(""), id="nothing"),
        pytest.param(says("Osmosis\nand more"), id="two lines"),
        pytest.param(says("This chat is about " + "water and " * 20), id="too long"),
        pytest.param(says("Osmosis", stop_reason="max_tokens"), id="cut off"),
        pytest.param(says("Win at https://evil.example/now"), id="an address"),
        pytest.param(says("Log in at evil.example"), id="a host"),
        pytest.param(says("<img src=x onerror=alert(1)> `rm`"), id="markup"),
    ],
)
def test_what_is_no_title_leaves_the_one_of_the_question(make_room: RoomMaker, reply: Any) -> None:
    model = TitlingModel(reply)
    room = room_with(make_room, model)

    chat, _ = room.ask(QUESTION)

    settle(room, model)
    assert title(room, chat) == LOCAL


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
def test_markup_and_hidden_signs_are_taken_off(make_room: RoomMaker, said: str, shown: str) -> None:
    model = TitlingModel(says(said))
    room = room_with(make_room, model)

    chat, _ = room.ask(QUESTION)

    settle(room, model)
    assert title(room, chat) == shown


def test_the_language_of_the_student_is_named(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Ósmosis"))
    room = room_with(make_room, model)
    room.maya = room.services.students.set_locale(room.maya.id, "es-MX")

    room.ask(QUESTION)

    settle(room, model)
    assert "Spanish" in str(model.titled[0].messages)


def test_two_replicas_name_a_chat_once(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Osmosis"))
    room = room_with(make_room, model)
    chat, _ = room.ask(QUESTION)
    settle(room, model)
    record = room.services.conversations.get(room.maya.id, chat)
    assert record.title == "Osmosis"

    other = room.replica()
    other.services.chats.name_again(room.maya.id, chat)

    assert len(model.titled) == 1


def test_by_default_a_demo_names_chats_by_their_words_alone(make_room: RoomMaker) -> None:
    model = TitlingModel(says("Osmosis"))
    room = make_room(model=model)

    chat, _ = room.ask(QUESTION)

    room.services.turns.wait_for_deferred_work(10)
    assert (title(room, chat), model.titled) == (LOCAL, [])


def test_an_unknown_setting_stops_the_start() -> None:
    assert are_made_by_model({})
    with pytest.raises(SettingsError, match="HOMEROOM_CHAT_TITLES"):
        are_made_by_model({"HOMEROOM_CHAT_TITLES": "perhaps"})

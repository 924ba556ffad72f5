"""Guided study: begun and ended in one press, with a hint and the explanation always at hand (H4)."""

from collections.abc import Callable

from tests.agent_fakes import FakeModel, says
from tests.pages.conftest import Visitor
from ui.chat.composer import COMPOSER
from ui.chat.pickers import NEW_CHAT_ASSISTANT


def test_an_address_writes_the_first_message_and_sends_nothing(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(says("Hello.")))

    maya.opens(guide="osmosis")

    state = maya.page.session_state
    assert state[NEW_CHAT_ASSISTANT] == "guided_study"
    assert "osmosis" in str(maya.page.chat_input[0].value or state[COMPOSER])
    assert maya.room.model.requests == []


def test_a_chat_that_guides_has_hint_explanation_and_end_in_one_press(make_visitor: Callable[..., Visitor]) -> None:
    model = FakeModel(says("What do you know of it?"), says("Think of the salt."), says("It is water that moves."))
    maya = make_visitor(model=model)
    chat = maya.room.services.turns.start_chat(maya.student, "Study osmosis with me", assistant="guided_study")
    maya.room.watch(chat)
    maya.opens(c=chat)

    maya.presses("Give me a hint")
    maya.presses("Just tell me")
    told = maya.words
    maya.presses("End guided study")

    assert "It is water that moves." in told
    assert maya.room.services.conversations.get(maya.student.id, chat).assistant == "homeroom"
    assert "Just tell me" not in maya.labels
    asked = [message["content"][-1].get("text") for message in model.requests[-1].messages if message["role"] == "user"]
    assert asked[-2:] == ["Give me a hint", "Just tell me"]


def test_any_other_chat_has_none_of_these(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(says("Hello.")))
    maya.opens()
    maya.asks("Hello")

    assert not {"Give me a hint", "Just tell me", "End guided study"} & set(maya.labels)

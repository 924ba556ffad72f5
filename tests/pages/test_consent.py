"""Consent on the pages: asked above the field, kept what was written, withdrawn and given again in one click."""

from collections.abc import Callable

import pytest

from services.safety.consent import CHAT
from tests.agent_fakes import FakeModel, calls, loaded_tools, says
from tests.pages.conftest import Visitor

ASK = {"HOMEROOM_CONSENT": "ask", "ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": "https://gateway.example.edu"}


@pytest.fixture
def newcomer(make_visitor: Callable[..., Visitor]) -> Visitor:
    return make_visitor(settings=ASK, model=FakeModel(says("All is well."), says("Still well.")))


def test_a_new_students_first_message_waits_for_one_button_and_is_sent_then(newcomer: Visitor) -> None:
    newcomer.opens()
    asked = newcomer.words
    newcomer.asks("What is due this week?")
    waiting, requests = newcomer.words, len(newcomer.room.model.requests)

    newcomer.presses("I agree")

    assert "**Who reads it:** Anthropic's Claude by way of gateway.example.edu, to answer you." in asked
    assert "Homeroom sends what you write and attach" in asked, "the whole text stands behind More"
    assert ("What is due this week?" in waiting, requests) == (True, 0)
    assert "All is well." in newcomer.words
    assert "I agree" not in newcomer.labels
    assert len(newcomer.room.model.requests) == 1


def test_a_student_with_accounts_agrees_to_all_at_once_or_leaves_one_out(newcomer: Visitor) -> None:
    newcomer.room.connect()
    mine = newcomer.room.services.store.for_student(newcomer.student.id)
    mine.compare_and_set("connections", "board", {}, {"consent": None})
    newcomer.opens()

    assert "That includes your Board." in newcomer.words
    newcomer.presses("Leave Board out")
    newcomer.presses("I agree")
    newcomer.asks("What is on the board?")

    assert "All is well." in newcomer.words
    assert "board_read" not in loaded_tools(newcomer.room.model.requests[0])


def test_settings_list_what_was_agreed_to_and_take_it_back_in_one_click(newcomer: Visitor) -> None:
    newcomer.opens()
    newcomer.presses("I agree")
    settings = Visitor(newcomer.room)
    settings.opens("settings")
    listed = settings.words

    settings.page.button(key=f"withdraw-{CHAT}").click().run()
    newcomer.page.run()

    assert "You agreed on Mon 23 Nov 2026" in listed
    assert "sends nothing to the model any more until you agree again" in settings.words
    assert "You took this back on Mon 23 Nov 2026" in settings.words
    assert "I agree" in newcomer.labels


def test_a_suggestion_of_an_older_page_does_not_go_out_after_a_withdrawal_elsewhere(newcomer: Visitor) -> None:
    newcomer.opens()
    newcomer.presses("I agree")
    newcomer.room.services.consents.withdraw(newcomer.student, CHAT)

    newcomer.presses("Add a task to plan my week by Sunday")

    assert newcomer.room.model.requests == []
    newcomer.presses("I agree")
    assert len(newcomer.room.model.requests) == 1


def test_a_connections_card_tells_of_the_consent_and_changes_it(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor(model=FakeModel(calls(("board_read", {})), says("Nothing.")))
    maya.room.connect()
    maya.opens("connections")
    agreed = maya.words

    maya.page.button(key="withdraw-board").click().run()

    assert "You agreed on Mon 23 Nov 2026" in agreed
    assert "Answers and programs no longer use your Board. It stays connected for your own pages" in maya.words
    assert maya.room.services.connections.all(maya.student.id)["board"].health.offers_tools
    maya.page.button(key="agree-board").click().run()
    assert "You agreed on" in maya.words

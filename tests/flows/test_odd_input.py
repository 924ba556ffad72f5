"""What nobody expects to be typed."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.faults import model_requests
from tests.flows.person import Person

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_an_unknown_chat_is_told_and_gives_way_to_a_new_one(maya: Person) -> None:
    maya.open("/?c=no-such-chat")
    maya.sees("This chat is not here any more.")
    maya.ask("/say Hello")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("Hello")


@pytest.mark.soak
def test_an_absurdly_long_message_is_kept_and_not_sent(maya: Person) -> None:
    before = model_requests(maya.app)
    maya.open("/")
    maya.waits_for_the_end()
    maya.write("x" * 60_000)

    maya.sees(re.compile("longer than 50,000 characters"))
    expect(maya.field).to_have_value("x" * 60_000)
    assert model_requests(maya.app) == before


@pytest.mark.soak
def test_spaces_are_no_message_and_twenty_enters_send_one(maya: Person) -> None:
    before = model_requests(maya.app)
    maya.open("/")
    maya.waits_for_the_end()
    maya.write("   ")
    expect(maya.questions).to_have_count(0)
    maya.field.fill("/say Once")
    for _ in range(20):
        maya.field.press("Enter")
    expect(maya.answers).to_have_count(1)
    maya.waits_for_the_end()

    expect(maya.questions).to_have_count(1)
    assert model_requests(maya.app) == before + 1


@pytest.mark.soak
def test_emoji_and_other_scripts_come_back_as_they_were_written(maya: Person) -> None:
    text = "مرحبا بالعالم · שלום · 日本語 · 👩🏽‍🎓🏳️‍🌈 · ñandú"
    maya.ask_anew(f"/say {text}")
    maya.waits_for_the_end()

    expect(maya.questions.last).to_contain_text(text)
    expect(maya.answers.last).to_contain_text(text)


def test_markup_in_a_message_is_shown_as_it_was_typed(maya: Person) -> None:
    typed = "<b>bold</b> **stars** :red[red] :material/home: $x^2$ # not a heading"
    maya.ask_anew(typed)
    maya.waits_for_the_end()

    expect(maya.questions.last).to_contain_text(typed)
    assert maya.questions.last.locator("strong, h1, .katex").count() == 0

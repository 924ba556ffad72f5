"""The model fails before, in the middle of and instead of an answer; the student keeps their words and a next step."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.faults import fault, mend, speak
from tests.flows.person import Person

pytestmark = pytest.mark.browser

AT_ONCE_MS = 3_000


@pytest.mark.soak
def test_an_overload_before_the_first_word_keeps_the_message_and_offers_retry(maya: Person) -> None:
    fault(maya.app, "anthropic", "overloaded", times=0)
    maya.ask_anew("/say All is well again")
    maya.sees(re.compile("overloaded.*Press Retry"))
    mend(maya.app)
    maya.press("Retry")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("All is well again")
    expect(maya.questions).to_have_count(1)
    expect(maya.button("Retry")).to_have_count(0)


@pytest.mark.parametrize("kind", ["overloaded_midstream", pytest.param("early_end", marks=pytest.mark.soak)])
def test_an_answer_that_breaks_off_keeps_what_was_said_and_goes_on(maya: Person, kind: str) -> None:
    fault(maya.app, "anthropic", kind, after_words=20)
    maya.ask_anew("/say-long 60")
    maya.sees(re.compile("What was said is kept. Press Continue"))
    expect(maya.answers.last).to_contain_text("word15 ")
    maya.press("Continue")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("word15 ")
    expect(maya.button("Continue")).to_have_count(0)


@pytest.mark.soak
def test_stop_ends_a_stalled_answer_at_once_and_the_chat_goes_on(maya: Person) -> None:
    fault(maya.app, "anthropic", "stall", after_words=12)
    maya.ask_anew("/say-long 60")
    maya.sees(re.compile("word5 "))
    maya.press("Stop")
    maya.sees("You stopped this answer.", within_ms=AT_ONCE_MS)
    mend(maya.app)
    maya.ask("/say Here again")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("Here again")
    maya.sees(re.compile("word5 "))


@pytest.mark.soak
def test_a_request_that_the_model_refuses_is_told_without_a_dead_end(maya: Person) -> None:
    fault(maya.app, "anthropic", "refuse")
    maya.ask_anew("/say Hello")
    maya.waits_for_the_end()
    expect(maya.answers.last.get_by_role("status")).to_be_visible()
    speak(maya.app, words_per_second=400)
    maya.ask("/say Hello once more")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("Hello once more")

"""A write is done exactly once, whatever the student does to the page meanwhile."""

import json
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.faults import fault, written_events
from tests.flows.person import Person

pytestmark = pytest.mark.browser

EVENT = "Put a study session for chemistry in my calendar next Friday at 3pm"


@pytest.fixture
def waiting(maya: Person, backstage: Backstage) -> Person:
    """Maya, with an event that waits for her; Google is slow to take it."""
    backstage.connect(maya.name, "Google Calendar")
    maya.ask_anew(EVENT)
    maya.sees("Add to your calendar")
    maya.waits_for_the_end()
    fault(maya.app, "google", "delay", method="POST", seconds=2)
    return maya


def test_approve_shows_at_once_that_it_is_being_done_and_offers_nothing_else(waiting: Person) -> None:
    waiting.button("Approve").last.press("Enter")
    waiting.sees("Working on it", within_ms=1_500)

    for name in ("Approve", "Edit", "Decline"):
        expect(waiting.button(name)).to_have_count(0)
    waiting.sees("Done")
    # With the keyboard one goes on from the card, and a screen reader says what became of it.
    expect(waiting.page.locator("[class*=st-key-approval-]:focus")).to_contain_text("Done")
    waiting.waits_for_the_end()
    heard = waiting.page.context.new_cdp_session(waiting.page).send("Accessibility.getFullAXTree")["nodes"]
    assert any(re.search("Add to your calendar.*Done", str(node.get("name")), re.DOTALL) for node in heard)


@pytest.mark.soak
def test_a_reload_in_the_middle_of_a_write_shows_it_done_once(waiting: Person) -> None:
    before = written_events(waiting.app)
    waiting.press("Approve")
    waiting.sees("Working on it")
    waiting.page.reload()
    waiting.sees("Done")
    waiting.waits_for_the_end()

    assert written_events(waiting.app) == before + 1


def test_approving_in_two_tabs_writes_once_and_both_show_it_done(waiting: Person, tabs: Tabs) -> None:
    before = written_events(waiting.app)
    other = Person(waiting.app, tabs.open(beside=waiting.tab), waiting.name)
    other.page.goto(waiting.page.url)
    expect(other.button("Approve")).to_be_visible()
    waiting.press("Approve")
    # The other tab may have noticed by itself.
    with suppress(PlaywrightError):
        other.button("Approve").click(timeout=2_000)
    for person in (waiting, other):
        person.waits_for_the_end()
        person.sees("Done")

    assert written_events(waiting.app) == before + 1


def test_what_was_decided_and_asked_in_one_tab_shows_in_another_by_itself(waiting: Person, tabs: Tabs) -> None:
    before = written_events(waiting.app)
    other = Person(waiting.app, tabs.open(beside=waiting.tab), waiting.name)
    other.page.goto(waiting.page.url)
    expect(other.button("Approve")).to_be_visible()
    waiting.press("Approve")
    waiting.waits_for_the_end()

    other.sees("Done")
    other.waits_for_the_end()
    expect(other.button("Approve")).to_have_count(0)
    assert written_events(waiting.app) == before + 1
    other.field.fill("Half a question")
    waiting.ask("/say periwinkle")
    other.sees("periwinkle")
    other.waits_for_the_end()
    expect(other.answers.get_by_text("periwinkle")).to_be_visible()
    expect(other.field).to_have_value("Half a question")


@pytest.mark.soak
def test_what_another_message_put_aside_leaves_an_old_tab_by_itself(waiting: Person, tabs: Tabs) -> None:
    before = written_events(waiting.app)
    old = Person(waiting.app, tabs.open(beside=waiting.tab), waiting.name)
    old.page.goto(waiting.page.url)
    expect(old.button("Approve")).to_be_visible()
    waiting.ask("/say Never mind")
    waiting.waits_for_the_end()

    old.sees("Put aside, nothing was changed")
    expect(old.button("Approve")).to_have_count(0)
    assert written_events(waiting.app) == before


@pytest.mark.soak
def test_a_form_that_is_longer_than_the_window_begins_at_its_first_field_too(waiting: Person) -> None:
    starts = [f"{datetime.now(UTC) + timedelta(days=ahead):%Y-%m-%dT16:00}" for ahead in (7, 8, 9)]
    waiting.ask(f"/call calendar_create_study_sessions {json.dumps({'title': 'Biology', 'starts': starts})}")
    waiting.waits_for_the_end()
    waiting.press("Edit")
    waiting.page.get_by_role("group", name="Start 3").wait_for(state="attached")
    waiting.waits_for_rest()

    expect(waiting.page.get_by_label("Title", exact=True)).to_be_in_viewport()


def test_a_form_begins_at_its_first_field_and_tells_what_is_missing_and_stays_open(waiting: Person) -> None:
    waiting.field.fill("And what about")
    waiting.press("Edit")
    title = waiting.page.get_by_label("Title", exact=True)
    expect(title).to_be_in_viewport()
    waiting.waits_for_rest()
    expect(waiting.field).to_have_value("And what about")
    title.fill("")
    waiting.press("Approve with these changes")

    waiting.sees("It may not be empty.")
    expect(waiting.button("Approve with these changes")).to_be_visible()
    waiting.press("Keep as it was")
    expect(waiting.button("Decline")).to_be_visible()

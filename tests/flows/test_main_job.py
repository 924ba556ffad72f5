"""The main job in a real browser: sign in, connect, ask, approve, undo, disconnect."""

import re

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Sinkhole, Tabs
from tests.flows.backstage import Backstage
from tests.flows.faults import fault, mend, model_requests, speak, written_events
from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_a_visitor_sees_what_homeroom_is_and_one_way_in(app: AppServer, tabs: Tabs) -> None:
    visitor = Person(app, tabs.open(), "Maya Chen")

    visitor.open("/")

    expect(visitor.page.get_by_role("heading", name="Your week, in one calm place.")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
    visitor.press("Español")
    expect(visitor.page.get_by_role("heading", name="Tu semana, en un lugar tranquilo.")).to_be_visible()
    visitor.open("/")
    expect(visitor.page.get_by_role("button", name="Iniciar sesión")).to_be_visible()


def test_sign_in_leads_back_to_the_page_that_was_wanted(app: AppServer, tabs: Tabs) -> None:
    visitor = Person(app, tabs.open(), "Maya Chen")

    visitor.sign_in("/connections")

    expect(visitor.page).to_have_url(f"{app.url}/connections")


def test_with_nothing_connected_the_chat_points_to_connections_and_the_planner_works(maya: Person) -> None:
    maya.open("/")
    maya.sees("Connect an account first")
    maya.ask("Add a task: read chapter 4, due tomorrow")
    maya.sees("Add a task to your planner")
    maya.press("Approve")

    maya.sees(re.compile("Added the task"))


def test_what_is_due_comes_from_canvas_with_its_steps_and_links(maya: Person) -> None:
    maya.connect("Canvas")
    maya.ask_anew("What is due this week?")
    maya.waits_for_the_end()

    maya.sees(re.compile("Canvas, as of"))
    maya.sees(re.compile("Looking up assignments"))
    link = maya.answers.last.get_by_role("listitem").get_by_role("link").first
    assert "/sandbox/canvas/courses/" in (link.get_attribute("href") or "")


def test_an_event_is_written_once_approved_seen_done_and_undone(maya: Person, backstage: Backstage) -> None:
    backstage.connect(maya.name, "Google Calendar")
    before = written_events(maya.app)
    maya.ask_anew("Put a two hour study session for biology in my calendar next Friday at 3pm")
    maya.sees("Add to your calendar")
    assert written_events(maya.app) == before, "nothing is written before the student approves"
    maya.press("Approve")
    maya.sees("Done")
    maya.waits_for_the_end()
    assert written_events(maya.app) == before + 1
    maya.press("Undo")
    maya.sees("Undone")

    assert written_events(maya.app) == before + 2


@pytest.mark.soak
def test_an_edited_action_is_done_as_edited(maya: Person, backstage: Backstage) -> None:
    backstage.connect(maya.name, "Google Calendar")
    maya.ask_anew("Put a study session for chemistry in my calendar next Friday at 3pm")
    maya.sees("Add to your calendar")
    maya.press("Edit")
    maya.page.get_by_label("Title", exact=True).fill("Chemistry, with Ana")
    maya.press("Approve with these changes")
    maya.sees("Done")

    maya.sees(re.compile("Chemistry, with Ana"))


@pytest.mark.soak
def test_a_declined_action_changes_nothing_and_the_assistant_knows(maya: Person, backstage: Backstage) -> None:
    backstage.connect(maya.name, "Google Calendar")
    before = written_events(maya.app)
    maya.ask_anew("Put a study session for chemistry in my calendar next Friday at 3pm")
    maya.sees("Add to your calendar")
    maya.press("Decline")
    maya.sees("Declined, nothing was changed")
    maya.waits_for_the_end()

    assert written_events(maya.app) == before


@pytest.mark.soak
def test_a_double_click_on_approve_writes_once(maya: Person, backstage: Backstage) -> None:
    backstage.connect(maya.name, "Google Calendar")
    before = written_events(maya.app)
    maya.ask_anew("Put a study session for chemistry in my calendar next Friday at 3pm")
    maya.sees("Add to your calendar")
    maya.page.get_by_role("button", name="Approve").last.dblclick()
    maya.sees("Done")

    assert written_events(maya.app) == before + 1


@pytest.mark.soak
def test_notes_are_found_and_a_page_is_created_after_approval(maya: Person) -> None:
    maya.connect("Notion")
    maya.ask_anew('/call notion_search {"query": "lab"}')
    maya.sees(re.compile("Lab 6"))
    maya.ask('/call notion_create_page {"title": "Exam plan", "content": "- read", "parent": "Fall semester"}')
    maya.press("Approve")

    maya.sees("Done")


@pytest.mark.soak
def test_an_answer_goes_on_through_a_reload_with_one_model_request(maya: Person) -> None:
    before = model_requests(maya.app)
    mend(maya.app)
    speak(maya.app, words_per_second=30)
    maya.ask_anew("/say-long 120")
    maya.sees(re.compile("word10 "))
    maya.page.reload()
    maya.sees(re.compile("word120"))

    assert model_requests(maya.app) == before + 1


@pytest.mark.soak
def test_stop_ends_the_answer_itself_and_keeps_what_was_said(maya: Person) -> None:
    mend(maya.app)
    speak(maya.app, words_per_second=30)
    maya.ask_anew("/say-long 600")
    maya.sees(re.compile("word10 "))
    maya.press("Stop")
    maya.waits_for_the_end()
    maya.page.reload()

    maya.sees(re.compile("word10 "))
    maya.sees_no("word600")


@pytest.mark.soak
def test_a_wrong_token_is_refused_in_words_and_nothing_is_stored(maya: Person) -> None:
    maya.agree_to("Canvas")
    maya.page.get_by_text("Use an access token instead").click()
    maya.page.get_by_label("Access token", exact=True).fill("not-a-token")
    maya.press("Check and connect")
    expect(maya.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Canvas")
    maya.open("/connections")

    expect(maya.card("Canvas").get_by_text("Not connected")).to_be_visible()


@pytest.mark.soak
def test_saying_no_on_the_consent_page_connects_nothing(maya: Person) -> None:
    maya.agree_to("Notion")
    maya.press("Continue to Notion")
    maya.press("Deny")

    expect(maya.card("Notion").get_by_text("Not connected")).to_be_visible()


@pytest.mark.soak
def test_a_grant_revoked_at_the_provider_asks_to_reconnect_after_one_failed_call(
    maya: Person, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Canvas")
    fault(maya.app, "canvas", "revoke_tokens", person="maya")
    maya.ask_anew("What is due this week?")
    maya.waits_for_the_end()
    maya.open("/connections")

    expect(maya.card("Canvas").get_by_role("button", name="Reconnect")).to_be_visible()


def test_disconnecting_revokes_at_the_provider_and_takes_the_tools_away(maya: Person) -> None:
    maya.connect("Google Calendar")
    maya.disconnect("Google Calendar")

    assert any(entry["path"].endswith("/revoke") for entry in maya.app.campus("/log?service=google")["entries"])
    expect(maya.card("Google Calendar").get_by_text("Not connected")).to_be_visible()


def test_two_students_never_see_each_other(maya: Person, backstage: Backstage, app: AppServer, tabs: Tabs) -> None:
    backstage.connect(maya.name, "Canvas")
    maya.ask_anew("Remember the word periwinkle")
    maya.waits_for_the_end()
    diego = Person(app, tabs.open(), "Diego Ramos")
    diego.sign_in()
    diego.page.goto(maya.page.url)
    expect(diego.field).to_be_visible()

    expect(diego.page.get_by_text("periwinkle")).to_have_count(0)
    diego.open("/connections")
    expect(diego.card("Canvas").get_by_text("Not connected")).to_be_visible()


@pytest.mark.soak
def test_no_page_asks_for_what_is_not_there_or_of_another_host(maya: Person, sinkhole: Sinkhole) -> None:
    for path in ("/", "/connections", "/toolbox", "/activity", "/insights", "/settings"):
        maya.open(path)
        expect(maya.page.get_by_role("main")).to_be_visible()
        expect(maya.page).to_have_url(maya.app.url + path)
    maya.tab.assert_quiet()
    maya.ask_anew("/say ![x](https://evil.example/a.png) and [click](https://evil.example/b)")
    maya.waits_for_the_end()

    assert maya.tab.outside == []
    assert not any(b"evil.example" in heard for heard in sinkhole.heard())

"""Canvas is down, in maintenance, or lost in redirects, while connecting and while asking."""

import re

import pytest
from playwright.sync_api import expect

from tests.campus_server import press_settings
from tests.flows.backstage import Backstage
from tests.flows.faults import fault, mend, speak
from tests.flows.person import Person

pytestmark = pytest.mark.browser

TROUBLES = {
    "down": {"kind": "status", "status": 503},
    "maintenance": {"kind": "html"},
    "redirects": {"kind": "redirect_loop"},
}


@pytest.mark.parametrize(
    "trouble", [pytest.param(trouble, marks=() if trouble == "down" else pytest.mark.soak) for trouble in TROUBLES]
)
def test_a_step_that_fails_says_why_without_a_click_and_works_again_after(
    maya: Person, backstage: Backstage, trouble: str
) -> None:
    backstage.connect(maya.name, "Canvas")
    fault(maya.app, "canvas", **TROUBLES[trouble], times=0)
    maya.ask_anew("What is due this week?")
    maya.waits_for_the_end()
    expect(maya.answers.get_by_test_id("stExpanderDetails").get_by_text(re.compile("^Canvas ")).first).to_be_visible()
    mend(maya.app)
    speak(maya.app, words_per_second=400)
    maya.ask("What is due this week?")
    maya.waits_for_the_end()

    expect(maya.answers.last).to_contain_text("Canvas, as of")


def test_each_trouble_while_connecting_has_its_own_sentence_and_the_token_works_once_it_is_over(maya: Person) -> None:
    maya.agree_to("Canvas")
    dialog = maya.page.get_by_role("dialog")
    dialog.get_by_text("Use an access token instead").click()
    token = dialog.get_by_label("Access token", exact=True)
    token.fill(press_settings(f"{maya.app.url}/sandbox", "maya"))
    said: list[str] = []
    for trouble in TROUBLES.values():
        fault(maya.app, "canvas", **trouble, times=0)
        maya.press("Check and connect")
        told = dialog.get_by_role("alert").get_by_text("Canvas")
        expect(
            told.and_(dialog.get_by_text(re.compile(f"^(?!{'|'.join(map(re.escape, said)) or 'x'}$)")))
        ).to_be_visible()
        said.append(told.inner_text())
        mend(maya.app)
    maya.press("Check and connect")

    expect(maya.page.get_by_text("Canvas is connected")).to_be_visible()
    expect(maya.card("Canvas").get_by_text(re.compile(r"Expires in 1[12]\d days"))).to_be_visible()


@pytest.mark.soak
def test_disconnecting_while_canvas_is_down_forgets_the_credentials_and_says_so(
    maya: Person, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Canvas")
    fault(maya.app, "canvas", "status", status=503, times=0)
    maya.open("/connections")
    maya.card("Canvas").get_by_role("button", name="Disconnect").click()
    maya.press("Disconnect Canvas")

    expect(maya.page.get_by_text(re.compile("Canvas is disconnected here.*we keep trying"))).to_be_visible()
    expect(maya.card("Canvas").get_by_text("Not connected")).to_be_visible()


@pytest.mark.soak
def test_a_test_tells_in_words_how_the_connection_is_doing_and_a_dead_one_shows_in_the_chat(
    maya: Person, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Canvas")
    maya.open("/connections")
    maya.card("Canvas").get_by_role("button", name="Test").click()
    expect(maya.card("Canvas").get_by_text(re.compile(r"Canvas answered at \d+:\d\d [AP]M"))).to_be_visible()
    fault(maya.app, "canvas", "revoke_tokens", person="maya")
    maya.card("Canvas").get_by_role("button", name="Test").click()
    expect(maya.card("Canvas").get_by_role("button", name="Reconnect")).to_be_visible()
    maya.go("Today")

    maya.page.get_by_role("link", name="Canvas needs to be reconnected").click()
    expect(maya.card("Canvas")).to_be_visible()

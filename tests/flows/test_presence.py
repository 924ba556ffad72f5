"""The line drops, the student signs out, the operator switches an account off."""

import re
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.faults import fault, mend, model_requests, speak
from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_an_answer_goes_on_through_a_lost_line_with_one_model_request(maya: Person) -> None:
    lines: list[WebSocketRoute] = []
    maya.page.route_web_socket(re.compile("_stcore/stream"), lambda line: lines.append(line) or _pass_on(line))
    maya.open("/")
    maya.waits_for_the_end()
    mend(maya.app)
    speak(maya.app, words_per_second=30)
    before = model_requests(maya.app)
    maya.ask("/say-long 150")
    maya.sees(re.compile("word10 "))
    lines[-1].close()
    maya.waits_for_the_end()
    maya.sees(re.compile("word150"))

    assert len(lines) > 1, "the page has connected again"
    assert model_requests(maya.app) == before + 1
    expect(maya.questions).to_have_count(1)


def test_after_signing_out_the_back_button_shows_nothing(maya: Person, passes: dict[str, Any]) -> None:
    maya.ask_anew("/say periwinkle")
    maya.waits_for_the_end()
    maya.page.locator(".st-key-sidebar-foot button").click()
    maya.press("Sign out")
    passes.pop(maya.name)
    # The welcome page may be drawn before the browser is sent away to sign out.
    expect(maya.page).to_have_url(f"{maya.app.url}/")
    expect(maya.button("Sign in")).to_be_visible()
    maya.page.go_back()

    expect(maya.button("Sign in")).to_be_visible()
    expect(maya.page.get_by_text("periwinkle")).to_have_count(0)


def test_an_account_that_is_switched_off_is_out_with_the_next_look_and_cannot_act_before(
    visit: Visit, backstage: Backstage
) -> None:
    diego = visit("Diego Ramos")
    diego.open("/")
    diego.waits_for_the_end()
    before = model_requests(diego.app)
    backstage.disable(diego.name)
    try:
        diego.write("/say Am I still here?")
        expect(diego.page.get_by_role("heading", name="This account is switched off here.")).to_be_visible()
        assert model_requests(diego.app) == before
        diego.page.reload()

        expect(diego.page.get_by_role("heading", name="This account is switched off here.")).to_be_visible()
        expect(diego.page.get_by_role("link", name="Connections")).to_have_count(0)
    finally:
        backstage.enable(diego.name)


@pytest.mark.parametrize(
    "path",
    [pytest.param("*openid-configuration", marks=pytest.mark.soak), pytest.param("*token", marks=pytest.mark.soak)],
)
def test_a_sign_in_service_that_is_down_is_told_and_works_again_after(visit: Visit, path: str) -> None:
    visit("Maya Chen")
    anybody = visit("Nobody", signs_in=False)
    fault(anybody.app, "oidc", "status", status=503, path=path, times=0)
    anybody.open("/")
    anybody.press("Sign in")
    if path == "*token":
        anybody.press("Maya Chen")
    anybody.sees("Signing in did not work")
    mend(anybody.app)
    anybody.press("Sign in")
    anybody.press("Maya Chen")

    expect(anybody.page.locator(".st-key-sidebar-foot button")).to_be_visible()


def _pass_on(line: WebSocketRoute) -> None:
    line.connect_to_server()

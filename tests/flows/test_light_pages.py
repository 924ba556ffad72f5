"""The chat is light: few requests and bytes before a message can be written, nothing moves, and any client is served."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from bench.load.page_load import LoadRecorder, sent, size
from tests.browser import Tabs
from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser

MOST_REQUESTS = 40
MOST_BYTES = 900_000
MOST_MOVED = 0.1
ALWAYS_ASKED = 6
"""Requests of a page that the browser has: the page itself, Streamlit's health and configuration, the component's entry."""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_chat_is_light_and_lighter_when_it_is_opened_again(visit: Visit, width: int) -> None:
    person = visit("Maya Chen", width=width)
    recorder = LoadRecorder(person.page)

    first, again = recorder.load(person.app.url), recorder.load(person.app.url)

    assert sent(first.requests) <= MOST_REQUESTS
    assert size(first.requests) <= MOST_BYTES
    assert sent(again.requests) <= ALWAYS_ASKED
    assert first.moved < MOST_MOVED, first.moves
    person.tab.assert_quiet()


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity", "br;q=0"])
def test_a_chat_works_in_every_coding(maya: Person, tabs: Tabs, accepted: str) -> None:
    headers = {"accept-encoding": accepted}
    tab = tabs.open(extra_http_headers=headers, storage_state=maya.page.context.storage_state())
    codings: dict[str, set[str]] = {}
    tab.page.on(
        "response",
        lambda answer: codings.setdefault(urlsplit(answer.url).path.split("/")[1], set()).add(
            answer.headers.get("content-encoding", "")
        ),
    )
    person = Person(maya.app, tab, "Maya Chen")
    person.open()

    person.ask("Hello")

    expect(person.answers).to_have_count(1)
    person.tab.assert_quiet()
    assert codings["assets"] == {accepted, ""} if accepted in ("br", "gzip") else {""}

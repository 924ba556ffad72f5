"""The chat is light: few requests and bytes before a message can be written, nothing moves, any client is served."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from api.assets.manifest import manifest, streamlit_static
from api.assets.routes import base_address
from bench.load.page_load import LoadRecorder, sent, size
from tests.browser import Tabs
from tests.flows.conftest import Visit
from tests.flows.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import Response

pytestmark = pytest.mark.browser

MOST_REQUESTS = 40
MOST_BYTES = 900_000
MOST_MOVED = 0.1
ALWAYS_ASKED = 6
"""What a browser asks for again: the page, Streamlit's health and configuration, the component's entry."""
_IMPORT_ALL = """async ({ base, names }) => {
  const failed = []
  for (const name of names) await import(`${base}/${name}`).catch(error => failed.push(`${name}: ${error}`))
  return failed
}"""


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.soak)])
def test_a_chat_is_light_and_lighter_when_it_is_opened_again(visit: Visit, width: int) -> None:
    person = visit("Maya Chen", width=width)
    recorder = LoadRecorder(person.page)

    first, again = recorder.load(person.app.url), recorder.load(person.app.url)

    assert sent(first.requests) <= MOST_REQUESTS
    assert size(first.requests) <= MOST_BYTES
    assert sent(again.requests) <= ALWAYS_ASKED
    assert first.moved < MOST_MOVED, first.moves
    person.tab.assert_quiet()


@pytest.mark.soak
@pytest.mark.soak
@pytest.mark.parametrize("accepted", ["br", "gzip", "identity"])
def test_a_chat_works_in_every_coding(maya: Person, tabs: Tabs, accepted: str) -> None:
    state = maya.page.context.storage_state()
    tab = tabs.open(extra_http_headers={"accept-encoding": accepted}, storage_state=state)
    codings: set[str] = set()
    tab.page.on("response", lambda answer: codings.add(_coding(answer)) if "/assets/" in answer.url else None)
    person = Person(maya.app, tab, "Maya Chen")
    person.open()

    person.ask("Hello")

    expect(person.answers).to_have_count(1)
    person.tab.assert_quiet()
    # Fonts are compressed already.
    assert codings == {accepted.replace("identity", ""), ""}


@pytest.mark.soak
def test_each_module_of_streamlit_finds_what_it_needs_in_the_joined_one(maya: Person) -> None:
    maya.open()
    later = sorted(path.name for path in (streamlit_static() / "js").glob("*.js"))

    failed = maya.page.evaluate(_IMPORT_ALL, {"base": f"{base_address(manifest())}/js", "names": later})

    assert failed == []
    expect(maya.page.get_by_test_id("stApp")).to_have_count(1)


def _coding(answer: "Response") -> str:
    return str(answer.headers.get("content-encoding", ""))

"""The live component in a real browser: where it cannot load, send or follow, the answer still comes, and only once."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.flows.faults import fault, mend
from tests.flows.person import ANSWER_MS, Person
from tests.flows.test_attaching import attach

if TYPE_CHECKING:
    from playwright.sync_api import Route, WebSocketRoute

pytestmark = pytest.mark.browser

ASSETS = ("**/_stcore/bidi-components/**", "**/assets/homeroom-live-*/**")
AWAY = "Homeroom is not answering. Go on typing; your message goes out when it is back."
NOT_SENT = "Cannot send rerun backMessage when disconnected"
PROXY_PAGE = "<!doctype html><title>Blocked</title><p>Your school's proxy does not allow this."


def block_component(person: Person) -> None:
    for address in ASSETS:
        person.page.route(address, lambda route: route.abort())


def lose_answer(route: "Route") -> None:
    """Let the request arrive, but not what is answered."""
    route.fetch()
    route.abort()


def connected(socket: "WebSocketRoute") -> "WebSocketRoute":
    socket.connect_to_server()
    return socket


def streamlit_field(person: Person) -> None:
    """Expect Streamlit's own field, and only that."""
    expect(person.page.get_by_test_id("stChatInputTextArea")).to_be_visible()
    expect(person.page.locator(".live-field")).to_have_count(0)


def test_one_field_is_there_in_the_normal_case(maya: Person) -> None:
    maya.open("/")

    expect(maya.page.locator(".live-field")).to_be_visible()
    expect(maya.page.get_by_test_id("stChatInputTextArea")).to_be_hidden()


def test_without_the_component_the_script_asks_and_draws(maya: Person) -> None:
    block_component(maya)
    maya.open("/")
    streamlit_field(maya)

    maya.ask("/say One way is left.")

    maya.sees("One way is left.")
    maya.waits_for_the_end()
    maya.ask("/say And goes on.")
    maya.sees("And goes on.")
    expect(maya.questions).to_have_count(2)


@pytest.mark.soak
def test_a_component_that_never_arrives_is_not_waited_for(maya: Person) -> None:
    for address in ASSETS:
        maya.page.route(address, lambda _route: None)
    maya.open("/")

    expect(maya.page.get_by_test_id("stChatInputTextArea")).to_be_visible(timeout=ANSWER_MS)


@pytest.mark.parametrize("status", [*(pytest.param(status, marks=pytest.mark.soak) for status in (403, 404)), 502])
def test_a_text_that_a_proxy_stops_is_sent_by_the_script(maya: Person, status: int) -> None:
    maya.page.route("**/live/**", lambda route: route.fulfill(status=status, content_type="text/html", body=PROXY_PAGE))
    maya.open("/")

    maya.write("/say The script has sent it.")

    maya.sees("The script has sent it.")
    streamlit_field(maya)
    expect(maya.questions).to_have_count(1)


@pytest.mark.soak
def test_files_that_a_proxy_stops_are_asked_for_again_and_the_text_stays(maya: Person) -> None:
    maya.page.route("**/live/**", lambda route: route.abort())
    maya.open("/")
    attach(maya, plan__txt=b"Buy onions")
    maya.write("What is planned?")

    maya.sees("Choose them again")
    streamlit_field(maya)
    expect(maya.field).to_have_value("What is planned?")
    expect(maya.questions).to_have_count(0)


def test_when_no_stream_holds_the_script_draws_the_answer(maya: Person) -> None:
    maya.open("/")
    expect(maya.field).to_be_visible()
    maya.page.route("**/live/*?tab=*", lambda route: route.abort())

    maya.write("/say Drawn in the old way.")

    maya.sees("Drawn in the old way.", within_ms=60_000)
    maya.waits_for_rest()
    expect(maya.questions).to_have_count(1)
    expect(maya.answers).to_have_count(1)


@pytest.mark.soak
def test_an_answer_that_ends_while_the_page_is_cut_off_is_drawn_once_it_is_back(maya: Person) -> None:
    """Streamlit drops what a component tells it meanwhile, and runs nothing by itself when it is connected again."""
    sockets: list[WebSocketRoute] = []
    maya.page.route_web_socket("**/_stcore/stream", lambda socket: sockets.append(connected(socket)))
    maya.open("/")
    fault(maya.app, "anthropic", "pause", after_words=20, times=0)
    maya.ask("/say-long 40")
    maya.sees("word20")
    maya.page.route("**/_stcore/health", lambda route: route.abort())
    with maya.page.expect_console_message(lambda message: NOT_SENT in message.text, timeout=ANSWER_MS):
        sockets[-1].close()
        mend(maya.app)
    expect(maya.page.locator(".live-answer")).to_contain_text("word40")

    maya.page.unroute("**/_stcore/health")

    maya.waits_for_the_end()
    maya.sees("word40")


@pytest.mark.soak
def test_a_message_whose_answer_is_lost_is_sent_once(maya: Person) -> None:
    maya.page.route("**/live/messages", lose_answer)
    maya.open("/")

    maya.write("/say Said once.")

    maya.sees("Said once.")
    maya.waits_for_rest()
    expect(maya.questions).to_have_count(1)
    expect(maya.page.locator(".st-key-recent-chats [role=radio]")).to_have_count(1)


def test_while_homeroom_is_away_one_types_on_and_what_was_sent_goes_out_once(maya: Person) -> None:
    maya.open("/")
    expect(maya.field).to_be_visible()
    maya.page.route("**/live/messages", lose_answer)
    maya.page.route(f"{maya.app.url}/health", lambda route: route.abort())
    maya.write("/say Said once.")
    expect(maya.page.locator(".live-away")).to_have_text(AWAY)
    expect(maya.questions).to_have_text(["/say Said once."])
    maya.field.fill("/say And more.")

    maya.page.reload()
    expect(maya.page.locator(".live-away")).to_have_text(AWAY)
    expect(maya.field).to_have_value("/say And more.")
    maya.page.unroute("**/live/messages")
    maya.page.unroute(f"{maya.app.url}/health")

    maya.sees("Said once.")
    maya.waits_for_the_end()
    expect(maya.page.locator(".live-away")).to_be_hidden()
    expect(maya.field).to_have_value("/say And more.")
    maya.page.reload()
    expect(maya.field).to_have_value("/say And more.")
    expect(maya.questions).to_have_count(1)
    expect(maya.page.locator(".st-key-recent-chats [role=radio]")).to_have_count(1)

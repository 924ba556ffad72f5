"""How the page's field sends a message while the process behind the proxy is replaced: again, under one key."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import Tab

if TYPE_CHECKING:
    from playwright.sync_api import Request, Route

pytestmark = pytest.mark.browser

_SEND = """async () => {
    const { sendMessage } = await import("/assets/send.js")
    const message = { chat: "", text: "Hello", files: [], tab: "t", key: "one" }
    window.sent = null
    sendMessage(message).then(result => { window.sent = result })
}"""
IDS = {"conversation_id": "c", "turn_id": "t"}
TAKEN = {"status": 202, "json": IDS}
RESTARTING = {"status": 503, "json": {"error": {"code": "restarting", "message": "Homeroom is restarting."}}}
BUSY = {"status": 409, "json": {"error": {"code": "busy", "message": "Homeroom is still answering."}}}
UNDER_WAY = {"status": 503, "json": {"error": {"code": "busy", "message": "Homeroom is still taking it in."}}}
AWAY = {"status": 503, "json": {"error": {"code": "unavailable", "message": "The store does not answer."}}}
FULL = {
    "status": 503,
    "headers": {"Retry-After": "2"},
    "json": {"error": {"code": "send_again", "message": "Send it again in a moment."}},
}
GATEWAY = {"status": 502, "body": ""}
GONE = None


CASES: dict[str, tuple[list[Any], int, dict[str, Any]]] = {
    "replaced": ([RESTARTING, RESTARTING, GONE, GATEWAY, RESTARTING, GATEWAY, TAKEN], 7, {"ids": IDS}),
    "gateway": ([GATEWAY, TAKEN], 2, {"ids": IDS}),
    "lost once": ([GONE, TAKEN], 2, {"ids": IDS}),
    "blocked": ([GONE], 2, {"isBlocked": True}),
    "gateway for good": ([GATEWAY], 8, {"isBlocked": True}),
    "under way": ([AWAY, UNDER_WAY, UNDER_WAY, TAKEN], 4, {"ids": IDS}),
    "under way for good": ([UNDER_WAY], 6, {"status": 503, **UNDER_WAY["json"]["error"]}),
    "full": ([FULL, FULL, TAKEN], 3, {"ids": IDS}),
    "busy": ([BUSY], 1, {"status": 409, "code": "busy", "message": "Homeroom is still answering."}),
}
"""By name: the answers, the last one again and again; how often it is sent; what comes of it."""


class Sending:
    """A page that sends one message after another, to a route that answers as it was told."""

    def __init__(self, tab: Tab, url: str) -> None:
        self._page, self._answers, self.keys = tab.page, list[Any](), list[str]()
        self._page.clock.install()
        self._page.goto(f"{url}/health")
        self._page.route("**/live/messages", self._answer)

    def send(self, answers: list[Any]) -> Any:
        self._answers, self.keys = answers, []
        self._page.evaluate(_SEND)
        for _ in range(60):
            self._page.clock.run_for(800)
            self._page.evaluate("() => fetch('/health').then(answer => answer.text())")
            if sent := self._page.evaluate("() => window.sent"):
                return sent
        raise AssertionError("it is sent for ever")

    def _answer(self, route: "Route", request: "Request") -> None:
        self.keys.append(request.headers["idempotency-key"])
        given = self._answers[min(len(self.keys), len(self._answers)) - 1]
        route.abort() if given is GONE else route.fulfill(**given)


@pytest.fixture
def sending(tab: Tab, answer_url: str) -> Sending:
    return Sending(tab, answer_url)


def test_a_message_is_sent_again_under_its_key_until_the_next_process_takes_it(sending: Sending) -> None:
    told = {name: (sending.send(answers), sending.keys) for name, (answers, _, _) in CASES.items()}

    assert told == {name: (expected, ["one"] * tries) for name, (_, tries, expected) in CASES.items()}


@pytest.mark.soak
def test_after_half_a_minute_the_student_is_told_and_can_send_it_themselves(sending: Sending) -> None:
    assert sending.send([RESTARTING]) == {"status": 503, **RESTARTING["json"]["error"]}
    assert 20 < len(sending.keys) < 40


def test_a_wait_is_read_from_seconds_and_from_a_date(tab: Tab, answer_url: str) -> None:
    tab.page.clock.install(time="2026-11-29T12:00:00Z")
    tab.page.goto(f"{answer_url}/health")
    waits = tab.page.evaluate(
        """async written => {
            const { retryAfterS } = await import("/assets/page.js")
            const wait = text => retryAfterS(new Headers(text === null ? {} : { "retry-after": text }))
            return written.map(text => Math.round(wait(text)))
        }""",
        ["7", "Sun, 29 Nov 2026 12:00:30 GMT", "Sun, 29 Nov 2026 11:00:00 GMT", "soon", "-3", None],
    )

    assert waits == [7, 30, 0, 0, 0, 0]

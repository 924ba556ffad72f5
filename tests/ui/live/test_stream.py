"""The connection to a running answer, in a browser whose clock the test moves."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import Tab

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

pytestmark = pytest.mark.browser

_OPEN = """async ({ name, refuses }) => {
    const { openStream } = await import("/assets/stream.js")
    const told = (window.told ??= {})[name] = []
    const tell = kind => (...values) => { told.push([kind, ...values]) }
    const onEvent = (...values) => { told.push(["event", ...values]); if (values[0] === refuses) return false }
    const listeners = { onEvent, onNothing: tell("nothing"), onRefused: tell("refused"), onFailed: tell("failed") }
    ;(window.streams ??= {})[name] = openStream({ conversationId: name, tab: "tab one", ...listeners })
}"""
END = ("end", {"status": "done", "notice": None, "redraw_in_ms": 0})
HELD = "held"
"""Answer that never comes."""


def written(*events: tuple[str, Any], first: int = 1) -> str:
    """Body of an event stream, with a heartbeat before each event."""
    return "".join(
        f": \n\nid: {at}\nevent: {name}\ndata: {json.dumps(data)}\n\n" for at, (name, data) in enumerate(events, first)
    )


class Live:
    """A page, and a live route that gives the answers that it was told, the last one again and again."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.asked: list[Request] = []
        self.answers: list[Any] = [HELD]
        page.route("**/live/**", self._answer)

    def open(self, *answers: Any, name: str = "chat", refuses: str = "") -> None:
        self.answers = list(answers)
        self.page.evaluate(_OPEN, {"name": name, "refuses": refuses})

    def wait(self, ms: int = 50) -> None:
        """Let this much time go by for the page's timers; what they ask for is answered."""
        self.page.clock.run_for(ms)
        self.page.evaluate("() => fetch('/health').then(answer => answer.text())")

    def wait_until_still(self, ms: int = 60_000) -> None:
        """Let time go by in steps, twenty at most, so that one answer comes before the next wait begins."""
        step = max(1000, ms // 20)
        for _ in range(ms // step):
            self.wait(step)

    def told(self, name: str = "chat") -> list[list[Any]]:
        return list(self.page.evaluate("name => window.told[name]", name))

    def resumed_after(self) -> list[str | None]:
        return [request.headers.get("last-event-id") for request in self.asked]

    def _answer(self, route: "Route", request: "Request") -> None:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is HELD:
            return
        if isinstance(answer, str):
            answer = {"content_type": "text/event-stream; charset=utf-8", "body": answer}
        route.fulfill(**answer)


@pytest.fixture
def live(tab: Tab, answer_url: str) -> Iterator[Live]:
    tab.page.clock.install()
    tab.page.goto(f"{answer_url}/health")
    live = Live(tab.page)
    yield live
    tab.page.unroute_all(behavior="ignoreErrors")


def test_events_are_handed_on_in_order_until_the_end(live: Live) -> None:
    live.open(written(("snapshot", {"items": []}), ("text", {"n": 0, "text": "Grüße\n\n"}), END))
    live.wait_until_still()

    assert [event[1:] for event in live.told()] == [
        ["snapshot", {"items": []}],
        ["text", {"n": 0, "text": "Grüße\n\n"}],
        list(END),
    ]
    (request,) = live.asked
    assert request.url.endswith("/live/chat?tab=tab+one")
    assert request.headers["x-requested-with"] == "homeroom"


def test_a_lost_connection_goes_on_after_the_last_event(live: Live) -> None:
    live.open(written(("snapshot", {"items": []}), ("text", {"n": 0, "text": "a"})), written(END, first=3))
    live.wait_until_still(3_000)

    assert live.resumed_after() == [None, "2"]
    assert [event[1] for event in live.told()] == ["snapshot", "text", "end"]


@pytest.mark.parametrize("broken", ["", "data: {", "not an event", "\n"])
def test_an_event_that_does_not_fit_begins_anew_with_a_snapshot(live: Live, broken: str) -> None:
    odd = f"id: 2\nevent: block\ndata: {broken}\n\n" if broken else written(("block", {"n": 9}), first=2)
    live.open(written(("snapshot", {"items": []})) + odd, written(END), refuses="block")
    live.wait_until_still(3_000)

    assert live.resumed_after() == [None, None]
    assert live.told()[-1][1] == "end"


def test_a_chat_that_is_not_answered_is_drawn_anew(live: Live) -> None:
    live.open({"status": 204})
    live.wait_until_still()

    assert live.told() == [["nothing"]]
    assert len(live.asked) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_not_tried_again(live: Live, status: int) -> None:
    live.open({"status": status, "json": {"error": {"code": "x", "message": "Sign in again."}}})
    live.wait_until_still()

    assert live.told() == [["refused", status, "Sign in again."]]
    assert len(live.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 503, "body": "later"},
        {"status": 429, "headers": {"retry-after": "2"}, "body": "{}"},
        {"status": 200, "content_type": "text/html", "body": "<!doctype html>"},
        written(("snapshot", {"items": []})),
    ],
    ids=["busy", "limited", "another page", "closed at once"],
)
def test_nobody_reconnects_for_ever(live: Live, answer: Any) -> None:
    live.open(answer)
    live.wait_until_still(120_000)

    assert len(live.asked) == 5
    assert live.told()[-1] == ["failed"]


def test_the_waits_grow(live: Live) -> None:
    live.open({"status": 503})
    live.wait()
    for more, asked in ((200, 1), (500, 2), (400, 2), (1000, 3), (1000, 3), (1700, 4)):
        live.wait(more)
        assert len(live.asked) == asked


def test_a_silent_connection_is_replaced(live: Live) -> None:
    live.open(HELD, written(END))
    live.wait_until_still(44_000)
    assert len(live.asked) == 1

    live.wait_until_still(8_000)

    assert len(live.asked) == 2
    assert live.told()[-1][1] == "end"


@pytest.mark.parametrize("event", ["visibilitychange", "online"])
def test_a_phone_that_slept_asks_again_at_once(live: Live, event: str) -> None:
    live.open(HELD, written(END))
    # Asleep, no timer runs.
    live.page.clock.set_system_time(live.page.evaluate("() => Date.now() + 30_000"))
    live.page.evaluate("event => (event === 'online' ? window : document).dispatchEvent(new Event(event))", event)
    live.wait_until_still(2_000)

    assert len(live.asked) == 2
    assert live.told()[-1][1] == "end"


def test_a_look_at_a_fresh_connection_changes_nothing(live: Live) -> None:
    live.open(HELD)
    for _ in range(3):
        live.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        live.wait_until_still(2_000)

    assert len(live.asked) == 1


def test_a_device_without_a_network_waits_for_one(live: Live) -> None:
    live.open({"status": 503})
    live.page.evaluate("() => Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })")
    live.wait_until_still(120_000)
    assert (len(live.asked), live.told()) == (5, [])

    live.answers = [written(END)]
    live.page.evaluate("() => { delete navigator.onLine; window.dispatchEvent(new Event('online')) }")
    live.wait()

    assert live.told()[-1][1] == "end"


def test_a_page_that_is_left_lets_go_and_takes_up_again(live: Live) -> None:
    live.open(HELD)
    live.wait()
    live.page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    live.wait_until_still(120_000)
    assert len(live.asked) == 1

    live.answers = [written(END)]
    live.page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    live.wait()

    assert live.told()[-1][1] == "end"


def test_a_tab_has_one_stream(live: Live) -> None:
    live.open(HELD, name="first")
    live.wait()
    live.open(written(END), name="second")
    live.wait_until_still(120_000)

    assert [request.url.rsplit("/", 1)[1].split("?")[0] for request in live.asked] == ["first", "second"]
    assert live.told("first") == []
    assert live.told("second")[-1][1] == "end"


def test_a_closed_stream_says_nothing_more(live: Live) -> None:
    live.open({"status": 503})
    live.wait()
    live.page.evaluate("() => window.streams.chat.close()")
    live.wait_until_still(120_000)

    assert (len(live.asked), live.told()) == (1, [])


def test_events_are_read_the_same_wherever_they_are_cut(live: Live) -> None:
    expected = [["1", "a", '{\n"b"}'], ["1", "c", "d: e"], ["1", "message", ""]]
    text = 'id: 1\nevent: a\ndata: {\r\ndata: "b"}\r\n\r\n: beat\rid: x\revent: c\rdata:d: e\r\rdata\n\n'
    found = live.page.evaluate(
        """async text => {
            const { makeParser } = await import("/assets/stream.js")
            return [...text].map((_, at) => {
                const events = [], parse = makeParser((...event) => { events.push(event) })
                parse(text.slice(0, at))
                parse(text.slice(at))
                return JSON.stringify(events)
            })
        }""",
        text,
    )

    assert set(found) == {json.dumps(expected, separators=(",", ":"))}


@pytest.mark.soak
def test_an_event_without_an_end_does_not_fill_the_memory(live: Live) -> None:
    assert (
        live.page.evaluate("""async () => {
        const { makeParser } = await import("/assets/stream.js")
        const parse = makeParser(() => true), megabyte = "data: ".padEnd(1_000_000, "x") + "\\n"
        return Array.from({ length: 12 }, () => parse(megabyte)).at(-1)
    }""")
        is False
    )

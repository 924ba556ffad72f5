"""One load of a page in Chromium: its requests, their bytes, the time to the first input, what moved meanwhile."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

FIELD = "textarea.live-field, textarea[data-testid=stChatInputTextArea]"
"""Where a message is written: the live component's field, else Streamlit's own."""
SETTLED_MS = 2_500
"""How long after the first input requests still belong to the load."""
_WATCH = """
const moved = (window.__moved = { total: 0, parts: [] })
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue
    moved.total += entry.value
    for (const { node, previousRect: from, currentRect: to } of entry.sources) {
      const element = node instanceof Element ? node : node?.parentElement
      const name = element?.dataset?.testid || element?.className || element?.tagName
      const place = rect => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ")
      const when = `${Math.round(entry.startTime)} ms ${entry.value.toFixed(3)}`
      moved.parts.push(`${when} ${name}: ${place(from)} -> ${place(to)}`)
    }
  }
}).observe({ type: "layout-shift", buffered: true })
const look = () => {
  const isReady = field => !field.disabled && field.checkVisibility({ visibilityProperty: true })
  if ([...document.querySelectorAll(FIELD)].some(isReady)) window.__writable = performance.now()
  else requestAnimationFrame(look)
}
requestAnimationFrame(look)
"""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One answered request; `at` in seconds of Chromium's monotonic clock, `size` in bytes as they came."""

    url: str
    at: float
    size: int
    kind: str
    encoding: str
    is_cached: bool


@dataclass(frozen=True, kw_only=True)
class PageLoad:
    """A load; requests in their order, those before the first input counted apart."""

    requests: tuple[Request, ...]
    before_input: tuple[Request, ...]
    input_ms: float
    moved: float
    moves: tuple[str, ...]


def size(requests: tuple[Request, ...]) -> int:
    """Bytes that were transferred, headers included."""
    return sum(request.size for request in requests)


def sent(requests: tuple[Request, ...]) -> int:
    """Requests that went to the server."""
    return sum(not request.is_cached for request in requests)


class LoadRecorder:
    """Records the loads of one tab: `LoadRecorder(page).load(url)`."""

    def __init__(self, page: "Page", *, ready: str = FIELD) -> None:
        """ready: selector of what must be seen for the page to be of use."""
        self._page = page
        self._ready = ready
        self._sent: dict[str, dict[str, Any]] = {}
        self._done: dict[str, int] = {}
        page.add_init_script(f"const FIELD = {ready!r};{_WATCH}")
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", self._note_request)
        network.on("Network.responseReceived", self._note_response)
        network.on("Network.requestServedFromCache", self._note_cached)
        network.on("Network.loadingFinished", self._note_end)

    def load(self, url: str) -> PageLoad:
        """Open the address; wait until it is of use and has settled."""
        self._sent.clear()
        self._done.clear()
        self._page.goto(url, wait_until="commit")
        self._page.locator(self._ready).filter(visible=True).first.wait_for(timeout=60_000)
        self._page.wait_for_timeout(SETTLED_MS)
        input_ms = float(self._page.evaluate("window.__writable"))
        moved = self._page.evaluate("window.__moved")
        requests = self._requests()
        begin = min(request.at for request in requests)
        return PageLoad(
            requests=requests,
            before_input=tuple(request for request in requests if request.at - begin < input_ms / 1000),
            input_ms=input_ms,
            moved=moved["total"],
            moves=tuple(moved["parts"]),
        )

    def _requests(self) -> tuple[Request, ...]:
        made = (
            Request(
                url=note["url"],
                at=note["at"],
                size=self._done.get(number, 0),
                kind=note["kind"],
                encoding=note.get("encoding", ""),
                is_cached=note.get("cached", False),
            )
            for number, note in self._sent.items()
        )
        return tuple(sorted((request for request in made if request.url.startswith("http")), key=lambda it: it.at))

    def _note_request(self, event: dict[str, Any]) -> None:
        kind = event.get("type", "")
        self._sent[event["requestId"]] = {"url": event["request"]["url"], "at": event["timestamp"], "kind": kind}

    def _note_response(self, event: dict[str, Any]) -> None:
        if note := self._sent.get(event["requestId"]):
            headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
            note["encoding"] = headers.get("content-encoding", "")
            note["cached"] = note.get("cached", False) or event["response"].get("fromDiskCache", False)

    def _note_cached(self, event: dict[str, Any]) -> None:
        if note := self._sent.get(event["requestId"]):
            note["cached"] = True

    def _note_end(self, event: dict[str, Any]) -> None:
        self._done[event["requestId"]] = int(event["encodedDataLength"])

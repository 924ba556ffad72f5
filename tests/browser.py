"""Fixtures for tests in a real Chromium: tabs that remember console errors, and a sinkhole for every outside host."""

import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tests import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = {1280: 800, 390: 844}
"""The heights that belong to the widths: a laptop and a phone."""

PATIENCE_MS = 15_000
"""How long a page may take to show what a test looks for, on a machine that is busy with other tests."""

_SWITCHED_OFF = (
    # The address bar's own pages: another process for each context, and most of what opening a tab costs.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # What Playwright 1.65 switches off: Chromium listens to the last list only.
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
)

WITH_BROWSER_UNTIL = 0.8
"""Share of the other files that have begun when the last one with a browser begins."""
_OURS = ("localhost", "127.0.0.1", "[::1]", "::1")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that need a browser begin evenly among the others: while one waits for a page, the others compute.

    The largest of them come first, and short files last, so that no core waits for another in the end.
    """
    sizes = Counter(item.path for item in items)
    with_browser = {item.path for item in items if item.get_closest_marker("browser")}
    alone = sorted(sizes.keys() - with_browser, key=lambda path: (len(path.parts), path))
    largest_first = sorted(with_browser, key=lambda path: (-sizes[path], path))
    ranks = {path: at / len(alone) for at, path in enumerate(alone)}
    ranks |= {path: WITH_BROWSER_UNTIL * at / len(largest_first) for at, path in enumerate(largest_first)}
    items.sort(key=lambda item: ranks[item.path])


class Sinkhole:
    """Listens where the browser believes every outside host to be; whoever connects was on the way out."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._heard: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def heard(self) -> list[str]:
        """The hosts that were called since the last time this was asked."""
        heard, self._heard = self._heard, []
        return heard

    def close(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                try:
                    self._heard.append(_host(connection.recv(4096)))
                except OSError:
                    self._heard.append("unknown")


def _host(hello: bytes) -> str:
    """The host in a request's Host header or in a TLS hello's server name (RFC 6066, section 3)."""
    if header := re.search(rb"(?i)\r\nhost: *([^\r]+)", hello):
        return header[1].decode("latin-1")
    for name in re.finditer(rb"\x00\x00\x00.\x00.\x00\x00(.)([a-z0-9.-]+)", hello, re.DOTALL):
        if len(name[2]) >= name[1][0] > 3:
            return name[2][: name[1][0]].decode()
    return "unknown"


@dataclass
class Tab:
    """A page and what went wrong on it."""

    page: "Page"
    errors: list[str] = field(default_factory=list)
    """Console errors and exceptions that no script caught."""
    outside: list[str] = field(default_factory=list)
    """Addresses of other hosts that the page asked for, whether or not a policy stopped it."""

    def watch(self) -> "Tab":
        self.page.on("console", lambda message: self._add_error(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self._add_error(str(error)))
        self.page.on("request", self._note_request)
        return self

    def assert_quiet(self) -> None:
        """No error in the console, and nothing asked of other hosts."""
        assert self.errors == []
        assert self.outside == []

    def _add_error(self, text: str) -> None:
        self.errors.append(text)

    def _note_request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in _OURS:
            self.outside.append(request.url)


Kept = dict[str, list[Tab]]
"""The tabs that wait for another test of the file, by the options that they were opened with."""


class Tabs:
    """Opens tabs, each in a context (cookies, storage) of its own unless told to share one."""

    def __init__(self, browser: "Browser", kept: Kept | None = None) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self._kept = {} if kept is None else kept
        self._lent: list[tuple[Tab, str, dict[str, Any]]] = []

    def again(self, url: str, **options: Any) -> Tab:
        """A tab of an earlier test of this file, emptied; a new one where none is free.

        Streamlit's code is compiled in it already: half of what opening a page costs. url: of the app that it shows.
        A test that adds scripts, a clock or listeners to its page takes `open`: they would stay.
        """
        if waiting := self._kept.get(_key(options)):
            tab = waiting.pop()
            tab.page.evaluate("() => { localStorage.clear(), sessionStorage.clear() }")
            tab.errors.clear()
            tab.outside.clear()
        else:
            tab = self.open(**options)
            self._contexts.remove(tab.page.context)
        self._lent.append((tab, url, options))
        return tab

    def _put_back(self, tab: Tab, url: str, options: dict[str, Any]) -> None:
        """Leave nothing of the test in a tab, and nothing of the app's running; what resists is closed."""
        from playwright.sync_api import Error

        context, width = tab.page.context, options.get("width", 1280)
        try:
            for other in [page for page in context.pages if page != tab.page]:
                other.close()
            tab.page.unroute_all(behavior="ignoreErrors")
            context.unroute_all(behavior="ignoreErrors")
            context.clear_cookies()
            context.clear_permissions()
            tab.page.set_viewport_size({"width": width, "height": WIDTHS.get(width, 800)})
            tab.page.emulate_media(color_scheme="dark" if options.get("dark") else "light", reduced_motion="reduce")
            tab.page.mouse.move(0, 0)
            tab.page.goto(f"{url}/health")
        except Error:
            context.close()
        else:
            self._kept.setdefault(_key(options), []).append(tab)

    def open(self, *, width: int = 1280, dark: bool = False, beside: "Tab | None" = None, **options: Any) -> Tab:
        """A new tab at 1280 or 390 px, light or dark. `beside` shares another tab's sign-in."""
        if beside is not None:
            return Tab(beside.page.context.new_page()).watch()
        context = self._browser.new_context(
            viewport={"width": width, "height": WIDTHS.get(width, 800)},
            color_scheme="dark" if dark else "light",
            is_mobile=width < 500,
            has_touch=width < 500,
            reduced_motion="reduce",
            **{"locale": "en-US", **options},
        )
        context.set_default_timeout(PATIENCE_MS)
        self._contexts.append(context)
        return Tab(context.new_page()).watch()

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        for tab, url, options in self._lent:
            self._put_back(tab, url, options)


def _key(options: dict[str, Any]) -> str:
    return repr(sorted(options.items()))


@pytest.fixture(scope="session")
def sinkhole() -> Iterator[Sinkhole]:
    """Where all outside hosts lead; `sinkhole.heard()` must be empty."""
    sinkhole = Sinkhole()
    yield sinkhole
    sinkhole.close()


@pytest.fixture(scope="module")
def browser(sinkhole: Sinkhole) -> Iterator["Browser"]:
    """One Chromium for each file, in which every name but localhost leads to the sinkhole.

    Playwright keeps an event loop running in this thread as long as it lives; the next file may need one of its own.
    """
    from playwright.sync_api import expect, sync_playwright

    path = chromium.find()
    if path is None:
        pytest.fail("No Chromium: run `make test`, which installs one.")
    # Chromium calls its maker on its own account; a page that does is still seen by `Tab.outside`.
    makers = ", ".join(f"MAP *.{host} ~NOTFOUND" for host in ("google.com", "googleapis.com", "gvt1.com"))
    away = f"{makers}, MAP * 127.0.0.1:{sinkhole.port}, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE ::1"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        network = (f"--host-resolver-rules={away}", "--no-proxy-server")
        options = ("--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={','.join(_SWITCHED_OFF)}")
        chrome = playwright.chromium.launch(executable_path=path, args=[*options, *network])
        yield chrome
        chrome.close()


@pytest.fixture(scope="module")
def kept_tabs(browser: "Browser") -> Kept:
    """They end with their browser."""
    return {}


@pytest.fixture
def tabs(browser: "Browser", kept_tabs: Kept) -> Iterator[Tabs]:
    """Opens tabs that are closed after the test, or emptied for the next."""
    tabs = Tabs(browser, kept_tabs)
    yield tabs
    tabs.close()


@pytest.fixture
def tab(tabs: Tabs) -> Tab:
    """One tab at 1280 px, light."""
    return tabs.open()


@pytest.fixture(
    params=[(1280, False), (1280, True), (390, False), (390, True)], ids=["wide", "wide-dark", "narrow", "narrow-dark"]
)
def any_tab(tabs: Tabs, request: pytest.FixtureRequest) -> Tab:
    """The same test at both widths, light and dark."""
    width, dark = request.param
    return tabs.open(width=width, dark=dark)

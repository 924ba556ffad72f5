"""Weight of the chat's page in Chromium: requests, bytes, time to the first input and layout shift."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.load.app_server import AppServer
from bench.load.page_load import FIELD, LoadRecorder, PageLoad, sent, size
from bench.load.sign_in import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

TITLE = "Pages: what the chat loads before a message can be written (KB as transferred; layout shift of the whole load)"
HEAD = ("page", "width", "cache", "requests", "KB", "in all", "KB", "first input", "layout shift")
WIDTHS = {1280: 800, 390: 844}
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_QUESTION = "What can you do for me?"


def measure(data_dir: Path) -> list[list[str]]:
    """Rows: a new chat and one with an answer, at both widths, with a cold and a warm cache."""
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        with chromium() as browser:
            return list(_rows(browser, server.url, cookies))
    finally:
        server.stop()


def _rows(browser: "Browser", url: str, cookies: dict[str, str]) -> Iterator[list[str]]:
    chat = _make_chat(browser, url, cookies)
    for page, path in {"new chat": "/", "chat": chat}.items():
        for width in WIDTHS:
            with signed_in(browser, url, cookies, width) as context:
                recorder = LoadRecorder(context.new_page())
                for cache in ("cold", "warm"):
                    yield [page, str(width), cache, *_cells(recorder.load(url + path))]


def _cells(load: PageLoad) -> Sequence[str]:
    return (
        str(sent(load.before_input)),
        f"{size(load.before_input) / 1000:,.0f}",
        str(sent(load.requests)),
        f"{size(load.requests) / 1000:,.0f}",
        f"{load.input_ms:,.0f} ms",
        f"{load.moved:.2f}",
    )


def _make_chat(browser: "Browser", url: str, cookies: dict[str, str]) -> str:
    """Ask one question; the address of its chat, from the slash on."""
    with signed_in(browser, url, cookies, 1280) as context:
        page = context.new_page()
        page.goto(url)
        page.locator(FIELD).filter(visible=True).first.fill(_QUESTION)
        page.keyboard.press("Enter")
        page.wait_for_url("**/?c=*", timeout=60_000)
        page.get_by_role("button", name="Copy").first.wait_for(timeout=60_000)
        return page.url.removeprefix(url)


@contextmanager
def signed_in(browser: "Browser", url: str, cookies: dict[str, str], width: int) -> Iterator["BrowserContext"]:
    """A profile with an empty cache, 1280 or 390 px wide, with these cookies."""
    is_phone = width < 500
    size: Any = {"width": width, "height": WIDTHS[width]}
    context = browser.new_context(viewport=size, is_mobile=is_phone, has_touch=is_phone, locale="en-US")
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])
    yield context
    context.close()


@contextmanager
def chromium() -> Iterator["Browser"]:
    """The machine's own Chromium, else Playwright's."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, _NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()

"""This week in Chromium: time from the click to the drawn calendar, bytes, and layout shift."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from bench.load.app_server import AppServer
from bench.load.forms import press
from bench.load.page_load import FIELD, LoadRecorder, size
from bench.load.sign_in import sign_in
from bench.pages import WIDTHS, chromium, signed_in
from services import bootstrap, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TITLE = "Week: from the click in the navigation to the drawn calendar, and what a reload of its address sends and moves"
HEAD = ("services", "width", "first time", "again", "KB, cold cache", "KB, warm", "layout shift")
SLOW_MS = 300
DRAWN = ".hc-event"
SERVICES = ("canvas", "google_calendar")
_CLOCK = "() => performance.now()"
_DRAWN_AT = f"""() => new Promise(resolve => {{
  const look = () => document.querySelector({DRAWN!r}) ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
}})"""


def measure(data_dir: Path) -> list[list[str]]:
    """Rows: services that answer at once, and some that take `SLOW_MS`; a laptop and a phone."""
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        with chromium() as browser:
            with signed_in(browser, server.url, cookies, 1280) as context:
                context.new_page().goto(server.url)
                context.pages[0].locator(FIELD).filter(visible=True).first.wait_for(timeout=60_000)
            connect(server, data_dir, "Maya Chen")
            return [*_rows(browser, server, cookies, "quick"), *_rows(browser, server, cookies, f"{SLOW_MS} ms away")]
    finally:
        server.stop()


def connect(server: AppServer, data_dir: Path, name: str) -> None:
    """Connect what the week is read from, by the services' own consent pages."""
    environment = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir), "HOMEROOM_PORT": str(server.port)}
    services = bootstrap.build(settings.read(environment))
    (student,) = services.store.shared.find("students", {"name": name}, limit=1)
    for id in SERVICES:
        address = services.connections.begin_oauth(student["id"], id)
        with httpx.Client(timeout=30, trust_env=False) as client:
            answer = press(client, client.get(address), "Allow", person=name.partition(" ")[0].lower())
        query = dict(httpx.URL(answer.headers["location"]).params)
        services.connections.finish_oauth(student["id"], state=query["state"], code=query["code"])
    services.store.close()


def _rows(browser: "Browser", server: AppServer, cookies: dict[str, str], kind: str) -> Iterator[list[str]]:
    for width in WIDTHS:
        with signed_in(browser, server.url, cookies, width) as context:
            if kind != "quick":
                slow_down(server)
            first, again = _clicks(context.new_page(), server.url)
            server.campus("/faults", method="DELETE")
        with signed_in(browser, server.url, cookies, width) as context:
            recorder = LoadRecorder(context.new_page(), ready=DRAWN)
            loads = [recorder.load(f"{server.url}/week") for _ in range(2)]
        sizes = [f"{size(load.requests) / 1000:,.0f}" for load in loads]
        moved = max(load.moved for load in loads)
        yield [kind, str(width), f"{first:,.0f} ms", f"{again:,.0f} ms", *sizes, f"{moved:.2f}"]


def slow_down(server: AppServer) -> None:
    """Have every answer of the services take `SLOW_MS`."""
    for service in ("canvas", "google"):
        server.campus("/faults", {"service": service, "fault": "delay", "seconds": SLOW_MS / 1000, "times": 0})


def _clicks(page: "Page", url: str) -> tuple[float, float]:
    """Milliseconds from the click on This week to its first drawn entry: at first, and after another page."""
    page.goto(url)
    page.locator(FIELD).filter(visible=True).first.wait_for(timeout=60_000)
    took = []
    for _ in range(2):
        began = page.evaluate(_CLOCK)
        follow(page, "This week")
        took.append(float(page.evaluate(_DRAWN_AT)) - float(began))
        follow(page, "Activity")
        page.get_by_role("heading", name="Activity").wait_for()
    return took[0], took[1]


def follow(page: "Page", title: str) -> None:
    """Press a link of the navigation."""
    # A phone's sidebar covers the page and hides its links: they are pressed by script.
    daily = page.locator(".st-key-sidebar-pages").get_by_role("link", name=title, include_hidden=True)
    page.locator(".st-key-sidebar-foot button").wait_for(state="attached")
    if not daily.count():
        page.locator(".st-key-sidebar-foot button").dispatch_event("click")
        daily = page.locator(".st-key-account-menu").get_by_role("link", name=title, include_hidden=True)
    daily.first.dispatch_event("click")

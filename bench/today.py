"""Today in Chromium: time from the click to the drawn day, first as nothing is known and then from its snapshot, bytes,
and layout shift; and without a browser the server's own time for it.
"""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from bench.load.app_server import AppServer
from bench.load.event_loop import run
from bench.load.page_load import FIELD, LoadRecorder, size
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from bench.pages import WIDTHS, chromium, signed_in
from bench.week import SLOW_MS, connect, follow, slow_down
from services import bootstrap, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TITLE = "Today: from the click in the navigation to the drawn day, and what a reload sends and moves"
HEAD = (
    *("services", "width", "nothing known", "from its snapshot", "server's time, median", "worst"),
    *("KB, cold cache", "KB, warm", "layout shift"),
)
DRAWN = ".st-key-today-due"
AGAIN = 5
PLAN = "Plan this"
"""Button of each line of work."""
OPENED = 21
"""New tabs, one after another, for the server's time."""
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
            kinds = ("quick", f"{SLOW_MS} ms away")
            return [row for kind in kinds for row in _rows(browser, server, data_dir, cookies, kind)]
    finally:
        server.stop()


def _rows(
    browser: "Browser", server: AppServer, data_dir: Path, cookies: dict[str, str], kind: str
) -> Iterator[list[str]]:
    for width in WIDTHS:
        with signed_in(browser, server.url, cookies, width) as context:
            if kind != "quick":
                slow_down(server)
            _forget(data_dir)
            first, again = _clicks(context.new_page(), server.url)
            with ThreadPoolExecutor(1) as beside:  # In this thread Playwright's event loop runs.
                served = beside.submit(run, _served(server.url, cookies)).result()
            server.campus("/faults", method="DELETE")
        with signed_in(browser, server.url, cookies, width) as context:
            recorder = LoadRecorder(context.new_page(), ready=DRAWN)
            loads = [recorder.load(server.url) for _ in range(2)]
        sizes = [f"{size(load.requests) / 1000:,.0f}" for load in loads]
        moved = max(load.moved for load in loads)
        times = (first, again, sorted(served)[OPENED // 2], max(served))
        yield [kind, str(width), *(f"{took:,.0f} ms" for took in times), *sizes, f"{moved:.2f}"]


async def _served(url: str, cookies: Mapping[str, str]) -> list[float]:
    """Milliseconds of the server for Today from its snapshot: from a new tab's request to the last part of the page."""
    took = []
    for _ in range(OPENED):
        async with StreamlitClient(url, cookies) as tab:
            began = time.perf_counter()
            await tab.open()
            took.append((time.perf_counter() - began) * 1000)
            assert PLAN in tab.page.buttons, "the page came without the day"
    return took


def _forget(data_dir: Path) -> None:
    """Delete the snapshots, as after a day."""
    services = bootstrap.build(settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir)}))
    for owner, id in services.store.owners("week_notes", {}):
        services.store.for_student(owner).delete("week_notes", {"id": id})
    services.store.close()


def _clicks(page: "Page", url: str) -> tuple[float, float]:
    """Milliseconds from the click to the drawn day: at first, and the median of later ones."""
    page.goto(f"{url}/activity")
    page.get_by_role("heading", name="Activity").wait_for()
    took = []
    for _ in range(AGAIN + 1):
        began = page.evaluate(_CLOCK)
        follow(page, "Today")
        took.append(float(page.evaluate(_DRAWN_AT)) - float(began))
        follow(page, "Activity")
        page.get_by_role("heading", name="Activity").wait_for()
    return took[0], sorted(took[1:])[AGAIN // 2]

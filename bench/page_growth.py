"""CPU of the server for each page, with some things stored and with ten times as many: what grows, and how fast."""

import asyncio
import os
import statistics
from pathlib import Path

from bench.growing_data import VIEWS, fill
from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from services.navigation import CHAT_PAGE, PAGES, AppPage, Audience
from services.runtime.clock import utc_now
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store

TITLE = "Growth: CPU of the server for each page, as its student has more"
FEW, MANY = 300, 3_000
HEAD = ("page", f"{FEW:,} of each", f"{MANY:,} of each", "grows")
ROUNDS = 3


def measure(data_dir: Path) -> list[list[str]]:
    """One row for each page and view: its CPU beside few and beside many of what a student stores."""
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        # A student is stored with their first page.
        asyncio.run(_visit(server, cookies, CHAT_PAGE))
        store = Store(SqliteDocuments(data_dir / DATABASE_FILE))
        student = store.shared.find("students", {}, limit=1)[0]["id"]
        fill(store, student, 0, FEW, utc_now())
        few = _costs(server, cookies)
        fill(store, student, FEW, MANY, utc_now())
        many = _costs(server, cookies)
        store.close()
    finally:
        server.stop()
    return [[name, f"{few[name]:.0f} ms", f"{many[name]:.0f} ms", f"×{many[name] / few[name]:.1f}"] for name in few]


def _costs(server: AppServer, cookies: dict[str, str]) -> dict[str, float]:
    """Milliseconds of CPU by page, the median of some visits; the first visit warms it up."""
    # The presenter's page is there in `manage.py demo` alone, and shows nothing that is stored.
    pages = [page for page in PAGES if page.audience is not Audience.PRESENTERS]
    views = [(page, view) for page in pages for view in ("", *VIEWS.get(page.name, ()))]
    return {
        f"{page.name} {view}".strip(): statistics.median(_visits(server, cookies, page, view)[1:])
        for page, view in views
    }


def _visits(server: AppServer, cookies: dict[str, str], page: AppPage, view: str) -> list[float]:
    return [asyncio.run(_visit(server, cookies, page, view)) for _ in range(ROUNDS + 1)]


async def _visit(server: AppServer, cookies: dict[str, str], page: AppPage, view: str = "") -> float:
    async with StreamlitClient(server.url, cookies) as tab:
        tab.page.query = f"view={view}" if view else ""
        before = _cpu_ms(server.pid)
        await tab.open("" if page is CHAT_PAGE else page.name)
        return max(1.0, _cpu_ms(server.pid) - before)


def _cpu_ms(pid: int) -> float:
    """CPU that a process has used: fields 14 and 15 of proc(5), behind the name, which may hold blanks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

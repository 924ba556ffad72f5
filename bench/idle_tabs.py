"""What open tabs cost the process that serves them: memory by idle session."""

import asyncio

from bench.load.app_server import AppServer
from bench.load.process import resident_mib
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient

TABS = 50
WARM_UP = 5
"""Tabs opened before counting starts, so that imports and caches are not charged to a session."""


def measure(server: AppServer, tabs: int = TABS) -> list[list[str]]:
    """One row: tabs, memory before and with them, and the difference for each."""
    return [asyncio.run(_measure(server, sign_in(server.url), tabs))]


async def _measure(server: AppServer, cookies: dict[str, str], count: int) -> list[str]:
    early = [await _tab(server.url, cookies) for _ in range(WARM_UP)]
    before = resident_mib(server.pid)
    tabs = [await _tab(server.url, cookies) for _ in range(count)]
    after = resident_mib(server.pid)
    for tab in early + tabs:
        await tab.__aexit__()
    return [str(count), f"{before:.0f} MiB", f"{after:.0f} MiB", f"{(after - before) * 1024 / count:.0f} KiB"]


async def _tab(url: str, cookies: dict[str, str]) -> StreamlitClient:
    tab = StreamlitClient(url, cookies)
    await tab.__aenter__()
    await tab.open()
    return tab

"""What open tabs cost the process that serves them: memory, and CPU while nobody does anything."""

import asyncio
import resource
from pathlib import Path

from bench.load.event_loop import run
from bench.load.homeroom_app import HomeroomApp
from bench.load.live_client import LiveStudent
from bench.load.paced_model import PacedModel
from bench.load.process import cpu_seconds, resident_mib
from bench.load.streamlit_client import StreamlitClient

TABS = 1000
WATCH_S = 30.0
WARM_UP = 5
"""Tabs opened before counting starts, so that imports and caches are not charged to a session."""
AT_ONCE = 32
HEAD = ("idle chats", "memory before", "with them", "each", "CPU a second before", "with them", "each")


def measure(data_dir: Path, tabs: int = TABS, watch_s: float = WATCH_S) -> list[list[str]]:
    """One row: tabs of as many students, each with a chat that has an answer; before them, with them, each."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, tabs * 2 + 1000)), hard))
    with PacedModel() as model:
        app = HomeroomApp(data_dir, model_url=model.url, size=tabs + WARM_UP, settings={}).start()
        try:
            return [run(_measure(app, tabs, watch_s))]
        finally:
            app.stop()


async def _measure(app: HomeroomApp, count: int, watch_s: float) -> list[str]:
    students = app.students(count + WARM_UP)
    early = await _open_all(students[:WARM_UP])
    memory_before, cpu_before = resident_mib(app.pid), await _cpu_a_second(app.pid, watch_s)
    tabs = await _open_all(students[WARM_UP:])
    staying = [asyncio.create_task(tab.stay()) for tab in tabs]
    memory, cpu = resident_mib(app.pid), await _cpu_a_second(app.pid, watch_s)
    for task in staying:
        task.cancel()
    for tab in early + tabs:
        await tab.__aexit__()
    return [
        str(count),
        f"{memory_before:.0f} MiB",
        f"{memory:.0f} MiB",
        f"{(memory - memory_before) * 1024 / count:.0f} KiB",
        f"{cpu_before * 1000:.1f} ms",
        f"{cpu * 1000:.1f} ms",
        f"{(cpu - cpu_before) / count * 1e6:.0f} µs",
    ]


async def _cpu_a_second(pid: int, watch_s: float) -> float:
    await asyncio.sleep(watch_s / 3)
    before = cpu_seconds(pid)
    await asyncio.sleep(watch_s)
    return (cpu_seconds(pid) - before) / watch_s


async def _open_all(students: list[LiveStudent]) -> list[StreamlitClient]:
    permits = asyncio.Semaphore(AT_ONCE)

    async def open_next(student: LiveStudent) -> StreamlitClient:
        async with permits:
            return await _open(student)

    return list(await asyncio.gather(*(open_next(student) for student in students)))


async def _open(student: LiveStudent) -> StreamlitClient:
    await student.ask()
    await student.leave()
    tab = await StreamlitClient(student.url, student.cookies).__aenter__()
    tab.page.query = f"c={student.conversation_id}"
    await tab.open()
    return tab

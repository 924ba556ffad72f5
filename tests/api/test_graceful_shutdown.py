"""A process that is told to stop: it takes nothing new, keeps what was said, and ends with exit code 0 (row R53)."""

import asyncio
import json
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from api.app_factory import DRAIN_S
from bench.load.app_server import AppServer
from bench.load.campus import set_pace
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from services.storage.engines import DATABASE_FILE

STREAMS = 3
WAIT_S = 60.0


@pytest.fixture
def app(tmp_path: Path) -> Iterator[AppServer]:
    server = AppServer(tmp_path).start()
    set_pace(f"{server.url}/sandbox", 20)
    yield server
    if server.is_running:
        server.kill()


def _stored(data_dir: Path, collection: str) -> list[dict[str, Any]]:
    with sqlite3.connect(data_dir / DATABASE_FILE) as connection:
        rows = connection.execute(f'SELECT body FROM "{collection}"').fetchall()
    return [json.loads(body) for (body,) in rows]


async def _ask(tab: StreamlitClient, text: str, said: asyncio.Event) -> str:
    """Send; notes when the first word came; all that was last seen."""
    latest = ""
    async for _, words in tab.say(text):
        latest = words
        if "word1" in words:
            said.set()
    return latest


async def _tab(opened: AsyncExitStack, url: str, cookies: dict[str, str]) -> StreamlitClient:
    tab = await opened.enter_async_context(StreamlitClient(url, cookies))
    await tab.open()
    return tab


async def _while_answering(
    opened: AsyncExitStack, app: AppServer, cookies: dict[str, str], words: int
) -> list[asyncio.Task[str]]:
    """Students who are being answered just now, each in a tab."""
    asking, said = [], [asyncio.Event() for _ in range(STREAMS)]
    for event in said:
        tab = await _tab(opened, app.url, cookies)
        asking.append(asyncio.create_task(_ask(tab, f"/say-long {words}", event)))
    await asyncio.gather(*(event.wait() for event in said))
    return asking


async def _tell_to_stop(app: AppServer) -> None:
    app.signal(signal.SIGTERM)
    while "stopping" not in app.log:
        await asyncio.sleep(0.01)


def test_running_answers_are_finished_and_no_new_one_is_begun(app: AppServer, tmp_path: Path) -> None:
    cookies = sign_in(app.url)

    async def stop() -> tuple[list[str], str]:
        async with AsyncExitStack() as opened, asyncio.timeout(WAIT_S):
            late = await _tab(opened, app.url, cookies)
            asking = await _while_answering(opened, app, cookies, words=120)
            await _tell_to_stop(app)
            refused = await _ask(late, "One more?", asyncio.Event())
            return await asyncio.gather(*asking), refused

    answers, refused = asyncio.run(stop())

    assert app.wait() == 0
    assert all(answer.endswith("word120") for answer in answers)
    assert "One more?" not in refused
    assert [turn["status"] for turn in _stored(tmp_path, "turns")] == ["done"] * STREAMS


@pytest.mark.soak
def test_a_second_signal_cuts_answers_short_and_keeps_what_was_said(app: AppServer, tmp_path: Path) -> None:
    cookies = sign_in(app.url)

    async def stop() -> None:
        async with AsyncExitStack() as opened, asyncio.timeout(WAIT_S):
            asking = await _while_answering(opened, app, cookies, words=5_000)
            await _tell_to_stop(app)
            app.signal(signal.SIGTERM)
            await asyncio.gather(*asking, return_exceptions=True)

    asyncio.run(stop())

    assert app.wait(DRAIN_S) == 0
    turns = _stored(tmp_path, "turns")
    assert [(turn["status"], turn["notice"]["action"]) for turn in turns] == [("interrupted", "continue")] * STREAMS
    kept = [message for message in _stored(tmp_path, "messages") if message["role"] == "assistant"]
    assert len(kept) == STREAMS
    assert all("word1" in message["content"][0]["text"] for message in kept)

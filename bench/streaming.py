"""How late the first and the last word of an answer come, over the raw SDK against the same model server."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anthropic

from bench.app_server import AppServer
from bench.sign_in import sign_in
from bench.streamlit_client import StreamlitClient

WORDS = 40
WORDS_PER_SECOND = 20
CROWDS = (1, 20, 50, 100)
PROMPT = f"/say-long {WORDS}"
LAST_WORD_S = 120.0


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds from sending to the first and to the last word, for one student."""

    first_s: float
    last_s: float


def measure(server: AppServer) -> list[list[str]]:
    """Rows of a table: students at once, raw SDK, Homeroom, and their ratio (medians; the slowest in brackets)."""
    server.campus(
        "/faults", {"service": "anthropic", "fault": "pace", "words_per_second": WORDS_PER_SECOND, "times": 0}
    )
    cookies = sign_in(server.url)
    rows = []
    for crowd in CROWDS:
        raw = asyncio.run(_crowd(crowd, lambda: _raw(server.url)))
        ours = asyncio.run(_visitors(crowd, server.url, cookies))
        rows.append(_row(crowd, raw, ours))
    return rows


def _row(crowd: int, raw: list[Timing], ours: list[Timing]) -> list[str]:
    raw_last, our_last = [t.last_s for t in raw], [t.last_s for t in ours]
    late = statistics.median(t.first_s for t in ours) - statistics.median(t.first_s for t in raw)
    ratio = statistics.median(our_last) / statistics.median(raw_last)
    worst = max(our_last) / max(raw_last)
    return [
        str(crowd),
        f"{statistics.median(raw_last):.2f} s ({max(raw_last):.2f})",
        f"{statistics.median(our_last):.2f} s ({max(our_last):.2f})",
        f"{ratio:.2f} ({worst:.2f})",
        f"{late:.2f} s",
    ]


async def _crowd(size: int, one: Callable[[], Awaitable[Timing]]) -> list[Timing]:
    return list(await asyncio.gather(*(one() for _ in range(size))))


async def _raw(url: str) -> Timing:
    async with anthropic.AsyncAnthropic(base_url=f"{url}/sandbox/anthropic", api_key="demo") as client:
        started = time.perf_counter()
        first = None
        message = {"role": "user", "content": PROMPT}
        async with client.messages.stream(model="claude-haiku-5-5", max_tokens=1000, messages=[message]) as stream:
            async for _ in stream.text_stream:
                first = first or time.perf_counter()
        return Timing(first_s=(first or started) - started, last_s=time.perf_counter() - started)


async def _visitors(size: int, url: str, cookies: dict[str, str]) -> list[Timing]:
    """Everyone opens the page first; then all ask at once."""
    clients = [StreamlitClient(url, cookies) for _ in range(size)]
    for client in clients:
        await client.__aenter__()
        await client.open()
    try:
        return list(await asyncio.gather(*(_ask(client) for client in clients)))
    finally:
        await asyncio.gather(*(client.__aexit__() for client in clients))


async def _ask(client: StreamlitClient) -> Timing:
    first = last = 0.0
    async with asyncio.timeout(LAST_WORD_S):
        async for seconds, text in client.say(PROMPT):
            spoken = sum(word.startswith("word") for word in text.split())
            if spoken and not first:
                first = seconds
            if spoken >= WORDS and not last:
                last = seconds
    assert last, "the answer never arrived whole"
    return Timing(first_s=first, last_s=last)

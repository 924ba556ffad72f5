"""Long conversations and many of them: how long a page takes, what is sent to the browser, how long a search takes."""

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from bench.load.app_server import AppServer
from bench.load.sign_in import sign_in
from bench.load.streamlit_client import StreamlitClient
from bench.store_reads import CountingDocuments
from services.conversations.conversations import Conversations
from services.conversations.search import ChatSearch
from services.runtime.clock import stamp, utc_now
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store

HEAD = ("what", "median", "slowest", "sent to the browser")
LONG, CHATS, MESSAGES = 500, 1_000, 10
QUESTION, ANSWER = 12, 120
"""Words of each."""
WRITERS = 32
SHOWN = 30
"""Messages that the page reads at first."""
ROUNDS = 7
EVERYDAY = "biology essay midterm chapter deadline library professor calculus exam quiz grade project draft lecture"


def measure(data_dir: Path) -> list[list[str]]:
    server = AppServer(data_dir).start()
    try:
        cookies = sign_in(server.url)
        rows = [_page(server, cookies, "an empty chat, before there were any", "")]
        store = Store(SqliteDocuments(data_dir / DATABASE_FILE))
        student = store.shared.find("students", {}, limit=1)[0]["id"]
        fill(store, student)
        rows.append(_page(server, cookies, f"an empty chat, beside {CHATS:,} others", ""))
        rows.append(_page(server, cookies, f"a chat of {MESSAGES} messages", "c=chat0000"))
        rows.append(_page(server, cookies, f"a chat of {LONG} messages, its last {SHOWN}", "c=long"))
        rows.append(_page(server, cookies, f"the list of all {CHATS + 1:,} chats", "", page="chats"))
        return [*rows, *_searches(store, student), _read(store, student)]
    finally:
        server.stop()


def fill(store: Store, student: str) -> None:
    """A chat of `LONG` messages, and `CHATS` of `MESSAGES`: past the services, several at once, to take seconds."""
    now, chance = utc_now(), random.Random(7)
    sizes = [("long", LONG), *((f"chat{number:04d}", MESSAGES) for number in range(CHATS))]
    chats = (_chat(id, size, now - timedelta(hours=ago), chance) for ago, (id, size) in enumerate(sizes))
    with ThreadPoolExecutor(WRITERS) as pool:
        for _ in pool.map(lambda batch: store.for_student(student).insert(*batch), chain.from_iterable(chats)):
            pass


def _chat(id: str, size: int, at: datetime, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    said = stamp(at)
    yield "conversations", {"id": id, "title": f"{_words(chance, 4)} {id}", "updated_at": said, "is_empty": False}
    for seq in range(1, size + 1):
        is_question, turn = seq % 2 == 1, f"turn-{id}-{(seq + 1) // 2}"
        text = _words(chance, QUESTION if is_question else ANSWER)
        message = {"id": f"{id}.{seq:06d}", "conversation_id": id, "seq": seq, "at": said}
        message["role"] = "user" if is_question else "assistant"
        yield "messages", {**message, "content": [{"type": "text", "text": text}], "meta": {"turn_id": turn}}
        if is_question:
            begun = stamp(at + timedelta(seconds=seq))
            record = {"id": turn, "conversation_id": id, "status": "done", "run": "", "said": True}
            yield "turns", {**record, "first_seq": seq, "started_at": begun}


def _words(chance: random.Random, count: int) -> str:
    common = EVERYDAY.split()
    rare = (f"term{chance.randrange(4_000)}" for _ in range(count))
    return " ".join(chance.choice(common) if chance.random() < 0.4 else word for word in rare)


def _page(server: AppServer, cookies: dict[str, str], what: str, query: str, page: str = "") -> list[str]:
    """Opened in a new tab each time: from asking for it until its script has ended."""
    seen = [asyncio.run(_open(server.url, cookies, query, page)) for _ in range(ROUNDS)]
    return [what, *_times([seconds for seconds, _ in seen]), f"{seen[-1][1] / 1_000:.0f} kB"]


async def _open(url: str, cookies: dict[str, str], query: str, page: str) -> tuple[float, int]:
    async with StreamlitClient(url, cookies) as tab:
        tab.page.query = query
        began = time.perf_counter()
        await tab.open(page)
        return time.perf_counter() - began, tab.received


def _searches(store: Store, student: str) -> list[list[str]]:
    search = ChatSearch(store, utc_now, Conversations(store, utc_now))
    first, looks, is_whole = 0.0, 0, False
    while not is_whole:
        took, is_whole = _timed(lambda: search.find(student, "midterm term12", limit=8).is_whole)
        first, looks = first + took, looks + 1
    rows = [[f"taking in {CHATS + 1:,} old chats, in {looks} searches", *_times([first]), "–"]]
    for text in ("midterm term12", "term1", "nowhere"):
        times = [_timed(lambda text=text: search.find(student, text, limit=8))[0] for _ in range(ROUNDS)]  # type: ignore[misc]
        rows.append([f"searching all chats for “{text}”", *_times(times), "–"])
    return rows


def _read(store: Store, student: str) -> list[str]:
    """What the page of the long chat asks of the store for its messages."""
    counted: list[CountingDocuments] = []

    def counting(engine: Any) -> Any:
        counted.append(CountingDocuments(engine))
        return counted[0]

    conversations = Conversations(store.with_engine(counting), utc_now)
    times = [_timed(lambda: conversations.latest(student, "long", limit=SHOWN))[0] for _ in range(ROUNDS)]
    reads = sum(counted[0].asked.values()) // ROUNDS
    return [f"reading the end of the long chat: {reads} store reads", *_times(times), "–"]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def _times(seconds: list[float]) -> list[str]:
    return [f"{statistics.median(seconds) * 1_000:.0f} ms", f"{max(seconds) * 1_000:.0f} ms"]
